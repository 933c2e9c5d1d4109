import AutoMobileSupport

/// Waits for several things that are done in the background, and calls back when the last has said that it is done.
final class Gathering: Sendable {
  private struct State {
    var open = 0
    var onAll: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// One more is waited for.
  ///
  /// - Returns: to be called when it is done, on any thread. A second call does nothing.
  func enter() -> @Sendable () -> Void {
    state.withLock { $0.open += 1 }
    let isDone = Locked(false)
    return { [self] in
      let isFirst = isDone.withLock { isDone in
        defer { isDone = true }
        return !isDone
      }
      if isFirst { leave() }
    }
  }

  /// Calls `body` once, when all that have entered are done: now, or on the thread of the last.
  func whenAll(_ body: @escaping @Sendable () -> Void) {
    let isNow = state.withLock { state in
      guard state.open > 0 else { return true }
      state.onAll = body
      return false
    }
    if isNow { body() }
  }

  private func leave() {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      state.open -= 1
      guard state.open == 0 else { return nil }
      defer { state.onAll = nil }
      return state.onAll
    }
    body?()
  }
}
