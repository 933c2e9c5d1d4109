import AutoMobileSDK

/// Runs the recovery in the background until nothing is left to recover: when there is a network, and again after a while when
/// something had to stay.
final class RecoveryLoop: Sendable {
  /// In milliseconds.
  static let firstWait: Int64 = 60_000
  static let longestWait: Int64 = 900_000

  private let recovery: Recovery
  private let gate: PathGate
  private let sleep: @Sendable (Int64) async throws -> Void
  private struct State {
    var task: Task<Void, Never>?
    /// Somebody asked while it was at it: it looks once more.
    var isWantedAgain = false
    /// It has files open.
    var isAtWork = false
    /// Everything that there was has had its turn once, or it was stopped.
    var hasPassed = false
    /// For good: another one may be at it.
    var isStopped = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  init(_ recovery: Recovery, gate: PathGate, sleep: @escaping @Sendable (Int64) async throws -> Void) {
    self.recovery = recovery
    self.gate = gate
    self.sleep = sleep
  }

  /// Begins, unless it is at it, or was stopped.
  func start() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isWantedAgain = true
      guard state.task == nil else { return }
      state.task = Task(priority: .utility) { [weak self] in await self?.run() }
    }
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
    pass()
  }

  /// What is recorded now goes to the collector after what was recorded before: returns when that has had its turn once, whatever
  /// came of it, and at once as long as there is no network.
  func waitForFirstPass() async {
    guard await gate.isOpen else { return }
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard !state.hasPassed, state.task != nil else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }

  private func pass() {
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
      await gate.wait()
      guard !Task.isCancelled else { break }
      state.withLock { state in
        state.isWantedAgain = false
        state.isAtWork = true
      }
      let isClear = await recovery.run().left.isEmpty
      state.withLock { $0.isAtWork = false }
      pass()
      if isOver(isClear) { return }
      guard !isClear else { continue }
      guard (try? await sleep(wait)) != nil else { break }
      wait = min(wait &* 2, Self.longestWait)
    }
    state.withLock { $0.task = nil }
  }
}
