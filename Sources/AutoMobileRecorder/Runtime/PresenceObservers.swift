import AutoMobileSupport

/// Hears when the SDK is switched off or on, whoever did: for parts in modules of their own, which rest while it does.
package final class PresenceObservers: Sendable {
  private struct State {
    var isPresent = true
    var observers: [@Sendable (Bool) -> Void] = []
  }

  private let state = Locked(State())

  /// What was told last.
  var isPresent: Bool { state.withLock { $0.isPresent } }

  /// Has a closure told of each change, on a background queue, for the rest of the process.
  package func add(_ observer: @escaping @Sendable (_ isPresent: Bool) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// From one queue, so that changes are told in their order.
  func tell(_ isPresent: Bool) {
    let observers = state.withLock { state in
      defer { state.isPresent = isPresent }
      return state.isPresent == isPresent ? [] : state.observers
    }
    for observer in observers { observer(isPresent) }
  }
}
