/// The user chose an action of a notification.
public struct SdkNotificationActionEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let actionId: String
  public let notificationTitle: String?

  public init(timestamp: Int64 = EventClock.now(), actionId: String, notificationTitle: String? = nil) {
    eventType = .notificationAction
    self.timestamp = timestamp
    self.actionId = actionId
    self.notificationTitle = notificationTitle
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("actionId", actionId)
    json.member("notificationTitle", notificationTitle)
  }
}
