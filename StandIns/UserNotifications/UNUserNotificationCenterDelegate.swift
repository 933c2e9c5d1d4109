import Foundation

#if !canImport(ObjectiveC)
/// Documentation: *UNUserNotificationCenterDelegate*. iOS 10.0.
///
/// Its methods are optional in Objective-C. Here they have defaults, which do what the system does for a delegate that is
/// without them.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Documentation: *userNotificationCenter(_:willPresent:withCompletionHandler:)*. iOS 10.0.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// Documentation: *userNotificationCenter(_:didReceive:withCompletionHandler:)*. iOS 10.0.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// Documentation: *userNotificationCenter(_:openSettingsFor:)*. iOS 12.0.
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([])
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    completionHandler()
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}
#endif

#if !canImport(ObjectiveC)
/// Documentation: *UNNotificationPresentationOptions*. iOS 10.0.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Documentation: *sound*. iOS 10.0.
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)

  /// Documentation: *list*. iOS 14.0.
  public static let list = UNNotificationPresentationOptions(rawValue: 8)

  /// Documentation: *banner*. iOS 14.0.
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
#endif
