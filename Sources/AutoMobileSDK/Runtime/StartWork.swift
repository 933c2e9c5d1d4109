import Dispatch

/// What the SDK does in the background when it starts: one piece after the other, in the order in which they were
/// added.
///
/// The crash-loop guard hears which piece is being done, so that a launch that dies in it is known to have died in the
/// SDK's own start.
final class StartWork: Sendable {
  private struct State {
    /// Nil as soon as it may begin.
    var waiting: [@Sendable () -> Void]? = []
    var isSealed = false
    var pending = 0
    var isFinished = false
    var onFinished: [@Sendable () -> Void] = []
  }

  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.start", qos: .utility)
  private let state = Locked(State())
  private let onStage: @Sendable (String) -> Void

  /// - Parameter onStage: called before each piece with its name, on the queue.
  init(onStage: @escaping @Sendable (_ name: String) -> Void = { _ in }) { self.onStage = onStage }

  /// Does `body` in the background, after what was added before, and not before ``seal()``: until then whoever initializes has
  /// the processor to itself. Any thread; returns at once.
  ///
  /// - Parameter name: what it is, in a word or two.
  func add(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let work: @Sendable () -> Void = { [self] in
      onStage(name)
      autoreleasing(body)
      finishOne()
    }
    state.withLock { state in
      state.pending += 1
      // Under the lock, so that nothing overtakes what waits.
      if state.waiting == nil { queue.async(execute: work) } else { state.waiting?.append(work) }
    }
  }

  /// Begins. Nothing more belongs to the start but what pieces of it add.
  func seal() {
    add("end") { [self] in state.withLock { $0.isSealed = true } }
    state.withLock { state in
      state.waiting?.forEach { queue.async(execute: $0) }
      state.waiting = nil
    }
  }

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
