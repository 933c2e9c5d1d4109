import Foundation

/// What the thread of an indexer and everybody else share: what is under way, what came of it, and when it is to end.
final class FollowerState: @unchecked Sendable {
  // Unchecked because `condition` guards every variable.

  /// Broadcast when there is something to look at.
  let condition = NSCondition()
  private var stopping = false
  private var isStopped = false
  private var mustTidy = false
  /// When it ends, though something is left.
  private var deadline = Date.distantFuture
  private var failure: String?
  private var sent = SentBatches()
  private var confirmed: [UInt64] = []
  private var waiting = 0

  // MARK: For everybody

  /// - Parameter bytes: of the log.
  func backlog(bytes: Int) -> ClickHouseBacklog {
    condition.withLock { sent.backlog(bytes: bytes, deliveries: waiting, failure: failure) }
  }

  /// Returns when the thread has ended.
  func stop(within seconds: Double) {
    condition.lock()
    stopping = true
    deadline = seconds.isFinite ? Date(timeIntervalSinceNow: seconds) : .distantFuture
    condition.broadcast()
    while !isStopped { condition.wait() }
    condition.unlock()
  }

  func wake() { condition.withLock { condition.broadcast() } }

  func tidy() {
    condition.withLock {
      mustTidy = true
      condition.broadcast()
    }
  }

  // MARK: For those who send

  func begin(_ number: UInt64, rows: Int) { condition.withLock { sent.begin(number, rows: rows) } }

  func set(_ task: Task<Void, Never>, of number: UInt64) {
    condition.withLock { sent.underWay[number]?.task = task }
  }

  func note(_ problem: SendProblem?, of number: UInt64) {
    condition.withLock { sent.underWay[number]?.problem = problem }
  }

  /// All of its rows are there.
  func confirm(_ number: UInt64) {
    condition.withLock {
      sent.underWay[number] = nil
      confirmed.append(number)
      condition.broadcast()
    }
  }

  /// It was called off.
  func leave(_ number: UInt64) {
    condition.withLock {
      sent.underWay[number] = nil
      condition.broadcast()
    }
  }

  // MARK: For the thread

  var isStopping: Bool { condition.withLock { stopping } }

  /// Whether it ends now, whatever is left. With the lock held.
  var isOverWhileLocked: Bool { stopping && deadline <= Date() }

  func note(_ failure: String?) { condition.withLock { self.failure = failure } }

  /// How many deliveries wait for contexts.
  func setWaiting(_ count: Int) { condition.withLock { waiting = count } }

  /// What came since it was asked last.
  func take() -> (confirmed: [UInt64], mustTidy: Bool) {
    condition.withLock {
      defer { (confirmed, mustTidy) = ([], false) }
      return (confirmed, mustTidy)
    }
  }

  /// Sleeps until there is something to do, and no longer than until `due`.
  func pause(until due: Date) { sleep(until: due) { false } }

  /// The same, and no longer than until it is to stop.
  ///
  /// - Parameter isMore: called with the lock held: whether something else has come.
  func pauseUnlessStopping(until due: Date, isMore: () -> Bool) { sleep(until: due) { stopping || isMore() } }

  private func sleep(until due: Date, isOver: () -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    while confirmed.isEmpty, !mustTidy, Date() < min(due, deadline), !isOver() {
      _ = condition.wait(until: min(due, min(deadline, Date(timeIntervalSinceNow: 0.5))))
    }
  }

  /// Whether there is anything left to do before the end. What cannot be made into batches is left to the next process.
  ///
  /// - Parameter isLeft: whether something has not been sent.
  func goesOn(_ hasFailed: Bool, isLeft: () -> Bool) -> Bool {
    let (isStopping, isOver, isWaiting) = condition.withLock {
      (stopping, deadline <= Date(), !sent.underWay.isEmpty || !confirmed.isEmpty)
    }
    guard isStopping else { return true }
    if isOver { return false }
    if isWaiting { return true }
    return !hasFailed && isLeft()
  }

  /// Calls off what is under way.
  func callOff() {
    for task in condition.withLock({ sent.underWay.values.compactMap(\.task) }) { task.cancel() }
  }

  /// The thread has ended.
  func end() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }
}
