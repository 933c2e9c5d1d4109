import AutoMobileSupport

/// Counts lost events by reason.
public protocol DropCounting: AnyObject, Sendable {
  func increment(_ reason: DropReason)
  /// Counts several at once. Has a default implementation, which calls ``increment(_:)`` that often.
  func increment(_ reason: DropReason, count: Int)
  /// The counts so far; reasons that never occurred may be missing.
  func snapshot() -> [DropReason: Int]
  func reset()
}

extension DropCounting {
  public func increment(_ reason: DropReason, count: Int) {
    guard count > 0 else { return }
    for _ in 0..<count { increment(reason) }
  }
}

/// Counts in memory. Safe from any thread.
public final class DefaultDropCounter: DropCounting, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `counts`.
  private let counts = Locked<[DropReason: Int]>([:])

  public init() {}

  public func increment(_ reason: DropReason) { increment(reason, count: 1) }

  public func increment(_ reason: DropReason, count: Int) {
    guard count > 0 else { return }
    counts.withLock { $0[reason] = ($0[reason] ?? 0).addingCapped(count) }
  }

  public func snapshot() -> [DropReason: Int] { counts.withLock { $0 } }

  public func reset() { counts.withLock { $0 = [:] } }
}

extension Int {
  /// The sum, or the largest integer instead of a trap.
  fileprivate func addingCapped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
