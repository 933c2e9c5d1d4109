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
  /// What is known of what was sent ahead of the cursor.
  let keeping: KeepingFile
  /// What was read ahead of it, and not acknowledged.
  var ahead: AheadFlight?
  /// The cursor may have something to pass that has been sent ahead of it.
  var hasNewsToPass = true
  /// What is to be sent, sorted and disjoint; nil as long as nobody has looked.
  var wanted: [Range<UInt64>]?

  init(
    id: LaunchID, isOwn: Bool, created: Int64, segmentSize: Int, ledger: LedgerFile, ledgerName: JournalFileName,
    keeping: KeepingFile
  ) {
    self.id = id
    self.isOwn = isOwn
    self.created = created
    self.segmentSize = segmentSize
    self.ledger = ledger
    self.ledgerName = ledgerName
    self.keeping = keeping
  }

  /// Bytes for records in each segment.
  var capacity: UInt64 { UInt64(max(8, segmentSize - SegmentRing.header)) }

  var indices: [UInt64] { segments.keys }

  func base(of index: UInt64) -> UInt64 { index &* capacity }

  /// The position after a segment.
  func end(of index: UInt64) -> UInt64 { (index &+ 1) &* capacity }

  /// The positions in a segment.
  func range(of index: UInt64) -> Range<UInt64> {
    let base = base(of: index)
    // bounded: a segment has room for something.
    return base..<max(base &+ 1, end(of: index))
  }

  /// Something in the segment is to be sent, and has not been; or may have to be: it is an earlier launch's, and nobody has looked yet
  /// who has noted something of it, or says what is kept.
  func isWanted(_ index: UInt64, isKeeping: Bool) -> Bool {
    guard let wanted else { return !isOwn && (isKeeping || keeping.isOnDisk) }
    let range = range(of: index)
    return keeping.sent.missing(of: wanted).contains { $0.overlaps(range) }
  }

  /// It is an earlier one, something of it may have to be sent, and nobody has looked yet. At one that is finished nobody
  /// will.
  func isUnseen(isKeeping: Bool) -> Bool {
    wanted == nil && !isOwn && ledger.account.finisher == nil && (isKeeping || keeping.isOnDisk)
  }

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
  /// - Parameters:
  ///   - sent: what a receiver has already is passed over.
  ///   - copying: whether the records themselves are wanted, and not only their positions.
  /// - Returns: whether the walker came to the end.
  mutating func collect(
    from walker: inout SegmentWalker, counted kinds: RecordKinds, sent: SentRanges, maximumBytes: Int = .max,
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
      case .record(_, let position, _) where !sent.isEmpty && sent.contains(position): continue
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

  mutating func pass(_ range: Range<Int>, in walker: SegmentWalker, torn: UInt64, corrupt: UInt64) {
    let most = UInt64(clamping: range.count / max(1, RecordHeader.size))
    passed.append((walker.base &+ UInt64(clamping: range.lowerBound), torn, corrupt, most))
  }
}
