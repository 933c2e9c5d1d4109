import CAutoMobile

/// One launch as its files tell it, and what this process is doing with it. Used under the journal's lock.
final class StoredLaunch {
  let id: LaunchID
  let isOwn: Bool
  let created: Int64
  let segmentSize: Int
  var ledger: LedgerFile
  var ledgerName: JournalFileName
  /// The sizes of the files by index, in bytes. A launch's own spares are among them.
  var segments = SegmentSizes()
  /// What has been handed out and not acknowledged.
  var flight: Flight?
  /// Records that will not count as delivered when they are acknowledged.
  var rejections: [UInt64: LossReason] = [:]
  /// Acknowledged segments that are kept, with how many records of each retained set are in them; oldest first.
  var retained: [(index: UInt64, counts: [Int])] = []

  init(
    id: LaunchID, isOwn: Bool, created: Int64, segmentSize: Int, ledger: LedgerFile, ledgerName: JournalFileName
  ) {
    self.id = id
    self.isOwn = isOwn
    self.created = created
    self.segmentSize = segmentSize
    self.ledger = ledger
    self.ledgerName = ledgerName
  }

  /// Bytes for records in each segment.
  var capacity: UInt64 { UInt64(max(8, segmentSize - SegmentRing.header)) }

  var indices: [UInt64] { segments.keys }

  func base(of index: UInt64) -> UInt64 { index &* capacity }

  /// The position after a segment.
  func end(of index: UInt64) -> UInt64 { (index &+ 1) &* capacity }

  /// All of the segment has been acknowledged, or counted as lost.
  func isAcknowledged(_ index: UInt64) -> Bool { end(of: index) <= ledger.account.acknowledged }
}

/// What was read from a launch in one go: the chunk's records, and what was passed over between them.
struct Flight {
  var from: UInt64
  var to: UInt64
  var bytes: [UInt8] = []
  var records: [JournalChunk.Record] = []
  /// The positions of the records that the ledger counts.
  var counted: [UInt64] = []
  var passed: [(position: UInt64, torn: UInt64, corrupt: UInt64, unreadable: UInt64)] = []

  /// Takes records from a walker until a limit is reached. Always takes the first.
  ///
  /// - Parameter copying: whether the records themselves are wanted, and not only their positions.
  /// - Returns: whether the walker came to the end.
  mutating func collect(
    from walker: inout SegmentWalker, counted kinds: RecordKinds, maximumBytes: Int = .max,
    maximumRecords: Int = .max, copying: Bool = true
  ) -> Bool {
    while true {
      let before = walker
      switch walker.next() {
      case .end: return true
      case .unpublished: return false
      case .torn(let range, let kind):
        let torn: UInt64 = kind.map(kinds.contains) ?? true ? 1 : 0
        pass(range, in: walker, torn: torn, corrupt: 0)
      case .damaged(let range, let kind):
        pass(range, in: walker, torn: 0, corrupt: kind.map(kinds.contains) ?? true ? 1 : 0)
      case .record(let kind, let position, _) where !copying:
        if kinds.contains(kind) { counted.append(position) }
      case .record(let kind, let position, let payload):
        let start = payload.lowerBound - RecordHeader.size
        let size = RecordHeader.stride(payload: payload.count)
        if !records.isEmpty, bytes.count + size > maximumBytes || records.count >= maximumRecords {
          walker = before
          return false
        }
        let moved = bytes.count + RecordHeader.size
        records.append(
          .init(offset: bytes.count, position: position, kind: kind, payload: moved..<moved + payload.count))
        bytes.append(contentsOf: walker.bytes[start..<start + size])
        if kinds.contains(kind) { counted.append(position) }
      }
    }
  }

  private mutating func pass(_ range: Range<Int>, in walker: SegmentWalker, torn: UInt64, corrupt: UInt64) {
    let most = UInt64(clamping: range.count / max(1, RecordHeader.size))
    passed.append((walker.base &+ UInt64(clamping: range.lowerBound), torn, corrupt, most))
  }
}
