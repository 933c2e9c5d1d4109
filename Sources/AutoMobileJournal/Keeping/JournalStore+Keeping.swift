import Foundation

// Sending ahead of the cursor, and keeping what is not sent.
extension JournalStore {
  func setKeeping(days: Double?) {
    keepDays = days.map { max(0, $0) }
    let before = published.ledger
    guard before.isKeeping != isKeeping else { return }
    published.ledger.isKeeping = isKeeping
  }

  var isKeeping: Bool { keepDays != nil }

  func readAhead(
    _ launch: StoredLaunch, in ranges: [Range<UInt64>], maximumBytes: Int, maximumRecords: Int, isUrgent: Bool
  ) -> AheadRead {
    launch.ahead = nil
    let known = launch.keeping.sent
    let start = launch.ledger.account.acknowledged
    let missing = known.missing(of: ranges).filter { $0.upperBound > start }
    guard known.hasRoom(isUrgent: isUrgent) else { return missing.isEmpty ? .nothing : .later }
    var flight = AheadFlight()
    for range in missing {
      let goesOn = collectAhead(
        launch, from: max(start, range.lowerBound), to: range.upperBound, into: &flight, maximumBytes: maximumBytes,
        maximumRecords: max(1, maximumRecords))
      guard goesOn else { break }
    }
    guard let first = flight.records.first, let end = flight.ranges.last?.upperBound else {
      return flight.isHeldUp ? .later : .nothing
    }
    launch.ahead = flight
    return .chunk(
      JournalChunk(
        launch: launch.id, from: first.position, to: end, bytes: flight.bytes, records: flight.records,
        eventCount: flight.counted.count))
  }

  /// - Returns: false when a limit has been reached.
  private func collectAhead(
    _ launch: StoredLaunch, from start: UInt64, to end: UInt64, into flight: inout AheadFlight, maximumBytes: Int,
    maximumRecords: Int
  ) -> Bool {
    var position = start
    while position < end, let index = nextSegment(of: launch, at: position) {
      position = max(position, launch.base(of: index))
      guard position < end else { return true }
      let opened = withRecords(of: launch, index) { bytes, writers -> (next: UInt64?, goesOn: Bool) in
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index),
          from: Int(clamping: position &- launch.base(of: index)), writers: writers)
        return flight.collect(
          from: &walker, to: end, counted: options.counted, maximumBytes: maximumBytes, maximumRecords: maximumRecords)
      }
      switch opened {
      case .records(let found):
        guard found.goesOn else { return false }
        // A writer is at work there.
        if found.next == nil { flight.isHeldUp = true }
      case .unreadable: flight.isHeldUp = true
      case .missing:
        launch.segments[index] = nil
        launch.hasNewsToPass = true
      }
      position = launch.end(of: index)
    }
    return true
  }

  /// The first segment that has, or may have, something at a position or after it.
  private func nextSegment(of launch: StoredLaunch, at position: UInt64) -> UInt64? {
    let index = position / max(1, launch.capacity)
    if launch.segments[index] != nil || (launch.isOwn && volatile.contains(index)) {
      return launch.isOwn && index > ring.current ? nil : index
    }
    return launch.indices.first { $0 > index && (!launch.isOwn || $0 <= ring.current) }
  }

  func acknowledgeAhead(_ launch: StoredLaunch, upTo end: UInt64) {
    guard let flight = launch.ahead else { return }
    launch.ahead = nil
    var record = SentRecord()
    for range in flight.ranges where range.lowerBound < end {
      // bounded: compared just before, and a range is not empty.
      record.ranges.append(range.lowerBound..<min(range.upperBound, end))
    }
    guard !record.ranges.isEmpty else { return }
    for position in flight.counted where position < end {
      if launch.rejections.removeValue(forKey: position) != nil {
        record.counts.rejected &+= 1
      } else {
        record.counts.delivered &+= 1
      }
    }
    launch.hasNewsToPass = true
    launch.keeping.add(
      record, acknowledged: launch.ledger.account.acknowledged, isKept: isDurable && !isParked)
    if launch.isOwn { published.ledger.ahead = launch.keeping.counts }
  }

  /// Moves the cursor past what has been sent, and past what nobody is sent: up to the first event that is kept.
  func passSent(_ launch: StoredLaunch) {
    // Whoever sends asks often, and a look reads a segment.
    guard launch.hasNewsToPass else { return }
    launch.hasNewsToPass = false
    while true {
      let start = launch.ledger.account.acknowledged
      let index = start / max(1, launch.capacity)
      launch.flight = nil
      guard launch.segments[index] != nil else {
        guard skipMissing(launch, from: index) else { return }
        continue
      }
      let opened = withRecords(of: launch, index) { bytes, writers -> (flight: Flight, isOver: Bool) in
        var flight = Flight(from: start, to: start)
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index),
          from: Int(clamping: start % max(1, launch.capacity)), writers: writers)
        let isOver = flight.pass(launch.keeping.sent, walker: &walker, counted: options.counted)
        flight.to = isOver ? launch.end(of: index) : walker.base &+ UInt64(clamping: walker.offset)
        return (flight, isOver)
      }
      switch opened {
      case .unreadable:
        launch.hasNewsToPass = true
        return
      case .missing: launch.segments[index] = nil
      case .records(let found):
        guard found.flight.to > start else { return }
        launch.flight = found.flight
        acknowledge(launch, upTo: found.flight.to)
        guard found.isOver else { return }
      }
    }
  }

  func walk(
    _ launch: StoredLaunch, from start: UInt64, maximumBytes: Int,
    _ body: (RecordKind, UInt64, UInt64, UnsafeRawBufferPointer) -> Void
  ) -> (next: UInt64, isEnd: Bool, isHeldUp: Bool) {
    var position = start
    var size = 0
    while size < maximumBytes {
      guard let index = nextSegment(of: launch, at: position) else { return (position, true, false) }
      position = max(position, launch.base(of: index))
      let base = launch.base(of: index)
      let opened = withRecords(of: launch, index) { bytes, writers -> Bool in
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: base, from: Int(clamping: position &- base),
          writers: writers)
        while size < maximumBytes {
          switch walker.next() {
          case .unpublished: return true
          case .end:
            let isFull = writers == .gone || walker.offset > Int(clamping: launch.capacity) &- RecordHeader.size
            if isFull { position = launch.end(of: index) }
            return !isFull
          case .torn, .damaged: break
          case .record(let kind, let at, let payload):
            body(
              kind, at, base &+ UInt64(clamping: walker.offset), UnsafeRawBufferPointer(rebasing: bytes[payload]))
            size += RecordHeader.size + payload.count
          }
          position = base &+ UInt64(clamping: walker.offset)
        }
        return false
      }
      switch opened {
      case .records(let isEnd): if isEnd { return (position, true, false) }
      case .missing: position = launch.end(of: index)
      case .unreadable: return (position, true, true)
      }
    }
    return (position, false, false)
  }

  func positionAfterLast(
    of launch: StoredLaunch, from start: UInt64, before end: UInt64,
    where matches: (RecordKind, UnsafeRawBufferPointer) -> Bool
  ) -> UInt64 {
    for index in launch.indices.reversed()
    where launch.base(of: index) < end && launch.end(of: index) > start && (!launch.isOwn || index <= ring.current) {
      let opened = withRecords(of: launch, index) { bytes, writers -> UInt64? in
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index),
          from: Int(clamping: start.subtracting(saturating: launch.base(of: index))),
          writers: writers == .gone ? .gone : .passedOver)
        var found: UInt64?
        while true {
          switch walker.next() {
          case .end, .unpublished: return found
          case .torn, .damaged: break
          case .record(let kind, let position, let payload):
            guard position < end else { return found }
            if matches(kind, UnsafeRawBufferPointer(rebasing: bytes[payload])) {
              found = launch.base(of: index) &+ UInt64(clamping: walker.offset)
            }
          }
        }
      }
      if case .records(let found?) = opened { return found }
    }
    return start
  }
}
