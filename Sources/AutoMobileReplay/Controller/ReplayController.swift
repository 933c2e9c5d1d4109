import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Drives the machine: takes events in the order in which they come in, from any thread, and has done what follows.
actor ReplayController {
  private enum Message: Sendable {
    case event(ReplayEvent)
    case start(CheckedContinuation<ReplayStartResult, Never>)
    case stop(CheckedContinuation<ReplayStopResult, Never>)
    case erase(CheckedContinuation<Void, Never>)
    case erased
    case recover
    case uploadRest(CheckedContinuation<Void, Never>)
    case settle(CheckedContinuation<Void, Never>)
  }

  private nonisolated let inbox: AsyncStream<Message>.Continuation
  private let makeServices: @Sendable () -> ReplayServices?
  /// Whether anything may be sent at this moment.
  private let isAllowed: @Sendable () -> Bool
  private let now: @Sendable () -> ReplayMoment
  private var state: ReplayState
  private var engine: ReplayEngine?
  /// Those before, which may still be uploading what they recorded, or closing files.
  private var former: [ReplayEngine] = []
  /// Files are being removed: nothing begins that would make some.
  private var isErasing = false
  /// What was last said of that.
  private var isSwitchedOn = true
  private var starts: [CheckedContinuation<ReplayStartResult, Never>] = []
  private var stops: [CheckedContinuation<ReplayStopResult, Never>] = []
  /// The session that records, for whoever may not wait.
  nonisolated let current = Locked<SessionRunner?>(nil)

  /// - Parameter makeServices: asked at each start from idle; nil: it is not configured yet.
  init(
    isInForeground: Bool, now: @escaping @Sendable () -> ReplayMoment, isAllowed: @escaping @Sendable () -> Bool,
    makeServices: @escaping @Sendable () -> ReplayServices?
  ) {
    self.makeServices = makeServices
    self.now = now
    self.isAllowed = isAllowed
    state = ReplayState(isInForeground: isInForeground)
    let (messages, inbox) = AsyncStream.makeStream(of: Message.self)
    self.inbox = inbox
    Task { [weak self] in
      for await message in messages { await self?.take(message) }
    }
  }

  deinit { inbox.finish() }

  // MARK: From anywhere

  nonisolated func send(_ event: ReplayEvent) { inbox.yield(.event(event)) }

  /// Has what earlier launches left finished, if it is known with what, and there is anything: whether or not this launch records.
  nonisolated func recover() { inbox.yield(.recover) }

  nonisolated func start() async -> ReplayStartResult {
    await withCheckedContinuation { continuation in
      if case .terminated = inbox.yield(.start(continuation)) { continuation.resume(returning: .failed("terminated")) }
    }
  }

  nonisolated func stop() async -> ReplayStopResult {
    await withCheckedContinuation { continuation in
      if case .terminated = inbox.yield(.stop(continuation)) {
        continuation.resume(returning: ReplayStopResult(success: true))
      }
    }
  }

  /// Ends what is recorded, uploads none of it, and forgets the credential. On return nothing of it uses its files. It is off until
  /// ``erasureIsOver()``.
  nonisolated func erase() async {
    await withCheckedContinuation { continuation in
      if case .terminated = inbox.yield(.erase(continuation)) { continuation.resume() }
    }
  }

  /// The files are removed.
  nonisolated func erasureIsOver() { inbox.yield(.erased) }

  /// Returns when the collector has what was recorded until now, or will not have it soon. What is recorded pauses, or has ended.
  nonisolated func uploadRest() async {
    await withCheckedContinuation { continuation in
      if case .terminated = inbox.yield(.uploadRest(continuation)) { continuation.resume() }
    }
  }

  /// For tests: whether uploads wait because the collector did not answer.
  var isCollectorAway: Bool { get async { await engine?.isCollectorAway ?? false } }

  /// For tests: whether everything that was sent until now has been taken, and nothing is recorded.
  var isIdle: Bool {
    get async {
      await withCheckedContinuation { _ = inbox.yield(.settle($0)) }
      return state.phase == .idle
    }
  }

  // MARK: One at a time

  private func take(_ message: Message) {
    switch message {
    case .event(.switched(let isOn)):
      isSwitchedOn = isOn
      follow()
    case .event(let event): take(event)
    case .start(let continuation):
      starts.append(continuation)
      // Not while files are removed: a new one counts those that are there.
      if case .idle = state.phase, !isErasing { prepare() }
      // Whatever becomes of the start, and before anything of it is uploaded.
      if !state.isOff { engine?.recover() }
      take(.start)
    case .stop(let continuation):
      stops.append(continuation)
      take(.stop)
    case .uploadRest(let continuation):
      Task(priority: .utility) { [engine] in
        await engine?.uploadRest()
        continuation.resume()
      }
    case .settle(let continuation): continuation.resume()
    case .recover:
      guard !state.isOff, isAllowed() else { return }
      if case .idle = state.phase { prepareForRecovery() }
      engine?.recover()
    case .erase(let continuation):
      isErasing = true
      follow()
      // Also when it was off before.
      standDown()
      // Not here: what ends meanwhile is told through the same inbox.
      Task(priority: .utility) { [former] in
        for engine in former { await engine.forget() }
        continuation.resume()
      }
    case .erased:
      isErasing = false
      follow()
    }
  }

  private func follow() { take(.switched(on: isSwitchedOn && !isErasing)) }

  /// Settings may be changed as long as nothing runs.
  private func prepare() {
    if let services = makeServices() { prepare(services) } else { replaceEngine() }
  }

  /// Where nothing waits, nothing is begun.
  private func prepareForRecovery() {
    guard let services = makeServices(), !SessionDirectory.all(in: services.root).isEmpty else { return }
    prepare(services)
  }

  private func prepare(_ services: ReplayServices) {
    if let engine, engine.isLike(services) { return }
    replaceEngine()
    engine = ReplayEngine(services, current: current) { [inbox] in
      inbox.yield(.recover)
    } send: { [inbox] in
      inbox.yield(.event($0))
    }
  }

  private func standDown() {
    // All of them, before those are let go that are not at work.
    (former + [engine].compactMap { $0 }).forEach { $0.standDown() }
    replaceEngine()
  }

  /// Leaves none. Of those before, the last one is kept besides those that are at work: for its credential.
  private func replaceEngine() {
    guard let last = engine else { return }
    last.retire()
    former = former.filter(\.isAtWork) + [last]
    engine = nil
  }

  private func take(_ event: ReplayEvent) {
    let (next, effects) = ReplayMachine.transition(state, event, at: now())
    state = next
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: ReplayEffect) {
    switch effect {
    case .answerStarts(let result):
      let waiting = starts
      starts = []
      waiting.forEach { $0.resume(returning: result) }
    case .answerStops(let result):
      let waiting = stops
      stops = []
      waiting.forEach { $0.resume(returning: result) }
    case .fetchConfiguration(let generation) where engine == nil:
      send(.configured(generation: generation, .denied("not_configured")))
    case .standDown: standDown()
    default: engine?.perform(effect)
    }
  }
}
