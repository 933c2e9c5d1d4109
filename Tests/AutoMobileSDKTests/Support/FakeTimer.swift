import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A timer that fires when the test says so, and can deliver a call that `cancel` came too late for.
final class FakeTimer: TimerScheduling {
  struct State {
    var interval: Int?
    var block: (@Sendable () -> Void)?
    var late: (@Sendable () -> Void)?
    var scheduled = 0
    var cancelled = 0
    var onCancel: (@Sendable () -> Void)?
  }
  private let state = Locked(State())

  var isScheduled: Bool { state.withLock { $0.block != nil } }
  var interval: Int? { state.withLock { $0.interval } }
  var scheduledCount: Int { state.withLock { $0.scheduled } }

  func schedule(intervalMs: Int, block: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.interval = intervalMs
      $0.block = block
      $0.scheduled += 1
    }
  }

  func cancel() {
    let onCancel = state.withLock { state in
      state.late = state.block ?? state.late
      state.block = nil
      state.cancelled += 1
      defer { state.onCancel = nil }
      return state.onCancel
    }
    onCancel?()
  }

  /// What happens while the timer is cancelled the next time.
  func whileCancelling(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = body } }

  /// One interval passes.
  func fire() { state.withLock { $0.block }?() }

  /// The call that was already on its way when `cancel` came.
  func fireLate() { state.withLock { $0.late }?() }
}
