/// How a notification is meant. Apple's systems lay it out themselves: long texts open when they are touched, and an image is shown
/// small at first. The style goes along in the notification's `userInfo`, for a content extension of the app's.
public enum NotificationStyle: String, Sendable {
  case `default`, bigText, bigPicture
}

/// A button of a notification.
public struct NotificationAction: Sendable, Hashable {
  /// What the button says.
  public let label: String
  /// What `SdkNotificationActionEvent.actionId` will be.
  public let actionId: String

  public init(label: String, actionId: String) {
    self.label = label
    self.actionId = actionId
  }
}
