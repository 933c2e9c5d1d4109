import Foundation

// Staying within the budget and the maximum age. Every record that goes is counted.
extension JournalStore {
  /// Oldest first, this launch last.
  var ordered: [StoredLaunch] {
    launches.values.sorted {
      ($0.isOwn ? 1 : 0, $0.created, $0.id.description) < ($1.isOwn ? 1 : 0, $1.created, $1.id.description)
    }
  }

  /// How far the budget may be exceeded until somebody has looked at what earlier launches left, in segments: this
  /// launch's first one and its spares are made before anybody can. No more, for nobody may ever look.
  private static let mostBeforeLook = 3

  /// The most that segments may take now, in bytes.
  private var limit: Int {
    let budget = max(options.budget, 4 * own.segmentSize)
    guard launches.values.contains(where: { $0.isUnseen(isKeeping: isKeeping) }) else { return budget }
    return budget.adding(saturating: Self.mostBeforeLook * own.segmentSize)
  }

  /// Evicts until the budget has room for one more segment.
  ///
  /// - Returns: false when nothing more can go.
  func makeRoom() -> Bool {
    if !isLoaded { load() }
    return evict(downTo: limit - own.segmentSize)
  }

  /// Evicts what stayed beyond the budget as long as nobody had looked at it.
  func trim() {
    guard isLoaded, isDurable else { return }
    _ = evict(downTo: limit)
  }

  private func evict(downTo size: Int) -> Bool {
    while launches.values.reduce(0, { $0 + $1.segments.total }) > size {
      guard evictOldest() else { return false }
    }
    return true
  }

  /// What was handed out before the process died goes only when nothing else can: the receiver may have it, and then it
  /// would count twice, as stored and as evicted. So does what is to be sent first.
  private func evictOldest() -> Bool {
    for isLastResort in [false, true] {
      for launch in ordered {
        for index in launch.indices
        where mayGo(index, of: launch) && (isLastResort || !mayHaveArrived(index, of: launch)) {
          // What is kept without anybody wanting it is meant to go some day.
          let reason: LossReason = isKeeping && !launch.isWanted(index, isKeeping: true) ? .expired : .evicted
          if discard(index, of: launch, as: reason) { return true }
        }
      }
    }
    return false
  }

  private func mayHaveArrived(_ index: UInt64, of launch: StoredLaunch) -> Bool {
    if launch.isWanted(index, isKeeping: isKeeping) { return true }
    let account = launch.ledger.account
    return account.acknowledged < launch.end(of: index) && account.handedOut > launch.base(of: index)
      && account.handedOut > account.acknowledged
  }

  /// Removes what is too old. A launch's own segments stay: they are bounded by the budget.
  func expire() {
    if !isLoaded { load() }
    for launch in ordered where !launch.isOwn {
      for index in launch.indices where mayGo(index, of: launch) {
        let written = max(modified(.segment(launch.id, index: index)) ?? .max, launch.created)
        if age(of: written) > maximumAge(of: index, in: launch) { discard(index, of: launch, as: .expired) }
      }
      if isKeeping { passSent(launch) }
    }
  }

  /// In seconds. A phone that is out of reach for some weeks still sends what somebody wants.
  private func maximumAge(of index: UInt64, in launch: StoredLaunch) -> TimeInterval {
    guard let keepDays else { return options.maximumAge }
    return launch.isWanted(index, isKeeping: true)
      ? max(options.maximumAge, keepDays * 86_400, Self.wantedAge) : keepDays * 86_400
  }

  private static let wantedAge: TimeInterval = 28 * 86_400

  /// Nobody is writing the segment, and it is not on its way to the receiver.
  func mayGo(_ index: UInt64, of launch: StoredLaunch) -> Bool {
    if launch.isOwn, index >= ring.current || (ring.records(index) != nil && !ring.isComplete(index)) { return false }
    if let ahead = launch.ahead, ahead.overlaps(launch.range(of: index)) { return false }
    guard let flight = launch.flight, !flight.records.isEmpty else { return true }
    return launch.end(of: index) <= flight.from || launch.base(of: index) >= flight.to
  }

  /// Counts what a segment holds as lost, and removes it.
  ///
  /// - Returns: false when it cannot be read now. Then it stays: nobody could say what went with it.
  @discardableResult
  func discard(_ index: UInt64, of launch: StoredLaunch, as reason: LossReason) -> Bool {
    var account = launch.ledger.account
    if !launch.isAcknowledged(index) {
      let start = max(account.acknowledged, launch.base(of: index))
      let opened = withRecords(of: launch, index) { bytes, writers -> Flight in
        var flight = Flight(from: start, to: launch.end(of: index))
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch.id), bytes: bytes, base: launch.base(of: index),
          from: Int(clamping: start &- launch.base(of: index)), writers: writers)
        _ = flight.collect(from: &walker, counted: options.counted, sent: launch.keeping.sent, copying: false)
        return flight
      }
      // What is to be forgotten goes in any case, and so does what stands in no file.
      let hasToGo = reason == .erased || launch.isOwn && volatile.contains(index)
      // Where the cursor has not come to, it passes the segment as one that is gone.
      let isAtCursor = account.acknowledged >= launch.base(of: index)
      switch opened {
      case .records(let flight):
        for position in flight.counted {
          let reason = launch.rejections.removeValue(forKey: position) ?? reason
          account.losses[reason] = account.losses[reason].adding(saturating: 1)
        }
        for passed in flight.passed {
          account.torn = account.torn.adding(saturating: passed.torn)
          account.losses[.corrupt] = account.losses[.corrupt].adding(saturating: passed.corrupt)
          account.unreadable = account.unreadable.adding(saturating: passed.unreadable)
        }
      case .unreadable where !hasToGo: return false
      case .missing, .unreadable:
        if isAtCursor {
          account.missing = account.missing.adding(
            saturating: launch.capacity / max(1, UInt64(clamping: RecordHeader.size)))
        }
      }
      if isAtCursor { account.acknowledged = launch.end(of: index) }
      account.doomed = index &+ 1
      launch.hasNewsToPass = true
      if let flight = launch.flight, flight.records.isEmpty { launch.flight = nil }
      // Counted first: a process that dies now leaves a file that is known to be counted.
      commit(account, of: launch)
    }
    remove(index, of: launch)
    return true
  }
}
