import AutoMobileSupport

/// An event of the app's own, by name and with properties.
///
///     SdkCustomEvent(name: "purchase", properties: ["plan": "pro"])
///     SdkCustomEvent(name: "purchase", properties: ["plan": "pro", "items": 3, "gift": nil])
public struct SdkCustomEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let name: String
  private let storage: Properties

  public init(timestamp: Int64 = EventClock.now(), name: String, properties: [String: String] = [:]) {
    eventType = .custom
    self.timestamp = timestamp
    self.name = name
    storage = .strings(properties)
  }

  /// Properties with any JSON as their values.
  ///
  /// A literal whose values are all strings means the other initializer.
  @_disfavoredOverload
  public init(timestamp: Int64 = EventClock.now(), name: String, properties: [String: MetadataValue]) {
    eventType = .custom
    self.timestamp = timestamp
    self.name = name
    storage = .values(properties)
  }

  /// An event without properties: not even empty ones.
  init(timestamp: Int64 = EventClock.now(), nameOnly name: String) {
    eventType = .custom
    self.timestamp = timestamp
    self.name = name
    storage = .none
  }

  /// The properties as text: a value that is no string appears as its JSON.
  public var properties: [String: String] {
    switch storage {
    case .none: return [:]
    case .strings(let strings): return strings
    case .values(let values): return values.mapValues(\.text)
    }
  }

  /// The properties with their types.
  public var typedProperties: [String: MetadataValue] {
    switch storage {
    case .none: return [:]
    case .strings(let strings): return strings.mapValues(MetadataValue.string)
    case .values(let values): return values
    }
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("name", name)
    switch storage {
    case .none: break
    case .strings(let strings): json.member("properties", strings)
    case .values(let values): json.member("properties", values)
    }
  }

  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    name = members.value("name")
    storage = members.value("properties") ?? .none
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("name", name)
    if case .none = storage {} else { members.add("properties", storage) }
    try members.end()
  }

  /// Strings stay strings, so that recording them converts nothing.
  private enum Properties: Codable, Sendable {
    case none
    case strings([String: String])
    case values([String: MetadataValue])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let strings = try? container.decode([String: String].self) {
        self = .strings(strings)
      } else {
        self = .values(try container.decode([String: MetadataValue].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .none: try container.encodeNil()
      case .strings(let strings): try container.encode(strings)
      case .values(let values): try container.encode(values)
      }
    }
  }
}
