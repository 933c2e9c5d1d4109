import Foundation

/// The name of one run of one process; with a position it names a record for ever.
///
///     let launch = LaunchID()
///     print(launch)  // 0B9FC4B2-6E9B-4B55-9A61-1D3E9B6B7C55
public struct LaunchID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The sixteen bytes, as RFC 4122 orders them.
  public let uuid: UUID

  /// A new, random name.
  public init() { self.init(uuid: UUID()) }

  public init(uuid: UUID) { self.uuid = uuid }

  /// Reads the form that ``description`` gives; nil when `text` is not a UUID.
  public init?(_ text: some StringProtocol) {
    guard let uuid = UUID(uuidString: String(text)) else { return nil }
    self.uuid = uuid
  }

  public var description: String { uuid.uuidString }

  public init(from decoder: any Decoder) throws {
    uuid = try decoder.singleValueContainer().decode(UUID.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuid)
  }
}
