import AutoMobileSupport

/// A log entry that a filter let through.
public struct SdkLogEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let level: LogLevel
  public let tag: String?
  public let message: String
  /// The filter that matched. An entry that matches several becomes one event each.
  public let filterName: String
  /// What else the entry says, by name: of a log whose entries have fields.
  public let metadata: [String: MetadataValue]
  /// Where in the program it was written: `Shop/Cart.swift:42 total()`.
  public let source: String?

  public init(
    timestamp: Int64 = EventClock.now(), level: LogLevel, tag: String?, message: String, filterName: String,
    metadata: [String: MetadataValue] = [:], source: String? = nil
  ) {
    eventType = .log
    self.timestamp = timestamp
    self.level = level
    self.tag = tag
    self.message = message
    self.filterName = filterName
    self.metadata = metadata
    self.source = source
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("level", level.rawValue)
    json.member("tag", tag)
    json.member("message", message)
    json.member("filterName", filterName)
    if !metadata.isEmpty { json.member("metadata", metadata) }
    json.add("source", source)
  }
}

/// How much a log entry matters; a number in JSON.
public enum LogLevel: Int, Codable, Sendable, Comparable, CaseIterable {
  case verbose = 0
  case debug = 1
  case info = 2
  case warning = 3
  case error = 4
  case fault = 5

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkLogEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    level = members.value("level", or: .info)
    tag = members.value("tag")
    message = members.value("message")
    filterName = members.value("filterName")
    metadata = members.value("metadata") ?? [:]
    source = members.value("source")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("level", level)
    members.add("tag", tag)
    members.add("message", message)
    members.add("filterName", filterName)
    if !metadata.isEmpty { members.add("metadata", metadata) }
    members.add("source", source)
    try members.end()
  }
}
