import Foundation

/// What is uploaded at once.
struct Segment: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    /// Frame records one after the other, the first a key frame, or what follows in another part.
    case screenshots
    /// Lines of JSON, a snapshot each.
    case hierarchy
    /// Lines of JSON, an event each.
    case events
  }

  var sessionId: String
  var kind: Kind
  /// In milliseconds since 1970.
  var startTime: Int64
  var endTime: Int64
  /// Frames or lines.
  var count: Int
  /// Not compressed.
  var content: Data
  /// The id of the segment that this is a further part of; nil for its first part.
  var continues: String?

  /// Hex SHA-256 of ``content``.
  var contentHash: String { SHA256.hex(content) }

  /// The same for the same content, in whatever process it is made: so a retry is recognised.
  var id: String { Self.id(sessionId, kind, startTime, endTime, contentHash) }

  static func id(_ session: String, _ kind: Kind, _ start: Int64, _ end: Int64, _ contentHash: String) -> String {
    String(SHA256.hex("\(session)|\(kind.rawValue)|\(start)|\(end)|\(contentHash)").prefix(32))
  }

  /// Both halves of a segment of lines that is too large; nil when it cannot be cut.
  var halves: (Segment, Segment)? {
    guard kind != .screenshots, count > 1 else { return nil }
    let lines = content.split(separator: 0x0A)
    guard lines.count > 1 else { return nil }
    let middle = lines.count / 2
    func part(_ lines: ArraySlice<Data.SubSequence>) -> Segment {
      var part = self
      part.count = lines.count
      part.content = Data(lines.joined(separator: [0x0A])) + [0x0A]
      return part
    }
    return (part(lines[..<middle]), part(lines[middle...]))
  }
}
