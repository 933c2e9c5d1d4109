import AutoMobileSupport

/// Does things that take their time one after the other, in the order in which they were added.
final class OneAfterTheOther: Sendable {
  typealias Step = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var isBusy = false
    var waiting: [Step] = []
  }

  private let state = Locked(State())

  /// Calls `step` when those before have said that they are done: now, or on the thread of the last. Any thread.
  ///
  /// - Returns: whether that was now.
  @discardableResult
  func add(_ step: @escaping Step) -> Bool {
    let isFree = state.withLock { state in
      guard state.isBusy else {
        state.isBusy = true
        return true
      }
      state.waiting.append(step)
      return false
    }
    if isFree { step { [self] in next() } }
    return isFree
  }

  private func next() {
    let step = state.withLock { state -> Step? in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    step?({ [self] in next() })
  }
}
