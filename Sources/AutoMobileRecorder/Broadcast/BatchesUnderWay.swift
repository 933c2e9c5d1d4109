import AutoMobileSupport

/// The kept batches that are on their way to the receiver, so that no second request is made of one.
final class BatchesUnderWay: Sendable {
  private struct State {
    var underWay: Set<String> = []
    /// Those that have been, since the oldest replay that is still reading began.
    var known: Set<String> = []
    var replays = 0
    var last: UInt64 = 0
  }

  private let state = Locked(State())

  /// The next place in the order of batches.
  func nextSequence() -> UInt64 {
    state.withLock { state in
      state.last &+= 1
      return state.last
    }
  }

  /// False when it is under way already, or was while a replay read what there is.
  func begin(_ batchId: String) -> Bool {
    state.withLock { state in
      if state.replays > 0, !state.known.insert(batchId).inserted { return false }
      return state.underWay.insert(batchId).inserted
    }
  }

  func end(_ batchId: String) { state.withLock { _ = $0.underWay.remove(batchId) } }

  /// Calls `body`, which reads what there is and begins some of it: a batch that ends meanwhile is not begun again.
  func replaying(_ body: () -> Void) {
    state.withLock { state in
      state.replays += 1
      state.known.formUnion(state.underWay)
    }
    body()
    state.withLock { state in
      state.replays -= 1
      if state.replays == 0 { state.known = [] }
    }
  }
}
