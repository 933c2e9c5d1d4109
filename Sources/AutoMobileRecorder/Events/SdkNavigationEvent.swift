import AutoMobileSupport

/// A screen was shown.
public struct SdkNavigationEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The screen's name or route.
  public let destination: String
  /// What brought the user there.
  public let source: NavigationSourceType
  public let arguments: [String: String]
  public let metadata: [String: String]

  public init(
    timestamp: Int64 = EventClock.now(), destination: String, source: NavigationSourceType,
    arguments: [String: String] = [:], metadata: [String: String] = [:]
  ) {
    eventType = .navigation
    self.timestamp = timestamp
    self.destination = destination
    self.source = source
    self.arguments = arguments
    self.metadata = metadata
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("destination", destination)
    json.member("source", source.rawValue)
    json.member("arguments", arguments)
    json.member("metadata", metadata)
  }
}

/// What caused a navigation, by the names that it has in JSON. Apps report it as ``NavigationSource``.
public enum NavigationSourceType: String, Codable, Sendable, CaseIterable {
  case swiftUINavigation = "swiftui_navigation"
  case uiKitNavigation = "uikit_navigation"
  case deepLink = "deep_link"
  case custom
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkNavigationEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    destination = members.value("destination")
    source = members.value("source", or: .custom)
    arguments = members.value("arguments")
    metadata = members.value("metadata")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("destination", destination)
    members.add("source", source)
    members.add("arguments", arguments)
    members.add("metadata", metadata)
    try members.end()
  }
}
