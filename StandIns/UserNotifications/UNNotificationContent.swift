import Foundation

/// Documentation: *UNNotificationContent*. iOS 10.0.
open class UNNotificationContent: NSObject {
  var parts = Parts()

  /// What a content and its editable form have in common.
  struct Parts {
    var title = ""
    var body = ""
    var categoryIdentifier = ""
    var attachments: [UNNotificationAttachment] = []
    var sound: UNNotificationSound?
    var userInfo: [AnyHashable: Any] = [:]
  }

  /// Documentation: *title*. iOS 10.0.
  open var title: String { parts.title }

  /// Documentation: *body*. iOS 10.0.
  open var body: String { parts.body }

  /// Documentation: *categoryIdentifier*. iOS 10.0.
  open var categoryIdentifier: String { parts.categoryIdentifier }

  /// Documentation: *attachments*. iOS 10.0.
  open var attachments: [UNNotificationAttachment] { parts.attachments }

  /// Documentation: *sound*. iOS 10.0.
  open var sound: UNNotificationSound? { parts.sound }

  /// Documentation: *userInfo*. iOS 10.0.
  open var userInfo: [AnyHashable: Any] { parts.userInfo }
}

/// Documentation: *UNMutableNotificationContent*. iOS 10.0.
open class UNMutableNotificationContent: UNNotificationContent {
  /// Documentation: *title*. iOS 10.0.
  open override var title: String {
    get { parts.title }
    set { parts.title = newValue }
  }

  /// Documentation: *body*. iOS 10.0.
  open override var body: String {
    get { parts.body }
    set { parts.body = newValue }
  }

  /// Documentation: *categoryIdentifier*. iOS 10.0.
  open override var categoryIdentifier: String {
    get { parts.categoryIdentifier }
    set { parts.categoryIdentifier = newValue }
  }

  /// Documentation: *attachments*. iOS 10.0.
  open override var attachments: [UNNotificationAttachment] {
    get { parts.attachments }
    set { parts.attachments = newValue }
  }

  /// Documentation: *sound*. iOS 10.0.
  open override var sound: UNNotificationSound? {
    get { parts.sound }
    set { parts.sound = newValue }
  }

  /// Documentation: *userInfo*. iOS 10.0.
  open override var userInfo: [AnyHashable: Any] {
    get { parts.userInfo }
    set { parts.userInfo = newValue }
  }
}

/// Documentation: *UNNotificationSound*. iOS 10.0.
open class UNNotificationSound: NSObject {
  override init() {}

  /// Documentation: *default*. iOS 10.0.
  public class var `default`: UNNotificationSound { UNNotificationSound() }
}
