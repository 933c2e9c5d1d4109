import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// What is written down beside a session that is over and stays on the device, so that nobody has to open its journal to see whether
/// anything of it is wanted.
struct KeptSession: Sendable, Equatable {
  static let format = 1
  static let maximumSize = 1 << 20

  /// Who recorded it, or finishes it.
  var owner: String
  var record: SessionRecord
  /// Its end, in milliseconds since 1970 by its own clock.
  var endedAt: Int64
  /// The times of it that have been sent, by its own clock.
  var sent: [ClosedRange<Int64>] = []
  /// The collector knows that it is over.
  var hasToldEnd = false

  /// Where it is written, in the session's directory.
  private static let name = "kept.json"

  // bounded: no greater than the greater of both.
  var time: ClosedRange<Int64> { record.startedAt...max(record.startedAt, endedAt) }

  /// Whether something of it is to be sent that has not been.
  func isWanted(_ mayGo: MayGo) -> Bool {
    mayGo.clamped(to: time).contains { wanted in
      !sent.contains { $0.lowerBound <= wanted.lowerBound && wanted.upperBound <= $0.upperBound }
    }
  }

  static func read(_ directory: SessionDirectory) -> KeptSession? {
    guard let file = try? FileHandle(forReadingFrom: directory.url.appendingPathComponent(name)) else { return nil }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: maximumSize + 1), bytes.count <= maximumSize,
      let kept = try? JSONDecoder().decode(KeptSession.self, from: bytes), kept.record.id == directory.id
    else { return nil }
    return kept
  }

  /// What cannot be written is found out again.
  func write(_ directory: SessionDirectory) {
    try? JSONEncoder().encode(self).writeProtected(to: directory.url.appendingPathComponent(Self.name))
  }
}

extension ReplayEnding {
  /// When the session ended, as far as anything of it goes.
  func time(of session: SessionRecord, _ directory: SessionDirectory) -> Int64 {
    max(session.startedAt, endedAt, closeAnchorAt, directory.frameFiles().last?.timestamp ?? 0)
  }
}

extension SessionDirectory {
  private var announcement: URL { url.appendingPathComponent("announced", isDirectory: false) }

  /// Whether the collector may have heard of the session.
  var isAnnounced: Bool { FileManager.default.fileExists(atPath: announcement.path) }

  /// Before anything of it is sent: also whoever finds it after a kill is to tell its end.
  func announce() {
    if !isAnnounced { try? Data().writeProtected(to: announcement) }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension KeptSession: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    let format: Int = members.value("format")
    guard format == Self.format else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "format \(format) is not known"))
    }
    owner = members.value("owner")
    record = members.value("record", or: SessionRecord(id: "", startedAt: 0, isTelemetryOnly: false))
    endedAt = members.value("endedAt")
    let sent: [TimeSpan] = members.value("sent", or: [])
    // bounded: no greater than the greater of both.
    self.sent = sent.map { $0.from...max($0.from, $0.to) }
    hasToldEnd = members.value("hasToldEnd")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("format", Self.format)
    members.add("owner", owner)
    members.add("record", record)
    members.add("endedAt", endedAt)
    members.add("sent", sent.map { TimeSpan(from: $0.lowerBound, to: $0.upperBound) })
    members.add("hasToldEnd", hasToldEnd)
    try members.end()
  }
}

private struct TimeSpan: Codable {
  var from: Int64
  var to: Int64

  init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }

  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    from = members.value("from")
    to = members.value("to")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("from", from)
    members.add("to", to)
    try members.end()
  }
}
