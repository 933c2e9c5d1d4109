import AutoMobileJournal
import AutoMobileSupport

/// How much memory a session had, by the state records that are in its launch's journal anyway: the system is asked every ten seconds in
/// the foreground, and a record written when that has changed by an eighth of the limit, and each minute. In bytes.
struct SessionMemory: Sendable, Equatable {
  /// The most that the process used; nil: nobody knows.
  var peak: Int64?
  /// The least that was left to it before the system would have ended it; nil where the system has no such limit.
  var left: Int64?

  init() {}

  /// - Parameter state: a state record. Where it says nothing of memory, nothing is known.
  init(state: UnsafeRawBufferPointer) {
    let record = EventBytes(state)
    func bytes(_ path: [UInt8]) -> Int64? {
      record.value(at: path).flatMap(record.integer).flatMap { $0 > 0 ? $0 : nil }
    }
    peak = bytes(Self.footprint)
    guard let peak, let limit = bytes(Self.limit) else { return }
    left = max(0, limit.subtractingReportingOverflow(peak).partialValue)
  }

  mutating func add(_ other: SessionMemory) {
    peak = [peak, other.peak].compactMap(\.self).max()
    left = [left, other.left].compactMap(\.self).min()
  }

  private static let footprint = Array("memory.footprint".utf8)
  private static let limit = Array("memory.limit".utf8)
}

extension LaunchNote {
  /// What a state record says holds for the session in which it was written, and for one that begins before the next.
  mutating func add(_ seen: SessionMemory) {
    memory = seen
    if let last = sessions.indices.last { sessions[last].memory.add(seen) }
  }
}

extension SessionMemory: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    peak = members.value("peak")
    left = members.value("left")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("peak", peak)
    members.add("left", left)
    try members.end()
  }
}
