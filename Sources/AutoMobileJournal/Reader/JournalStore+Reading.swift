import Foundation

// Handing out what has not been acknowledged.
extension JournalStore {
  enum Opened<Result> {
    case records(Result)
    /// The file is gone.
    case missing
    /// The file cannot be read now; it is kept.
    case unreadable
  }

  /// Calls `body` with a segment's record area, as far as it may be read, and with what its writers may still do.
  func withRecords<Result>(
    of launch: StoredLaunch, _ index: UInt64, _ body: (UnsafeRawBufferPointer, SegmentWalker.Writers) -> Result
  ) -> Opened<Result> {
    if launch.isOwn, let records = ring.records(index) {
      guard index <= ring.current else { return .missing }
      ring.seal()
      return .records(body(UnsafeRawBufferPointer(rebasing: records[..<ring.reserved(index)]), .waitedFor))
    }
    if let cached, cached.launch == launch.id, cached.index == index {
      return .records(cached.bytes.withUnsafeBytes { body($0, .gone) })
    }
    do {
      let file = try directory.open(.segment(launch.id, index: index))
      defer { file.close() }
      let size = min(max(0, file.size - SegmentRing.header), Int(clamping: launch.capacity))
      let bytes = file.read(at: SegmentRing.header, count: size)
      cached = (launch.id, index, bytes)
      return .records(bytes.withUnsafeBytes { body($0, .gone) })
    } catch {
      return error.code == ENOENT || error.code == ELOOP ? .missing : .unreadable
    }
  }

  func read(_ launch: StoredLaunch, maximumBytes: Int, maximumRecords: Int) -> JournalChunk? {
    while true {
      let account = launch.ledger.account
      let start = account.acknowledged
      let index = start / max(1, launch.capacity)
      if launch.isOwn, index > ring.current { return nil }
      launch.flight = nil
      guard launch.isOwn || launch.segments[index] != nil else {
        guard skipMissing(launch, from: index) else { return nil }
        continue
      }
      let opened = withRecords(of: launch, index) { bytes, writers -> Flight in
        var flight = Flight(from: start, to: start)
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index),
          from: Int(clamping: start % max(1, launch.capacity)), writers: writers)
        let atEnd = flight.collect(
          from: &walker, counted: options.counted, sent: launch.keeping.sent, maximumBytes: maximumBytes,
          maximumRecords: maximumRecords)
        let isFull = walker.offset > Int(clamping: launch.capacity) &- RecordHeader.size
        flight.to =
          atEnd && (writers == .gone || isFull)
          ? launch.end(of: index) : max(start, walker.base &+ UInt64(clamping: walker.offset))
        return flight
      }
      switch opened {
      case .unreadable: return nil
      case .missing:
        launch.segments[index] = nil
        guard skipMissing(launch, from: index) else { return nil }
      case .records(let flight):
        if !flight.records.isEmpty {
          launch.flight = flight
          if flight.to > account.handedOut {
            var account = account
            account.handedOut = flight.to
            commit(account, of: launch)
          }
          return JournalChunk(
            launch: launch.id, from: flight.from, to: flight.to, bytes: flight.bytes, records: flight.records,
            eventCount: flight.counted.count)
        }
        guard flight.to > start else { return nil }
        // Nothing but holes: they need no answer from anybody.
        launch.flight = flight
        acknowledge(launch, upTo: flight.to)
      }
    }
  }

  /// Passes over segments that are gone, up to the next that is there.
  ///
  /// - Returns: false when there is none.
  func skipMissing(_ launch: StoredLaunch, from index: UInt64) -> Bool {
    var account = launch.ledger.account
    let last = launch.isOwn ? ring.current : max(account.carried.lastSegment, launch.ledger.counts.lastSegment)
    let next = launch.indices.first { $0 > index } ?? (launch.isOwn ? ring.current : nil)
    let end = next ?? last.adding(saturating: 1)
    guard end > index else { return false }
    let gone = (end &- index).multipliedReportingOverflow(
      by: launch.capacity / max(1, UInt64(clamping: RecordHeader.size)))
    account.missing = account.missing.adding(saturating: gone.overflow ? .max : gone.partialValue)
    // Beyond 2^63 nothing can stand: positions end there.
    account.acknowledged =
      min(end.multipliedReportingOverflow(by: launch.capacity).overflow ? 0 : end, 1 << 40)
      &* launch.capacity
    guard account.acknowledged > launch.ledger.account.acknowledged else { return false }
    commit(account, of: launch)
    return next != nil
  }

  /// Nothing of a launch that is over is left to read.
  func isResolved(_ launch: StoredLaunch) -> Bool {
    !launch.isOwn && launch.segments.keys.allSatisfy { launch.isAcknowledged($0) }
  }

  /// The last records of some kinds, oldest first, acknowledged or not.
  func lastRecords(of kinds: RecordKinds, limit: Int, in launch: StoredLaunch) -> [JournalRecord] {
    var found: [JournalRecord] = []
    var indices = Set(launch.segments.keys)
    if launch.isOwn { indices.formUnion(volatile) }
    for index in indices.sorted(by: >) where !launch.isOwn || index <= ring.current {
      guard found.count < limit else { break }
      let opened = withRecords(of: launch, index) { bytes, writers -> [JournalRecord] in
        records(of: kinds, in: launch, index, bytes, writers == .gone ? .gone : .passedOver)
      }
      if case .records(let records) = opened { found = records.suffix(limit - found.count) + found }
    }
    return found
  }

  private func records(
    of kinds: RecordKinds, in launch: StoredLaunch, _ index: UInt64, _ bytes: UnsafeRawBufferPointer,
    _ writers: SegmentWalker.Writers
  ) -> [JournalRecord] {
    var walker = SegmentWalker(
      codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index), from: 0, writers: writers)
    var found: [JournalRecord] = []
    while true {
      switch walker.next() {
      case .end, .unpublished: return found
      case .torn, .damaged: continue
      case .record(let kind, let position, let payload):
        guard kinds.contains(kind) else { continue }
        found.append(JournalRecord(position: position, kind: kind, payload: Array(bytes[payload])))
      }
    }
  }
}
