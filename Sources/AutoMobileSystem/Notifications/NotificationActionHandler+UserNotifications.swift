#if canImport(UserNotifications) && !os(tvOS) && !os(watchOS)
import AutoMobileRecorder
import Foundation
import UserNotifications

/// A delegate that tells of chosen actions, and hands everything on to the delegate that was there before.
///
/// Its completion handlers are called once: by that delegate, or here when it is gone, or has no such method. They are not
/// `@Sendable` in the SDKs before Swift 6.2, and are in later ones: a method that asks for less fits both.
// Unchecked Sendable: there is nothing that changes but the weak references, which are safe on any thread.
final class NotificationActionHandler: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
  private weak var notifications: AutoMobileNotifications?
  /// Not kept, as the centre would not.
  private(set) weak var previous: (any UNUserNotificationCenterDelegate)?

  init(_ notifications: AutoMobileNotifications, before previous: (any UNUserNotificationCenterDelegate)?) {
    self.notifications = notifications
    self.previous = previous
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    ErrorBarrier.run(.userNotifications) {
      let content = response.notification.request.content
      notifications?.noteAction(
        response.actionIdentifier, title: content.title, isOwn: content.isPostedHere, response: response)
      let completion = OnceCompletion<Void> { completionHandler() }
      hand(on: { completion(()) }) { previous in
        #if canImport(ObjectiveC)
        previous.userNotificationCenter?(center, didReceive: response) { completion(()) }
        #else
        previous.userNotificationCenter(center, didReceive: response) { completion(()) }
        #endif
      }
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    ErrorBarrier.run(.userNotifications) {
      let completion = OnceCompletion(completionHandler)
      // Without a delegate nothing is shown in the foreground. What was posted here is meant to be seen.
      let options: UNNotificationPresentationOptions =
        notification.request.content.isPostedHere ? [.banner, .list, .sound] : []
      hand(on: { completion(options) }) { previous in
        #if canImport(ObjectiveC)
        previous.userNotificationCenter?(center, willPresent: notification) { completion($0) }
        #else
        previous.userNotificationCenter(center, willPresent: notification) { completion($0) }
        #endif
      }
    }
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
    ErrorBarrier.run(.userNotifications) {
      hand(on: {}) { previous in
        #if canImport(ObjectiveC)
        previous.userNotificationCenter?(center, openSettingsFor: notification)
        #else
        previous.userNotificationCenter(center, openSettingsFor: notification)
        #endif
      }
    }
  }

  /// - Parameters:
  ///   - otherwise: done when there is nobody to hand it to, or when that ended with an exception.
  ///   - call: nil when the delegate has no such method.
  private func hand(on otherwise: () -> Void, _ call: (any UNUserNotificationCenterDelegate) -> Void?) {
    guard let previous else { return otherwise() }
    var isDone: Void?
    let failure = ErrorBarrier.run(.userNotifications) { isDone = call(previous) }
    if isDone == nil || failure != nil { otherwise() }
  }
}

extension UNNotificationContent {
  fileprivate var isPostedHere: Bool { userInfo[LocalNotification.styleKey] != nil }
}
#endif
