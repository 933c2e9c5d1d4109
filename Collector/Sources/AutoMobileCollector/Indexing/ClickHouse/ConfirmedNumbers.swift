/// Up to which number everything that came into this collector's log is in ClickHouse: what followers go by (``ArrivalOrder``).
///
/// Numbers grow along the log. Batches are confirmed in any order, and a delivery that waits for a context is in a later batch than those
/// around it: so it is what is below all that is missing.
struct ConfirmedNumbers {
  /// Of the records of a batch, or of a delivery.
  struct Span {
    var least: Int64
    var greatest: Int64

    mutating func add(_ other: Span) { (least, greatest) = (min(least, other.least), max(greatest, other.greatest)) }
  }

  private var open: [UInt64: Span] = [:]
  private var greatest: Int64?
  /// What an earlier process left is known.
  private var hasStarted = false

  /// All that an earlier process began has been begun again.
  ///
  /// - Parameter number: everything up to it has been begun, or waits; nil: that is not known.
  mutating func start(at number: Int64?) {
    hasStarted = true
    if let number { greatest = max(greatest ?? number, number) }
  }

  mutating func begin(_ batch: UInt64, _ span: Span?) { open[batch] = span }

  mutating func confirm(_ batch: UInt64) {
    guard let span = open.removeValue(forKey: batch) else { return }
    greatest = max(greatest ?? span.greatest, span.greatest)
  }

  /// - Parameter waiting: first numbers of the deliveries that wait.
  func reached(waiting: [Int64]) -> Int64? {
    guard hasStarted, let greatest else { return nil }
    let missing = (waiting + open.values.map(\.least)).min()
    return missing.map { min(greatest, $0 - FrameNumbers.step) } ?? greatest
  }
}

extension LogReader.Entry {
  /// Of its first record, also where the collector that wrote it gave none.
  var firstNumber: Int64 { number ?? FrameNumbers.first(at: receivedAt) }
}
