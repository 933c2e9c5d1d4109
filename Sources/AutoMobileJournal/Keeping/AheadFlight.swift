/// What was read from a launch ahead of its cursor in one go.
struct AheadFlight {
  /// The stretches of the journal that it covers, in order.
  var ranges: [Range<UInt64>] = []
  var bytes: [UInt8] = []
  var records: [JournalChunk.Record] = []
  /// The positions of the records that the ledger counts.
  var counted: [UInt64] = []
  /// There is something that could not be read now.
  var isHeldUp = false

  /// Takes records from a walker up to a position, or until a limit is reached. Always takes the first of all.
  ///
  /// - Returns: where the walker has come to, nil when it waits for a writer; and whether there is room for more.
  mutating func collect(
    from walker: inout SegmentWalker, to end: UInt64, counted kinds: RecordKinds, maximumBytes: Int,
    maximumRecords: Int
  ) -> (next: UInt64?, goesOn: Bool) {
    // Whether the record before this one is the last of `ranges`.
    var isAdjacent = ranges.last?.upperBound == walker.base &+ UInt64(clamping: walker.offset)
    while true {
      switch walker.next() {
      case .end: return (walker.base &+ UInt64(clamping: walker.offset), true)
      case .unpublished: return (nil, true)
      // Counted when the cursor passes it, or its segment goes.
      case .torn, .damaged: isAdjacent = false
      case .record(let kind, let position, let payload):
        guard position < end else { return (position, true) }
        let start = payload.lowerBound - RecordHeader.size
        let size = RecordHeader.stride(payload: payload.count)
        if !records.isEmpty, bytes.count + size > maximumBytes || records.count >= maximumRecords {
          return (position, false)
        }
        let moved = bytes.count + RecordHeader.size
        records.append(
          .init(offset: bytes.count, position: position, kind: kind, payload: moved..<moved + payload.count))
        bytes.append(contentsOf: walker.bytes[start..<start + size])
        if kinds.contains(kind) { counted.append(position) }
        let next = walker.base &+ UInt64(clamping: walker.offset)
        // bounded: a record is no shorter than its header.
        let range = position..<max(position &+ 1, next)
        if isAdjacent, let last = ranges.indices.last {
          // bounded: the last range ends where this one begins.
          ranges[last] = ranges[last].lowerBound..<range.upperBound
        } else {
          ranges.append(range)
        }
        isAdjacent = true
      }
    }
  }

  /// Whether a segment holds something of it.
  func overlaps(_ range: Range<UInt64>) -> Bool { ranges.contains { $0.overlaps(range) } }
}

extension Flight {
  /// Goes past what has been sent and what is not counted, and counts the holes.
  ///
  /// - Returns: whether the walker came to the end; else it stands before the first event that is kept.
  mutating func pass(_ sent: SentRanges, walker: inout SegmentWalker, counted kinds: RecordKinds) -> Bool {
    while true {
      let before = walker
      switch walker.next() {
      case .end: return true
      case .unpublished: return false
      case .torn(let range, let kind):
        pass(range, in: walker, torn: kind.map(kinds.contains) ?? true ? 1 : 0, corrupt: 0)
      case .damaged(let range, let kind):
        pass(range, in: walker, torn: 0, corrupt: kind.map(kinds.contains) ?? true ? 1 : 0)
      case .record(let kind, let position, _):
        if kinds.contains(kind), !sent.contains(position) {
          walker = before
          return false
        }
      }
    }
  }
}
