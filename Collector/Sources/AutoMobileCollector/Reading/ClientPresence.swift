import NIOConcurrencyHelpers

/// Whether the client of a connection still waits for its answer.
final class ClientPresence: Sendable {
  private struct State {
    var isGone = false
    var watchers: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let state = NIOLockedValueBox(State())

  /// Nobody will take the answer.
  var isGone: Bool { state.withLockedValue { $0.isGone } }

  /// Calls `action` when the client goes, at once when it has gone.
  ///
  /// - Returns: by which ``forget(_:)`` knows it.
  func onLeave(_ action: @escaping @Sendable () -> Void) -> Int {
    let (number, isGone) = state.withLockedValue { state in
      state.next += 1
      if !state.isGone { state.watchers[state.next] = action }
      return (state.next, state.isGone)
    }
    if isGone { action() }
    return number
  }

  func forget(_ number: Int) { state.withLockedValue { _ = $0.watchers.removeValue(forKey: number) } }

  func leave() {
    let actions = state.withLockedValue { state in
      state.isGone = true
      defer { state.watchers = [:] }
      return Array(state.watchers.values)
    }
    for action in actions { action() }
  }
}
