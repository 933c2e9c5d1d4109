import AutoMobileRecorder
import AutoMobileSupport

/// Runs the recovery in the background until nothing is left to recover: when there is a network, and again after a while, or by
/// another network, when something had to stay.
final class RecoveryLoop: Sendable {
  /// In milliseconds.
  static let firstWait: Int64 = 60_000
  static let longestWait: Int64 = 900_000
  /// What is recorded now waits so long at most for what was left, in milliseconds: of that, there may be hours.
  static let longestHold: Int64 = 30_000

  private let recovery: Recovery
  private let gate: PathGate
  private let after: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void
  private let sleep: @Sendable (Int64) async throws -> Void
  private struct State {
    var task: Task<Void, Never>?
    /// Somebody asked while it was at it: it looks once more.
    var isWantedAgain = false
    /// It has files open.
    var isAtWork = false
    /// Everything that there was has had its turn once, or nobody waits for that any more.
    var hasPassed = false
    /// For good: another one may be at it.
    var isStopped = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Until it looks again.
    var pause: Task<Bool, Never>?
    /// Until there is a network, or somebody asks.
    var network: Task<Void, Never>?
    var isWoken = false
  }
  private let state = Locked(State())

  init(
    _ recovery: Recovery, gate: PathGate, after: @escaping @Sendable (Int64, @escaping @Sendable () -> Void) -> Void,
    sleep: @escaping @Sendable (Int64) async throws -> Void
  ) {
    self.recovery = recovery
    self.gate = gate
    self.after = after
    self.sleep = sleep
  }

  /// Begins, unless it is at it, or was stopped.
  func start() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isWantedAgain = true
      state.network?.cancel()
      guard state.task == nil else { return }
      state.task = Task(priority: .utility) { [weak self] in await self?.run() }
    }
  }

  /// - Returns: whether it was at work, and still is for a moment.
  @discardableResult
  func stop() -> Bool {
    let (task, wasAtWork) = state.withLock { state in
      defer { state.isStopped = true }
      return (state.task, !state.isStopped && state.isAtWork)
    }
    task?.cancel()
    letThrough()
    return wasAtWork
  }

  /// Returns when it uses no files any more, after ``stop()``.
  func waitUntilEnded() async { await state.withLock { $0.task }?.value }

  /// There is another network: it looks again at once.
  func wake() {
    let pause = state.withLock { state in
      // Also while it looks, or is about to wait: what it found then, it found by the other network.
      state.isWoken = true
      return state.pause
    }
    pause?.cancel()
  }

  /// What is recorded now goes to the collector after what was recorded before: returns when that has had its turn once, whatever
  /// came of it; at once as long as there is no network; and at the latest after ``longestHold``.
  func waitForFirstPass() async {
    guard await gate.isOpen else { return }
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard !state.hasPassed, state.task != nil else { return false }
        state.waiting.append(continuation)
        return true
      }
      guard isWaiting else { return continuation.resume() }
      after(Self.longestHold) { [weak self] in self?.letThrough() }
    }
  }

  /// Nobody waits for what was left any more.
  func letThrough() {
    let waiting = state.withLock { state in
      state.hasPassed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.forEach { $0.resume() }
  }

  /// Whether it uses files of sessions right now.
  var isAtWork: Bool { state.withLock { $0.isAtWork } }

  /// Whether there is more to do; when there is not, the next ``start()`` begins anew.
  private func isOver(_ nothingLeft: Bool) -> Bool {
    state.withLock { state in
      if nothingLeft, !state.isWantedAgain { state.task = nil }
      return state.task == nil
    }
  }

  private func run() async {
    var wait = Self.firstWait
    while !Task.isCancelled {
      await waitForNetwork()
      guard !Task.isCancelled else { break }
      state.withLock { state in
        state.isWantedAgain = false
        state.isWoken = false
        state.isAtWork = true
      }
      let isClear = await recovery.run().left.isEmpty
      state.withLock { $0.isAtWork = false }
      letThrough()
      if isOver(isClear) { return }
      guard !isClear else { continue }
      switch await pause(wait) {
      case .over: wait = min(wait &* 2, Self.longestWait)
      case .woken: wait = Self.firstWait
      case .stopped:
        state.withLock { $0.task = nil }
        return
      }
    }
    state.withLock { $0.task = nil }
  }

  /// What can be done without one is done at once: as far as it can before rules have been held against what was left, and once more
  /// then.
  private func waitForNetwork() async {
    var isTidy = false
    while !Task.isCancelled, !isTidy, await !gate.isOpen {
      isTidy = recovery.hasLooked
      recovery.tidy()
      guard !isTidy else { break }
      let network = Task { [gate] in await gate.wait() }
      state.withLock { $0.network = network }
      // Somebody may have looked just before there was anything to cancel.
      if recovery.hasLooked { network.cancel() }
      await withTaskCancellationHandler {
        await network.value
      } onCancel: {
        network.cancel()
      }
      state.withLock { $0.network = nil }
    }
    await gate.wait()
  }

  private enum Pause { case over, woken, stopped }

  private func pause(_ milliseconds: Int64) async -> Pause {
    let pause = Task { [sleep] in (try? await sleep(milliseconds)) != nil }
    let isAwake = state.withLock { state in
      state.pause = pause
      return state.isWoken
    }
    if isAwake { pause.cancel() }
    let hasSlept = await withTaskCancellationHandler {
      await pause.value
    } onCancel: {
      pause.cancel()
    }
    let isWoken = state.withLock { state in
      defer { (state.pause, state.isWoken) = (nil, false) }
      return state.isWoken
    }
    return isWoken ? .woken : hasSlept ? .over : .stopped
  }
}
