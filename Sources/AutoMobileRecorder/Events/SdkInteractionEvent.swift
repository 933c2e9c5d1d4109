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
