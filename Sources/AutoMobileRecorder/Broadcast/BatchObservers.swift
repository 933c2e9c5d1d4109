import AutoMobileSupport

/// Who wants to see batches of events in this process.
final class BatchObservers: Sendable {
  typealias Observer = @Sendable ([any SdkEvent]) -> Void

  private struct State {
    var observers: [(id: UInt64, call: Observer)] = []
    var nextId: UInt64 = 0
  }
  private let state = Locked(State())

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  func add(_ observer: @escaping Observer) -> BatchObservation {
    let id = state.withLock { state in
      state.nextId &+= 1
      state.observers.append((state.nextId, observer))
      return state.nextId
    }
    return BatchObservation { [weak self] in self?.remove(id) }
  }

  /// Calls all of them, in the order in which they came, on the calling thread.
  func notify(_ events: [any SdkEvent]) {
    for observer in state.withLock({ $0.observers }) {
      ErrorBarrier.run(.batchObserver) { observer.call(events) }
    }
  }

  func removeAll() {
    _ = state.withLock { state in
      defer { state.observers = [] }
      return state.observers
    }
  }

  private func remove(_ id: UInt64) {
    // The closure is handed out, and what it holds released outside the lock.
    _ = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
  }
}
