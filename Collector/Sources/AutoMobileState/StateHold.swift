/// Work that one collector does at a time, by name: `alerts`, `retention`, a lane of a forwarder.
package struct StateWork: Sendable, Hashable, CustomStringConvertible {
  package let name: String
  package var description: String { name }

  package init(_ name: String) { self.name = name }
}

/// That this collector has a ``StateWork``. Given up with ``release()``, and when nobody has it any more.
package final class StateHold: Sendable {
  package let work: StateWork
  private let stillHeld: @Sendable () -> Bool
  private let giveUp: @Sendable () -> Void

  /// - Parameters:
  ///   - isHeld: whether the connection that it hangs on is still there. Called from any thread, returns at once.
  ///   - release: gives it up. May be called more than once, from any thread; returns at once.
  package init(_ work: StateWork, isHeld: @escaping @Sendable () -> Bool, release: @escaping @Sendable () -> Void) {
    self.work = work
    stillHeld = isHeld
    giveUp = release
  }

  /// False when it was released, or lost with its connection: then somebody else may have it.
  package var isHeld: Bool { stillHeld() }

  package func release() { giveUp() }

  deinit { giveUp() }
}
