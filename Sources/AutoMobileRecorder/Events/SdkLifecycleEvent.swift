import AutoMobileSupport

/// The app or the system around it changed its state.
public struct SdkLifecycleEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The new state, such as `foreground` or `memory_warning`.
  public let state: String
  public let bundleId: String?
  public let details: [String: String]

  public init(
    timestamp: Int64 = EventClock.now(), state: String, bundleId: String? = nil, details: [String: String] = [:]
  ) {
    eventType = .lifecycle
    self.timestamp = timestamp
    self.state = state
    self.bundleId = bundleId
    self.details = details
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("state", state)
    json.member("bundleId", bundleId)
    json.member("details", details)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkLifecycleEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    state = members.value("state")
    bundleId = members.value("bundleId")
    details = members.value("details")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("state", state)
    members.add("bundleId", bundleId)
    members.add("details", details)
    try members.end()
  }
}
