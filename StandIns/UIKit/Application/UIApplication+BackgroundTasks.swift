import Foundation

/// Documentation: *UIBackgroundTaskIdentifier*. iOS 4.0.
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Documentation: *UIBackgroundTaskIdentifier.invalid*. iOS 4.0.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The tasks of the one application: what a test needs to see of them.
final class BackgroundTasks: @unchecked Sendable {
  // Unchecked: everything is used under the lock.
  static let shared = BackgroundTasks()

  private let lock = NSLock()
  private var last = 0
  private var running: [Int: (@MainActor @Sendable () -> Void)?] = [:]
  private var log: [String] = []

  func begin(_ handler: (@MainActor @Sendable () -> Void)?) -> Int {
    lock.withLock {
      last += 1
      running[last] = .some(handler)
      log.append("begin")
      return last
    }
  }

  func end(_ task: Int) {
    lock.withLock { log.append(running.removeValue(forKey: task) == nil ? "end of none" : "end") }
  }

  var handlers: [@MainActor @Sendable () -> Void] { lock.withLock { running.values.compactMap { $0 } } }
  var history: [String] { lock.withLock { log } }
}

extension UIApplication {
  /// Documentation: *beginBackgroundTask(withName:expirationHandler:)*. iOS 7.0.
  nonisolated public func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    UIBackgroundTaskIdentifier(rawValue: BackgroundTasks.shared.begin(handler))
  }

  /// Documentation: *endBackgroundTask(_:)*. iOS 4.0.
  nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    BackgroundTasks.shared.end(identifier.rawValue)
  }
}
