import AutoMobileRecorder
import AutoMobileSupport

/// Tells what the operating system says: nothing twice, and what changes quickly at most once a second.
///
/// Started and stopped once. Any thread; never calls out while it holds its lock.
final class OsEventTracker: Sendable {
  /// In milliseconds.
  static let interval = 1000
  /// Sliding the brightness is dozens of changes; a loose cable may be, too.
  private static let coalesced: Set<OsSignal.Kind> = [.battery, .brightness]

  private struct State {
    var isRunning = false
    /// For good: the stop may overtake the start.
    var isOver = false
    /// What was told last.
    var told: [OsSignal.Kind: OsSignal] = [:]
    var pauses: [OsSignal.Kind: Pause] = [:]
    var sources: [any OsEventSource] = []

    /// - Returns: whether it is new.
    mutating func note(_ signal: OsSignal) -> Bool {
      guard isRunning, told[signal.kind] != signal else { return false }
      told[signal.kind] = signal
      return true
    }
  }

  /// After an event of a kind: what came since waits for its end.
  private struct Pause {
    var timer: any TimerScheduling
    var waiting: OsSignal?
  }

  private let state = Locked(State())
  private let makeSources: @Sendable () -> [any OsEventSource]
  private let makeTimer: @Sendable () -> any TimerScheduling
  private let power: @Sendable () -> PowerState
  private let record: @Sendable (OsSignal, _ details: [String: String]) -> Void

  init(
    makeSources: @escaping @Sendable () -> [any OsEventSource],
    makeTimer: @escaping @Sendable () -> any TimerScheduling,
    power: @escaping @Sendable () -> PowerState,
    record: @escaping @Sendable (OsSignal, _ details: [String: String]) -> Void
  ) {
    self.makeSources = makeSources
    self.makeTimer = makeTimer
    self.power = power
    self.record = record
  }

  func start() {
    let sources = makeSources()
    let isWanted = state.withLock { state in
      guard !state.isOver else { return false }
      state.isRunning = true
      state.sources = sources
      return true
    }
    guard isWanted else { return }
    for source in sources { source.start { [weak self] in self?.receive($0) } }
    // Those that were started after the stop have to hear of it again.
    if state.withLock({ $0.isOver }) { sources.forEach { $0.stop() } }
  }

  /// What waits is not told any more.
  func stop() {
    let before = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    before.pauses.values.forEach { $0.timer.cancel() }
    before.sources.forEach { $0.stop() }
  }

  private func receive(_ signal: OsSignal) {
    if case .application(let stage) = signal, stage == .background || stage == .terminated { endPauses() }
    guard Self.coalesced.contains(signal.kind) else {
      if state.withLock({ $0.note(signal) }) { tell(signal) }
      return
    }
    let timer = BarredTimer(makeTimer)
    let isDue = state.withLock { state -> Bool in
      if state.pauses[signal.kind] != nil {
        state.pauses[signal.kind]?.waiting = signal
        return false
      }
      guard state.note(signal) else { return false }
      state.pauses[signal.kind] = Pause(timer: timer)
      return true
    }
    guard isDue else { return }
    tell(signal)
    timer.schedule(intervalMs: Self.interval) { [weak self, weak timer] in
      if let timer { self?.endPause(of: signal.kind, timer) }
    }
    // One that has been stopped meanwhile has nobody who would.
    if !state.withLock({ $0.isRunning }) { timer.cancel() }
  }

  /// The timer goes on as long as something waits each time.
  private func endPause(of kind: OsSignal.Kind, _ timer: any TimerScheduling) {
    let (signal, isOver) = state.withLock { state -> (OsSignal?, Bool) in
      guard let pause = state.pauses[kind], pause.timer === timer else { return (nil, true) }
      guard let signal = pause.waiting, state.note(signal) else {
        state.pauses[kind] = nil
        return (nil, true)
      }
      state.pauses[kind]?.waiting = nil
      return (signal, false)
    }
    if isOver { timer.cancel() }
    if let signal { tell(signal) }
  }

  /// The process may be suspended soon, and its timers with it.
  private func endPauses() {
    let timers = state.withLock { $0.pauses.map { ($0.key, $0.value.timer) } }
    for (kind, timer) in timers { endPause(of: kind, timer) }
  }

  private func tell(_ signal: OsSignal) { record(signal, signal.details(power)) }
}
