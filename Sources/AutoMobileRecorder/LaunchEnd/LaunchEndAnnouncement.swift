import AutoMobileSupport

/// What ended the previous launch, for those who ask before it is known as well.
package final class LaunchEndAnnouncement: Sendable {
  typealias Callback = @Sendable (PreviousLaunchEnd?) -> Void

  private enum State {
    case open([Callback])
    case decided(PreviousLaunchEnd?)
  }

  private let state = Locked(State.open([]))

  /// Nil also when it is not known yet.
  var current: PreviousLaunchEnd? {
    state.withLock { if case .decided(let end) = $0 { end } else { nil } }
  }

  /// Calls back once: now when it is known, else on the thread that makes it known.
  func whenDecided(_ callback: @escaping Callback) {
    let end: PreviousLaunchEnd?? = state.withLock { state in
      switch state {
      case .decided(let end): return .some(end)
      case .open(let callbacks):
        state = .open(callbacks + [callback])
        return .none
      }
    }
    if case .some(let end) = end { ErrorBarrier.run(.previousLaunchEnd) { callback(end) } }
  }

  /// The first time counts.
  package func decide(_ end: PreviousLaunchEnd?) {
    let callbacks = state.withLock { state -> [Callback] in
      guard case .open(let callbacks) = state else { return [] }
      state = .decided(end)
      return callbacks
    }
    for callback in callbacks { ErrorBarrier.run(.previousLaunchEnd) { callback(end) } }
  }

  /// For tests: as if nothing had been decided. Whoever waits is told that nothing is known.
  func reset() {
    decide(nil)
    state.withLock { $0 = .open([]) }
  }
}
