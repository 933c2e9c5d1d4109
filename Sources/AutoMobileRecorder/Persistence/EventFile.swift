import AutoMobileSupport
import Foundation

/// A batch of events as AutoMobile's own SDK keeps it: `events_<milliseconds>_<id>.json`, an array of
/// `{"eventType": "…", "payload": "<the event's own JSON, in base64>"}`.
struct EventFile: Equatable {
  /// Milliseconds since 1970, or one more than the batch before when the clock went back.
  let stamp: Int64
  let id: String

  /// One event in a file.
  struct Entry: Codable, Equatable {
    var eventType: String
    var payload: Data
  }

  private static let prefix = "events_"
  private static let suffix = ".json"
  /// In bytes. Larger files were not written by such an SDK, and are not read: their batches have 50 events, and of a body 32 KiB.
  static let maximumSize = 8 * 1024 * 1024

  init(stamp: Int64, id: String = UUID().uuidString) {
    self.stamp = max(0, stamp)
    self.id = id
  }

  /// Reads a file's name; nil when it is not one of these.
  init?(name: some StringProtocol) {
    guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
    self.init(batchId: name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
  }

  /// Reads the part of a name that is the batch's id; nil when it cannot be one.
  init?(batchId: some StringProtocol) {
    let parts = batchId.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, (1...18).contains(parts[0].utf8.count), (1...64).contains(parts[1].utf8.count),
      parts[0].utf8.allSatisfy({ (48...57).contains($0) }), let stamp = Int64(parts[0]),
      // Nothing that could lead out of the directory.
      parts[1].utf8.allSatisfy(Self.isPlain)
    else { return nil }
    self.stamp = stamp
    id = String(parts[1])
  }

  /// A letter, a digit or a hyphen.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
  }

  /// What ``FileEventPersistence`` calls the batch.
  var batchId: String { "\(stamp)_\(id)" }

  var name: String { Self.prefix + batchId + Self.suffix }

  /// Oldest first.
  static func isOlder(_ one: EventFile, _ other: EventFile) -> Bool { (one.stamp, one.id) < (other.stamp, other.id) }

  static func encode(_ entries: [Entry]) -> Data? {
    guard let data = try? JSONEncoder().encode(entries), data.count <= maximumSize else { return nil }
    return data
  }

  /// Nil when the bytes are no such file.
  static func decode(_ data: Data) -> [Entry]? {
    guard let entries = try? JSONDecoder().decode([Entry].self, from: data), !entries.isEmpty else { return nil }
    return entries
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension EventFile.Entry {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType")
    payload = members.value("payload", or: Data())
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("payload", payload)
    try members.end()
  }
}
