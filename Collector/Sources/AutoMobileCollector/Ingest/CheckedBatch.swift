import AutoMobileJournal
import NIOCore

/// A delivery whose form has been checked: a header line and whole records, as the ingest log keeps it.
struct CheckedBatch: Sendable {
  var launch: LaunchID
  /// The app that it comes from, as far as it says so.
  var bundleId: String?
  /// Header line and records; what is written to the log.
  var body: ByteBuffer
  /// Records that are events.
  var events = 0
  /// Of all kinds: each gets a number of its own in the log.
  var records: Int
  var hasLedger = false
  /// Where its records stand, as far as the sender's own journal says so.
  var positions = PositionRuns()
  /// Events of the envelope that were not taken, with the reason.
  var rejected: [Rejection] = []

  struct Rejection: Sendable, Equatable {
    /// The event's own number, when it has one.
    var sequence: UInt64?
    /// Its place in the batch.
    var index: Int
    var reason: String
  }
}

extension CheckedBatch {
  /// SQLite's integers are signed.
  static let maximumPosition = UInt64(Int64.max)

  /// Checks a body in the raw journal format: header line, frames, positions, checksums. The events' JSON is not looked
  /// at; that is the indexer's work.
  ///
  /// - Throws: ``BatchFormatError``.
  /// - Complexity: one pass over the bytes, no allocation but the header's and one for each piece of the journal.
  init(raw body: ByteBuffer) throws {
    self.body = body
    (launch, bundleId, hasLedger, events, records, positions) = try body.withUnsafeReadableBytes { bytes in
      let (header, start) = try BatchHeader.split(bytes)
      guard header.to <= Self.maximumPosition else {
        throw BatchFormatError(offset: 0, message: "positions beyond \(Self.maximumPosition) are not supported")
      }
      let codec = RecordCodec(launch: header.launchId)
      var offset = start
      var events = 0
      var records = 0
      var positions = PositionRuns()
      var last: UInt64?
      while offset < bytes.count {
        switch codec.parse(bytes, at: offset) {
        case .record(let kind, let position, _, let next):
          if let last, position <= last {
            throw BatchFormatError(offset: offset, message: "position \(position) follows \(last): they must increase")
          }
          guard position >= header.from, position < header.to else {
            throw BatchFormatError(
              offset: offset,
              message: "position \(position) is outside the header's range \(header.from)..<\(header.to)")
          }
          last = position
          records += 1
          positions.add(position, to: position + UInt64(next - offset))
          if kind == .event || kind == .eventAndBreadcrumb { events += 1 }
          offset = next
        case .free:
          throw BatchFormatError(offset: offset, message: "expected a record, found the body's end or empty space")
        case .claimed:
          throw BatchFormatError(offset: offset, message: "a record that is not whole must not be sent")
        case .damaged(let reason):
          throw BatchFormatError(offset: offset, message: "the record is damaged (\(reason))")
        }
      }
      return (header.launchId, header.bundleId, header.ledger != nil, events, records, positions)
    }
  }
}
