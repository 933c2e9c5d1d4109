import AutoMobileSupport

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
    json.add("actionId", actionId)
    json.add("notificationTitle", notificationTitle)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkNotificationActionEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    actionId = members.value("actionId")
    notificationTitle = members.value("notificationTitle")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("actionId", actionId)
    members.add("notificationTitle", notificationTitle)
    try members.end()
  }
}
