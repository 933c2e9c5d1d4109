extension SdkEnvironment {
  /// Something that records on its own.
  struct Subsystem: Sendable {
    /// The switch that it hears; empty: it has none, and is on.
    var name: AutoMobileSubsystems = []
    /// Called once, by initialization: puts it together. Nothing is observed yet.
    var start: @Sendable (_ host: SubsystemHost) -> Void = { _ in }
    /// Called once, by an initialization that finds the SDK switched off: what came before is not kept for later. ``start`` is
    /// called when it is switched on.
    var rest: @Sendable (_ host: SubsystemHost) -> Void = { _ in }
    /// Observes and records from now on, or does neither. Any thread; the same twice does nothing.
    var setEnabled: @Sendable (_ enabled: Bool, _ host: SubsystemHost) -> Void = { _, _ in }
    var isEnabled: @Sendable () -> Bool = { true }
    /// Forgets what it keeps of what happened. Called on a background queue.
    ///
    /// - Parameter isDenial: it rests, and keeps nothing from now on.
    var erase: @Sendable (_ isDenial: Bool) -> Void = { _ in }
    /// For tests: back to how it was before.
    var reset: @Sendable () -> Void = {}
  }
}
