import AutoMobileSupport

/// Who wants to hear of navigation.
final class NavigationListeners: Sendable {
  private let listeners = Locked<[any NavigationListener]>([])
  /// Looked at first, so that reporting a screen takes no lock while nobody listens.
  private let number = AtomicWord()

  var count: Int { listeners.withLock { $0.count } }

  func add(_ listener: any NavigationListener) {
    change { listeners in
      if !listeners.contains(where: { $0 === listener }) { listeners.append(listener) }
    }
  }

  func remove(_ listener: any NavigationListener) { change { $0.removeAll { $0 === listener } } }

  func removeAll() { change { $0.removeAll() } }

  /// Calls them, in the order in which they came, on this thread and without a lock.
  func notify(_ event: NavigationEvent, if condition: () -> Bool) {
    guard number.value > 0, condition() else { return }
    for listener in listeners.withLock({ $0 }) {
      ErrorBarrier.run(.navigationListener) { listener.onNavigationEvent(event) }
    }
  }

  private func change(_ body: (inout [any NavigationListener]) -> Void) {
    // What was there before leaves the lock first, and is released then: a listener's end may run code of the app.
    let before = listeners.withLock { listeners in
      let before = listeners
      body(&listeners)
      number.store(UInt64(listeners.count))
      return before
    }
    withExtendedLifetime(before) {}
  }
}
