import Foundation
@_exported import UserNotificationsOptions

/// Documentation: *UNUserNotificationCenterDelegate*. iOS 10.0. With methods that are optional, and as SDKs before that of Swift 6.2
/// have it: the handlers are not `@Sendable`. The stand-in has those of later ones, so that both are tried.
@objc public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Documentation: *userNotificationCenter(_:willPresent:withCompletionHandler:)*. iOS 10.0.
  @objc optional func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

  /// Documentation: *userNotificationCenter(_:didReceive:withCompletionHandler:)*. iOS 10.0.
  @objc optional func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)

  /// Documentation: *userNotificationCenter(_:openSettingsFor:)*. iOS 12.0.
  @objc optional func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}
