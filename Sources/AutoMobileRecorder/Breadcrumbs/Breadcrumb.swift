import AutoMobileSupport
import Foundation

/// What a breadcrumb is about.
public enum BreadcrumbCategory: String, Codable, Sendable {
  case navigation, tap, lifecycle, network, log, custom
}

/// One step on the way to where something went wrong.
public struct Breadcrumb: Codable, Sendable, Equatable {
  /// **Seconds** since 1970; event timestamps are in milliseconds.
  public let timestamp: TimeInterval
  public let category: BreadcrumbCategory
  public let message: String
  public let metadata: [String: String]

  public init(
    timestamp: TimeInterval = Double(EventClock.now()) / 1000, category: BreadcrumbCategory, message: String,
    metadata: [String: String] = [:]
  ) {
    // JSON has none but finite numbers.
    self.timestamp = timestamp.isFinite ? timestamp : 0
    self.category = category
    self.message = message
    self.metadata = metadata
  }

  /// Writes the members of the breadcrumb's JSON, as `Codable` would.
  func encodeFields(into json: inout EventJSONWriter) {
    json.member("timestamp", timestamp)
    json.member("category", category.rawValue)
    json.member("message", message)
    json.member("metadata", metadata)
  }

  /// The same for a report, which has many of them.
  func encodeOrderedFields(into json: inout EventJSONWriter) {
    json.member("timestamp", timestamp)
    json.member("category", category.rawValue)
    json.member("message", message)
    json.member("metadata", ordered: metadata)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension Breadcrumb {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    timestamp = members.value("timestamp")
    category = members.value("category", or: .custom)
    message = members.value("message")
    metadata = members.value("metadata")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("timestamp", timestamp)
    members.add("category", category)
    members.add("message", message)
    members.add("metadata", metadata)
    try members.end()
  }
}
