import Foundation

/// Documentation: *UNAuthorizationOptions*. iOS 10.0.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Documentation: *sound*. iOS 10.0.
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  /// Documentation: *alert*. iOS 10.0.
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
}

extension UNUserNotificationCenter {
  /// Documentation: *requestAuthorization(options:completionHandler:)*. iOS 10.0.
  ///
  /// The form that Swift derives from the one with a closure. The person has decided before.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    state.withLock { $0.isAllowed }
  }
}
