import CAutoMobile

/// Why something that was to be recorded will not be delivered. Every loss has one reason.
public enum LossReason: String, CaseIterable, Sendable, Codable {
  /// Recording was switched off.
  case disabled
  /// The journal was closed.
  case shutdown
  /// A filter of the app said no.
  case filtered
  /// No segment was ready, or there was no room in the budget.
  case bufferOverflow
  /// The oldest, removed to stay within the budget, or purged by the system.
  case evicted
  /// Older than the maximum age.
  case expired
  /// The disk had no room, or could not be written.
  case diskFull
  /// The receiver refused it, or it is longer than a segment.
  case rejected
  /// Damaged on disk.
  case corrupt
  /// A flush closure threw.
  case flushError
  /// Set aside after the receiver failed on it again and again.
  case deliveryFailed
  /// Its session is not among those that are recorded.
  case sampledOut
  /// It came before the journal was opened.
  case notInitialized
  /// It waited to be delivered when everything was erased, because somebody asked for that.
  case erased

  /// The place in a ledger's table of losses. Part of the file format.
  var index: Int {
    switch self {
    case .disabled: 0
    case .shutdown: Int(AM_LOSS_SHUTDOWN)
    case .filtered: 2
    case .bufferOverflow: Int(AM_LOSS_BUFFER_OVERFLOW)
    case .evicted: 4
    case .expired: 5
    case .diskFull: Int(AM_LOSS_DISK_FULL)
    case .rejected: Int(AM_LOSS_REJECTED)
    case .corrupt: 8
    case .flushError: 9
    case .deliveryFailed: 10
    case .sampledOut: 11
    case .notInitialized: 12
    case .erased: 13
    }
  }
}

/// A count for each reason.
struct Losses: Equatable, Sendable {
  /// By the last one, because the list of all would be made anew each time; a test compares.
  static var count: Int { LossReason.erased.index + 1 }
  /// As many as there were before `erased`: ledgers that an earlier version left have so many.
  static var countBefore: Int { LossReason.notInitialized.index + 1 }
  private(set) var counts = [UInt64](repeating: 0, count: Losses.count)

  subscript(reason: LossReason) -> UInt64 {
    get { counts[reason.index] }
    set { counts[reason.index] = newValue }
  }

  mutating func add(_ other: Losses) {
    for index in counts.indices { counts[index] = counts[index].adding(saturating: other.counts[index]) }
  }

  var total: UInt64 { counts.reduce(0) { $0.adding(saturating: $1) } }

  /// As a ledger on the wire gives them: without the zeros.
  var named: [String: UInt64] {
    var named: [String: UInt64] = [:]
    for reason in LossReason.allCases where self[reason] > 0 { named[reason.rawValue] = self[reason] }
    return named
  }
}
