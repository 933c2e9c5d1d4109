import CAutoMobile

/// What the writers of a launch have counted: atomics in the ledger file, complete when the process dies.
struct WriterCounts: Equatable, Sendable {
  /// Calls that have returned, whether something was kept or lost.
  var recorded: UInt64 = 0
  /// What was lost before it reached a segment.
  var losses = Losses()
  /// The highest index of a segment that has taken records.
  var lastSegment: UInt64 = 0

  init() {}

  /// Reads the counters of a ledger that may be live, or damaged: a loss that fails its check counts as 0.
  init(ledger: UnsafeMutableRawPointer) {
    func word(_ offset: Int) -> UInt64 {
      (ledger + offset).withMemoryRebound(to: UInt64.self, capacity: 1) { am_load_acquire_u64($0) }
    }
    for reason in LossReason.allCases {
      var count: UInt64 = 0
      _ = am_loss_value(word(Int(AM_LEDGER_LOSSES) + reason.index * 8), UInt32(clamping: reason.index), &count)
      losses[reason] = count
    }
    for stripe in 0..<Int(AM_LEDGER_STRIPE_COUNT) {
      let offset = Int(AM_LEDGER_STRIPES) + stripe * Int(AM_LEDGER_STRIPE_SIZE)
      recorded = recorded.adding(saturating: word(offset))
    }
    lastSegment = word(Int(AM_LEDGER_LAST_SEGMENT))
  }

  mutating func add(_ other: WriterCounts) {
    recorded = recorded.adding(saturating: other.recorded)
    losses.add(other.losses)
    lastSegment = max(lastSegment, other.lastSegment)
  }
}
