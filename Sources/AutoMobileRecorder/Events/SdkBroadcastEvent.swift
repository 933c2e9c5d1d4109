import AutoMobileSupport

/// The system announced something: a notification of its own.
public struct SdkBroadcastEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The notification's name.
  public let action: String
  public let categories: [String]?
  /// The names of the types in the notification's `userInfo`, by key. The values are never recorded.
  public let infoKeyTypes: [String: String]?

  public init(
    timestamp: Int64 = EventClock.now(), action: String, categories: [String]? = nil,
    infoKeyTypes: [String: String]? = nil
  ) {
    eventType = .broadcast
    self.timestamp = timestamp
    self.action = action
    self.categories = categories
    self.infoKeyTypes = infoKeyTypes
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.add("action", action)
    json.member("categories", categories)
    json.add("infoKeyTypes", infoKeyTypes)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkBroadcastEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    action = members.value("action")
    categories = members.value("categories")
    infoKeyTypes = members.value("infoKeyTypes")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("action", action)
    members.add("categories", categories)
    members.add("infoKeyTypes", infoKeyTypes)
    try members.end()
  }
}
