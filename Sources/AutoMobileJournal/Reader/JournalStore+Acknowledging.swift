import Foundation

// Counting what has been delivered or given up, and removing the files that are done.
extension JournalStore {
  func commit(_ account: Account, of launch: StoredLaunch) {
    launch.ledger.commit(account)
    if launch.isOwn { published.ledger.account = launch.ledger.account }
  }

  func acknowledge(_ launch: StoredLaunch, upTo end: UInt64) {
    guard var flight = launch.flight, flight.from == launch.ledger.account.acknowledged else { return }
    let end = min(end, flight.to)
    var account = launch.ledger.account
    guard end > account.acknowledged else { return }
    for position in flight.counted where position < end {
      if let reason = launch.rejections[position] {
        account.losses[reason] &+= 1
      } else {
        account.delivered &+= 1
      }
    }
    for passed in flight.passed where passed.position < end {
      account.torn = account.torn.adding(saturating: passed.torn)
      account.losses[.corrupt] = account.losses[.corrupt].adding(saturating: passed.corrupt)
      account.unreadable = account.unreadable.adding(saturating: passed.unreadable)
    }
    account.acknowledged = end
    launch.rejections = launch.rejections.filter { $0.key >= end }
    if end == flight.to {
      launch.flight = nil
    } else {
      flight.from = end
      flight.counted.removeAll { $0 < end }
      flight.passed.removeAll { $0.position < end }
      launch.flight = flight
    }
    commit(account, of: launch)
    sweep(launch)
  }

  /// Removes the segments that have been acknowledged, but for those that hold the last retained records.
  func sweep(_ launch: StoredLaunch) {
    for index in launch.indices where launch.isAcknowledged(index) && (!launch.isOwn || index < ring.current) {
      if launch.retained.contains(where: { $0.index == index }) { continue }
      let counts = retainedCounts(inSegment: index, of: launch)
      if counts.allSatisfy({ $0 == 0 }) {
        remove(index, of: launch)
      } else {
        launch.retained.append((index, counts))
      }
    }
    // A segment goes when the newer ones hold enough of all that is in it.
    for segment in launch.retained {
      let newer = launch.retained.filter { $0.index > segment.index }
      let isNeeded = zip(options.retained, segment.counts).enumerated().contains { number, retained in
        retained.1 > 0 && newer.reduce(0) { $0 + $1.counts[number] } < retained.0.count
      }
      if !isNeeded { remove(segment.index, of: launch) }
    }
  }

  /// How many records of each retained set a segment holds, as far as that matters.
  private func retainedCounts(inSegment index: UInt64, of launch: StoredLaunch) -> [Int] {
    var counts = [Int](repeating: 0, count: options.retained.count)
    guard !counts.isEmpty else { return counts }
    let opened = withRecords(of: launch, index) { bytes, writers -> [Int] in
      var walker = SegmentWalker(
        codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index), from: 0, writers: writers)
      while zip(counts, options.retained).contains(where: { $0 < $1.count }) {
        switch walker.next() {
        case .end, .unpublished: return counts
        case .torn, .damaged: continue
        case .record(let kind, _, _):
          for (number, retained) in options.retained.enumerated() where retained.kinds.contains(kind) {
            counts[number] += 1
          }
        }
      }
      return counts
    }
    if case .records(let counts) = opened { return counts }
    return counts
  }

  func remove(_ index: UInt64, of launch: StoredLaunch) {
    let name = JournalFileName.segment(launch.id, index: index)
    if launch.isOwn {
      let file = volatile.contains(index) ? nil : try? directory.open(name, O_RDWR)
      ring.release(index, file: file)
      file?.close()
      volatile.remove(index)
    }
    directory.remove(name)
    launch.segments[index] = nil
    launch.retained.removeAll { $0.index == index }
    if cached?.launch == launch.id, cached?.index == index { cached = nil }
  }

  /// The launch's final ledger has been delivered: only what is retained stays, until a launch after this one.
  func finish(_ launch: StoredLaunch) {
    guard !launch.isOwn, isResolved(launch) else { return }
    var account = launch.ledger.account
    account.finisher = own.id
    commit(account, of: launch)
    let retained = Set(launch.retained.map(\.index))
    for index in launch.indices where !retained.contains(index) { remove(index, of: launch) }
    launch.keeping.remove()
    if launch.segments.isEmpty {
      directory.remove(launch.ledgerName)
      launches[launch.id] = nil
    }
  }
}
