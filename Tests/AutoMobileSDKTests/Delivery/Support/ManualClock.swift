import AutoMobileSupport
import Dispatch

@testable import AutoMobileRecorder

/// A clock that stands still until a test moves it, so that nobody waits for a retry.
final class ManualClock: Sendable {
  private struct Waiting {
    var due: Int64
    var queue: DispatchQueue
    var block: @Sendable () -> Void
  }
  private struct State {
    var now: Int64 = 1_000_000
    var waiting: [Waiting] = []
    var waits: [Int64] = []
  }

  private let state = Locked(State())

  /// All the waits that were asked for, in milliseconds.
  var waits: [Int64] { state.withLock { $0.waits } }
  var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }

  var clock: DeliveryClock {
    DeliveryClock(
      now: { self.state.withLock { $0.now } },
      wall: { 1_700_000_000_000 + self.state.withLock { $0.now } },
      after: { milliseconds, queue, block in
        self.state.withLock { state in
          state.waits.append(milliseconds)
          state.waiting.append(
            Waiting(due: state.now.addingReportingOverflow(milliseconds).partialValue, queue: queue, block: block))
        }
      })
  }

  /// Goes on to the next moment that somebody waits for.
  func advance() {
    let due = state.withLock { state -> [Waiting] in
      guard let next = state.waiting.map(\.due).min() else { return [] }
      state.now = max(state.now, next)
      let due = state.waiting.filter { $0.due <= state.now }
      state.waiting.removeAll { $0.due <= state.now }
      return due
    }
    for waiting in due { waiting.queue.async(execute: waiting.block) }
  }

  /// Lets some time pass, and calls whose time has come in it.
  func advance(milliseconds: Int64) {
    pass(milliseconds: milliseconds)
    let due = state.withLock { state -> [Waiting] in
      let due = state.waiting.filter { $0.due <= state.now }
      state.waiting.removeAll { $0.due <= state.now }
      return due
    }
    for waiting in due { waiting.queue.async(execute: waiting.block) }
  }

  /// Lets some time pass in which nobody is called.
  func pass(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
}

/// Looks until `condition` holds, moving the clock on meanwhile.
func eventually(within seconds: Double = 60, _ clock: ManualClock, _ condition: () -> Bool) async -> Bool {
  await eventually(within: seconds) {
    if condition() { return true }
    clock.advance()
    return false
  }
}
