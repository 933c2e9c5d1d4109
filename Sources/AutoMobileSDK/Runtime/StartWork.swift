import Dispatch

/// What the SDK does in the background when it starts: one piece after the other, in the order in which they were
/// added.
///
/// The crash-loop guard hears which piece is being done, so that a launch that dies in it is known to have died in the
/// SDK's own start.
final class StartWork: Sendable {
  private struct State {
    var isSealed = false
    var pending = 0
    var isFinished = false
    var onFinished: [@Sendable () -> Void] = []
  }

  private let queue = BackgroundQueue.make("start")
  private let state = Locked(State())
  private let onStage: @Sendable (String) -> Void

  /// - Parameter onStage: called before each piece with its name, on the queue.
  init(onStage: @escaping @Sendable (_ name: String) -> Void = { _ in }) { self.onStage = onStage }

  /// Does `body` in the background, after what was added before. Any thread; returns at once.
  ///
  /// - Parameter name: what it is, in a word or two.
  func add(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let work: @Sendable () -> Void = { [self] in
      onStage(name)
      autoreleasing(body)
      finishOne()
    }
    state.withLock { $0.pending += 1 }
    queue.async(execute: work)
  }

  /// Nothing more belongs to the start but what pieces of it add.
  func seal() { add("end") { [self] in state.withLock { $0.isSealed = true } } }

  /// Calls `body` once everything is done, after those who asked before: on the queue, or now.
  func whenFinished(_ body: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.isFinished { state.onFinished.append(body) }
      return state.isFinished
    }
    if isFinished { body() }
  }

  private func finishOne() {
    var isLast = state.withLock { state in
      state.pending -= 1
      return state.isSealed && state.pending == 0 && !state.isFinished
    }
    while isLast {
      let callbacks = state.withLock { state in
        defer { state.onFinished = [] }
        if state.onFinished.isEmpty { state.isFinished = true }
        return state.onFinished
      }
      callbacks.forEach { $0() }
      isLast = !callbacks.isEmpty
    }
  }

  private func autoreleasing(_ body: () -> Void) {
    #if canImport(Darwin)
    autoreleasepool(invoking: body)
    #else
    body()
    #endif
  }
}
