import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Writes into the journal what the app and the system are like: when that changes, and from time to time.
///
/// Asking the system happens on a queue of its own, a few files or calls every ``sampleMs`` while the app is in the
/// foreground; in the background of a phone nothing runs. A record takes some 250 bytes.
final class LaunchStateWriter: Sendable {
  /// How often the system is asked, in milliseconds.
  static let sampleMs = 10_000
  /// The longest without a record, in milliseconds.
  static let heartbeatMs: Int64 = 60_000

  private struct State {
    var current: LaunchState
    var written: LaunchState?
    var pressure = MemoryUse.Level.normal
    var isStopped = false
    /// The system is not asked for now.
    var isResting = false
  }

  private let journal: Journal
  private let probe: ProcessProbe
  private let timer: any TimerScheduling
  private let queue = BackgroundQueue.make("launch-state")
  private let state: Locked<State>
  private let held = Locked<[AnyObject]>([])
  /// Held while the system is asked, so that an older answer never replaces a newer one. Background threads only.
  private let sampling = Locked(())

  /// - Parameters:
  ///   - facts: what does not change while the process runs.
  ///   - timer: the writer's own.
  init(journal: Journal, facts: LaunchState, probe: ProcessProbe, timer: any TimerScheduling) {
    self.journal = journal
    self.probe = probe
    self.timer = timer
    state = Locked(State(current: facts))
  }

  deinit { timer.cancel() }

  /// Begins, with a first record soon. Returns at once.
  func start() {
    let exit = ProcessExit.observe { [weak self] in self?.note(exit: .exit) }
    held.withLock { $0.append(exit) }
    queue.async { [weak self] in
      guard let self else { return }
      let pressure = probe.observePressure { [weak self] in self?.note(pressure: $0) }
      if let pressure { held.withLock { $0.append(pressure) } }
      let boot = probe.boot()
      state.withLock { $0.current.boot = boot }
      sample(isFirst: true)
      schedule()
    }
  }

  /// The app came to the foreground, or left it. On return the record is in the journal.
  func note(stage: LaunchState.Stage) {
    change { $0.current.stage = stage }
    queue.async { [weak self] in
      self?.sample()
      self?.schedule()
    }
  }

  /// Asks the system nothing and writes nothing, or goes on. What happens to the process meanwhile is nobody's business: the last
  /// record says that it was over.
  func setResting(_ isResting: Bool) {
    change { state in
      if isResting { state.current.exit = .shutdown }
    }
    state.withLock { state in
      state.isResting = isResting
      if !isResting { state.current.exit = nil }
    }
    queue.async { [weak self] in
      if !isResting { self?.sample() }
      self?.schedule()
    }
  }

  /// The end was announced. On return the record is in the journal.
  func note(exit: LaunchState.Exit) {
    change { state in
      state.current.exit = exit
      if exit == .shutdown { state.isStopped = true }
    }
    if exit == .shutdown { timer.cancel() }
  }

  /// Asks the system now, and writes down what is new.
  func sample(isFirst: Bool = false) { sampling.withLock { _ in takeSample(isFirst: isFirst) } }

  private func takeSample(isFirst: Bool) {
    guard !state.withLock({ $0.isResting }) else { return }
    let memory = probe.memory()
    let isTraced = probe.isTraced()
    let capturesCrashes = probe.capturesCrashes()
    write { state in
      let isNews =
        isFirst || state.written == nil || isTraced != state.current.isTraced
        || capturesCrashes != state.current.capturesCrashes
        || memory.under(state.pressure).differs(from: state.written?.memory ?? MemoryUse())
        || Self.now() &- state.current.time >= Self.heartbeatMs
      guard isNews, !state.isStopped, !state.isResting else { return false }
      state.current.memory = memory.under(state.pressure)
      state.current.isTraced = isTraced
      state.current.capturesCrashes = capturesCrashes
      return true
    }
  }

  private func note(pressure: MemoryUse.Level) {
    state.withLock { $0.pressure = pressure }
    sample()
  }

  private func schedule() {
    let rests = state.withLock { $0.isStopped || $0.isResting || ($0.current.stage == .background && !probe.isDesktop) }
    if rests { return timer.cancel() }
    timer.schedule(intervalMs: Self.sampleMs) { [weak self] in
      self?.queue.async { [weak self] in self?.sample() }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    write { state in
      let before = state.current
      change(&state)
      return state.current != before
    }
  }

  /// Appends what `change` makes of the state, when it says that it is worth a record. Records are in the order of the
  /// changes: the lock is held while one is appended, which waits for nothing.
  private func write(_ change: (inout State) -> Bool) {
    state.withLock { state in
      guard change(&state), !state.isResting else { return }
      state.current.time = Self.now()
      state.current.append(to: journal)
      state.written = state.current
    }
  }

  private static func now() -> Int64 { Clocks.millisecondsSince1970() }
}
