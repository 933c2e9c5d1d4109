import AutoMobileJournal
import AutoMobileSupport

/// The losses in the journal's ledger: they outlive the process, and reach the collector.
final class JournalDropCounter: DropCounting {
  private let journal: Journal
  /// The ledger only grows; a reset moves the line from which this counter counts. No dictionary: its type would have to be made
  /// while the app starts.
  private let baseline = Locked<[(reason: DropReason, count: Int)]>([])

  init(journal: Journal) { self.journal = journal }

  func increment(_ reason: DropReason) { increment(reason, count: 1) }

  func increment(_ reason: DropReason, count: Int) {
    guard count > 0, let loss = LossReason(rawValue: reason.rawValue) else { return }
    journal.countLoss(loss, UInt64(clamping: count))
  }

  func snapshot() -> [DropReason: Int] {
    let baseline = baseline.withLock { $0 }
    var counts: [DropReason: Int] = [:]
    for (reason, count) in total() {
      let new = count - (baseline.first { $0.reason == reason }?.count ?? 0)
      if new > 0 { counts[reason] = new }
    }
    return counts
  }

  func reset() {
    let total = total().map { (reason: $0.key, count: $0.value) }
    baseline.withLock { $0 = total }
  }

  private func total() -> [DropReason: Int] {
    var counts: [DropReason: Int] = [:]
    for (name, count) in journal.ledger.dropped {
      guard let reason = DropReason(rawValue: name) else { continue }
      counts[reason] = Int(clamping: count)
    }
    return counts
  }
}
