import AutoMobileSupport

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// An operating system that says what the test wants.
final class FakeSource: OsEventSource {
  private struct State {
    var onSignal: (@Sendable (OsSignal) -> Void)?
    var starts = 0
    var stops = 0
  }
  private let state = Locked(State())

  var isRunning: Bool { state.withLock { $0.starts == 1 && $0.stops == 0 } }
  var isStopped: Bool { state.withLock { $0.starts <= $0.stops } }

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    state.withLock {
      $0.onSignal = onSignal
      $0.starts += 1
    }
  }

  func stop() { state.withLock { $0.stops += 1 } }

  /// Also after it was stopped: a signal may be under way.
  func say(_ signal: OsSignal) { state.withLock { $0.onSignal }?(signal) }
}

/// An operating system, timers and what was told, around a tracker.
final class TrackerBench: Sendable {
  struct Told: Equatable, Sendable {
    var state: String
    var details: [String: String]
  }

  let source = FakeSource()
  let timers = Locked<[FakeTimer]>([])
  let power = Locked(PowerState())
  private let told = Locked<[Told]>([])
  let tracker: OsEventTracker

  init() {
    tracker = OsEventTracker(
      makeSources: { [source] in [source] },
      makeTimer: { [timers] in
        let timer = FakeTimer()
        timers.withLock { $0.append(timer) }
        return timer
      },
      power: { [power] in power.withLock { $0 } },
      record: { [told] signal, details in
        told.withLock { $0.append(Told(state: signal.state, details: details)) }
      })
    tracker.start()
  }

  /// What was told since the last time.
  func takeTold() -> [Told] {
    told.withLock { told in
      defer { told = [] }
      return told
    }
  }

  /// A second passes.
  func second() { timers.withLock { $0 }.forEach { $0.fire() } }

  var runningTimers: Int { timers.withLock { $0 }.count { $0.isScheduled } }
}
