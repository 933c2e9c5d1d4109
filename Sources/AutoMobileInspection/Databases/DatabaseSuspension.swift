import AutoMobileRecorder
import Foundation

/// Closes the databases when the app goes to the background, and lets them be opened again when it comes back: iOS ends an app
/// (`0xdead10cc`) that is suspended while it holds a lock on a file in a shared container.
final class DatabaseSuspension: Sendable {
  private let observations: NotificationObservations
  private let driver: @Sendable () -> SQLiteDatabaseDriver?
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.databases", qos: .userInitiated)

  init(center: NotificationCenter = .default, driver: @escaping @Sendable () -> SQLiteDatabaseDriver?) {
    observations = NotificationObservations(center)
    self.driver = driver
  }

  /// - Parameter names: of what is posted when the app goes, and when it comes.
  func observe(background: Notification.Name, foreground: Notification.Name) {
    observations.add(background, at: .applicationState) { [weak self] in self?.suspend() }
    observations.add(foreground, at: .applicationState) { [weak self] in
      guard let self else { return }
      // After the closing, which may be under way.
      queue.async { [driver] in driver()?.resume() }
    }
  }

  private func suspend() {
    guard let driver = driver() else { return }
    // Keeps the app from being suspended before this is done, where the system offers that.
    ExpiringActivity.run("closing databases", on: queue) { driver.suspend() }
  }
}

#if !canImport(UIKit) || os(watchOS)
extension DatabaseSuspension {
  /// Nobody suspends programs here.
  func start() {}
}
#endif
