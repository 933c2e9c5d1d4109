import AutoMobileState
import Foundation

/// A thread that works when it is woken and sleeps else: for what must hold up neither indexing nor a request.
final class BackgroundWorker: @unchecked Sendable {
  // Unchecked because `condition` guards every variable.

  private let condition = NSCondition()
  private let interval: Double?
  private var hasWork = true
  private var isStarted = false
  private var isStopping = false
  private var isStopped = false

  /// - Parameters:
  ///   - interval: seconds after which it looks unasked; nil: only when it is woken.
  init(every interval: Double? = nil) { self.interval = interval }

  /// Has `work` run once, and again each time when it was woken meanwhile. To be called once.
  ///
  /// - Parameter name: the thread's, at most 15 characters.
  func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
    condition.withLock { isStarted = true }
    startThread(name) { [self] in
      while waitForWork() { work() }
      condition.withLock {
        isStopped = true
        condition.broadcast()
      }
    }
  }

  /// There may be something to do.
  func wake() {
    condition.withLock {
      hasWork = true
      condition.broadcast()
    }
  }

  /// Sleeps within the work, for so many seconds; false when it is time to end.
  func pause(_ seconds: Double) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: seconds)
    while !isStopping, condition.wait(until: end) {}
    return !isStopping
  }

  /// Whether the work is to come to its end.
  var mustEnd: Bool { condition.withLock { isStopping } }

  /// Ends the thread; returns when the work at hand is done.
  func stop() {
    condition.lock()
    isStopping = true
    condition.broadcast()
    while isStarted, !isStopped { condition.wait() }
    condition.unlock()
  }

  private func waitForWork() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if let interval {
      let due = Date(timeIntervalSinceNow: interval)
      while !hasWork, !isStopping, condition.wait(until: due) {}
    } else {
      while !hasWork, !isStopping { condition.wait() }
    }
    hasWork = false
    return !isStopping
  }
}
