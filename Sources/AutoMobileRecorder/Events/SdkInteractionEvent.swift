import AutoMobileSupport

/// The user touched something.
public struct SdkInteractionEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The gesture, such as `tap`.
  public let interactionType: String
  /// Where, and on what: `x`, `y`, `accessibilityLabel`, `viewType` and the like.
  public let properties: [String: String]

  public init(timestamp: Int64 = EventClock.now(), interactionType: String, properties: [String: String] = [:]) {
    eventType = .interaction
    self.timestamp = timestamp
    self.interactionType = interactionType
    self.properties = properties
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("interactionType", interactionType)
    json.member("properties", properties)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkInteractionEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    interactionType = members.value("interactionType")
    properties = members.value("properties")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("interactionType", interactionType)
    members.add("properties", properties)
    try members.end()
  }
}
