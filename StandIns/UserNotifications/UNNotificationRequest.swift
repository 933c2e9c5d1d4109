import Foundation

/// Documentation: *UNNotificationRequest*. iOS 10.0.
open class UNNotificationRequest: NSObject {
  /// Documentation: *identifier*. iOS 10.0.
  public let identifier: String

  /// Documentation: *content*. iOS 10.0.
  public let content: UNNotificationContent

  /// Documentation: *init(identifier:content:trigger:)*. iOS 10.0.
  ///
  /// Copies the content, as its Objective-C property does.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = UNNotificationContent()
    self.content.parts = content.parts
  }
}

/// Documentation: *UNNotificationTrigger*. iOS 10.0.
open class UNNotificationTrigger: NSObject {
  override init() {}
}

/// Documentation: *UNNotification*. iOS 10.0.
open class UNNotification: NSObject {
  /// Documentation: *request*. iOS 10.0.
  public let request: UNNotificationRequest

  init(request: UNNotificationRequest) { self.request = request }
}

/// Documentation: *UNNotificationResponse*. iOS 10.0.
open class UNNotificationResponse: NSObject {
  /// Documentation: *actionIdentifier*. iOS 10.0.
  public let actionIdentifier: String

  /// Documentation: *notification*. iOS 10.0.
  public let notification: UNNotification

  init(actionIdentifier: String, notification: UNNotification) {
    self.actionIdentifier = actionIdentifier
    self.notification = notification
  }
}

/// Documentation: *UNNotificationDefaultActionIdentifier*. iOS 10.0.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
