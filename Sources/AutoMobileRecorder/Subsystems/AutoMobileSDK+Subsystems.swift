extension AutoMobileSDK {
  /// Switches parts of the SDK on or off, also before initialization; then it stands above
  /// ``AutoMobileConfiguration/subsystems``.
  ///
  ///     AutoMobileSDK.shared.setEnabled(consent.allowsAnalytics, for: [.interaction, .screens])
  ///
  /// What is off observes nothing and records nothing, and costs nothing. Any thread; returns at once.
  public func setEnabled(_ enabled: Bool, for subsystems: AutoMobileSubsystems) {
    let runtime = state.withLock { state in
      state.switches.set(enabled, subsystems)
      return state.runtime
    }
    runtime?.setEnabled(enabled, for: subsystems)
  }

  /// Whether all of these are on. Before initialization: whether they will be, as far as is known. Never for what this platform
  /// does not have. While the SDK as a whole is switched off (``setEnabled(_:)``), they rest without changing their answer.
  public func isEnabled(_ subsystems: AutoMobileSubsystems) -> Bool {
    let (runtime, switches) = state.withLock { ($0.runtime, $0.switches) }
    return runtime?.isEnabled(subsystems) ?? switches.applied(to: .standard).isSuperset(of: subsystems)
  }
}
