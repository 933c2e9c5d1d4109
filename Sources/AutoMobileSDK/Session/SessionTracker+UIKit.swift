#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Tells a ``SessionTracking`` about the app's way to the foreground and back, by the process-wide notifications of
/// `UIApplication`. Scenes are not told apart.
final class ApplicationStateObserver: Sendable {
  private let tokens = Locked<[any NSObjectProtocol]>([])
  private let center: NotificationCenter
  private let tracker: any SessionTracking
  private let onForeground: @Sendable () -> Void

  init(
    tracker: any SessionTracking, center: NotificationCenter = .default, onForeground: @escaping @Sendable () -> Void
  ) {
    self.tracker = tracker
    self.center = center
    self.onForeground = onForeground
  }

  deinit { stop() }

  func start() {
    let tracker = tracker
    let foreground = center.addObserver(
      forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
    ) { [weak tracker, onForeground] _ in
      ErrorBarrier.run(.applicationState) {
        tracker?.onForeground()
        onForeground()
      }
    }
    let background = center.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { [weak tracker] _ in
      ErrorBarrier.run(.applicationState) { tracker?.onBackground() }
    }
    tokens.withLock { $0 += [foreground, background] }
    #if canImport(ObjectiveC)
    // Whoever starts the SDK late, after a question of consent for example, has missed the notification.
    DispatchQueue.main.async { [weak tracker] in
      ErrorBarrier.run(.applicationState) {
        if Self.isActive { tracker?.onForeground() }
      }
    }
    #endif
  }

  func stop() {
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    tokens.forEach(center.removeObserver)
  }

  #if canImport(ObjectiveC)
  /// Asked by name, because an app extension may be linked with this, and has no application.
  @MainActor static var isActive: Bool {
    let shared = NSSelectorFromString("sharedApplication")
    guard UIApplication.responds(to: shared) else { return false }
    let application = UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    return application?.applicationState == .active
  }
  #endif
}
#endif
