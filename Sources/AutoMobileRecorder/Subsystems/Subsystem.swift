extension SdkEnvironment {
  /// Something that records on its own.
  package struct Subsystem: Sendable {
    /// The switch that it hears; empty: it has none, and is on.
    package var name: AutoMobileSubsystems
    /// Called once, by initialization: puts it together. Nothing is observed yet.
    package var start: @Sendable (_ host: SubsystemHost) -> Void
    /// Called once, by an initialization that finds the SDK switched off: what came before is not kept for later. ``start`` is
    /// called when it is switched on.
    package var rest: @Sendable (_ host: SubsystemHost) -> Void
    /// Observes and records from now on, or does neither. Any thread; the same twice does nothing.
    package var setEnabled: @Sendable (_ enabled: Bool, _ host: SubsystemHost) -> Void
    package var isEnabled: @Sendable () -> Bool
    /// Forgets what it keeps of what happened. Called on a background queue.
    ///
    /// - Parameter isDenial: it rests, and keeps nothing from now on.
    package var erase: @Sendable (_ isDenial: Bool) -> Void
    /// Waits, a second at most, until what the app has already been told of is recorded.
    package var settle: @Sendable () async -> Void
    /// What keeps it from its work, for ``AutoMobileSDK/diagnostics``; nil: nothing.
    package var failure: @Sendable () -> String?
    /// For tests: back to how it was before.
    package var reset: @Sendable () -> Void

    package init(
      name: AutoMobileSubsystems = [], start: @escaping @Sendable (SubsystemHost) -> Void = { _ in },
      rest: @escaping @Sendable (SubsystemHost) -> Void = { _ in },
      setEnabled: @escaping @Sendable (Bool, SubsystemHost) -> Void = { _, _ in },
      isEnabled: @escaping @Sendable () -> Bool = { true }, erase: @escaping @Sendable (Bool) -> Void = { _ in },
      settle: @escaping @Sendable () async -> Void = {}, failure: @escaping @Sendable () -> String? = { nil },
      reset: @escaping @Sendable () -> Void = {}
    ) {
      self.name = name
      self.start = start
      self.rest = rest
      self.setEnabled = setEnabled
      self.isEnabled = isEnabled
      self.erase = erase
      self.settle = settle
      self.failure = failure
      self.reset = reset
    }
  }
}
