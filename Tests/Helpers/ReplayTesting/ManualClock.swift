import AutoMobileReplay
import AutoMobileSDK
import AutoMobileSupport
import Foundation

/// A clock that moves when it is told to, with what waits for it.
package final class ManualClock: Sendable {
  private struct State {
    var moment = ReplayMoment(wall: 1_700_000_000_000, steady: 1000)
    var blocks: [(at: Int64, block: @Sendable () -> Void)] = []
  }
  private let state = Locked(State())

  package init() {}

  package var now: ReplayMoment { state.withLock { $0.moment } }

  /// How many wait for it.
  package var waiting: Int { state.withLock { $0.blocks.count } }

  package func after(_ milliseconds: Int64, _ block: @escaping @Sendable () -> Void) {
    state.withLock { $0.blocks.append(($0.moment.steady + milliseconds, block)) }
  }

  /// Returns when the clock has come so far.
  package func sleep(_ milliseconds: Int64) async {
    await withCheckedContinuation { continuation in after(milliseconds) { continuation.resume() } }
  }

  /// Both clocks go on, and what was due is called.
  package func advance(_ milliseconds: Int64) {
    let due = state.withLock { state -> [@Sendable () -> Void] in
      state.moment.wall += milliseconds
      state.moment.steady += milliseconds
      let now = state.moment.steady
      let due = state.blocks.filter { $0.at <= now }
      state.blocks.removeAll { $0.at <= now }
      return due.sorted { $0.at < $1.at }.map(\.block)
    }
    due.forEach { $0() }
  }

  /// The device sleeps: both clocks go on, and timers stand still.
  package func sleepThrough(_ milliseconds: Int64) {
    state.withLock { state in
      state.moment.wall += milliseconds
      state.moment.steady += milliseconds
      for index in state.blocks.indices { state.blocks[index].at += milliseconds }
    }
  }

  package func setWall(_ wall: Int64) { state.withLock { $0.moment.wall = wall } }
}
