import AutoMobileSupport
import Dispatch

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// What the SDK does in the background when it starts: one piece after the other, in the order in which they were
/// added.
///
/// The crash-loop guard hears which piece is being done, so that a launch that dies in it is known to have died in the
/// SDK's own start.
package final class StartWork: Sendable {
  private struct State {
    var isSealed = false
    var pending = 0
    var isFinished = false
    /// One closure that calls the next: the first array of closures in a process takes longer to make.
    var onFinished: (@Sendable () -> Void)?
  }

  private let queue = BackgroundQueue.make("start")
  private let state = Locked(State())
  private let onStage: @Sendable (String) -> Void

  /// - Parameter onStage: called before each piece with its name, on the queue.
  init(onStage: @escaping @Sendable (_ name: String) -> Void = { _ in }) { self.onStage = onStage }

  /// Does `body` in the background, after what was added before. Any thread; returns at once.
  ///
  /// - Parameter name: what it is, in a word or two.
  package func add(_ name: String, _ body: @escaping @Sendable () -> Void) {
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
      if state.isFinished { return true }
      let before = state.onFinished
      state.onFinished = {
        before?()
        body()
      }
      return false
    }
    if isFinished { body() }
  }

  private func finishOne() {
    var isLast = state.withLock { state in
      state.pending -= 1
      return state.isSealed && state.pending == 0 && !state.isFinished
    }
    while isLast {
      let callback = state.withLock { state in
        defer { state.onFinished = nil }
        if state.onFinished == nil { state.isFinished = true }
        return state.onFinished
      }
      callback?()
      isLast = callback != nil
    }
  }

  private func autoreleasing(_ body: () -> Void) {
    #if canImport(ObjectiveC)
    autoreleasepool(invoking: body)
    #else
    body()
    #endif
  }
}
