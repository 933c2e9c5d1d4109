/// What the app wants to be on, from before initialization on.
struct SubsystemSwitches: Sendable {
  private var on: AutoMobileSubsystems = []
  private(set) var off: AutoMobileSubsystems = []

  mutating func set(_ enabled: Bool, _ subsystems: AutoMobileSubsystems) {
    if enabled {
      on.formUnion(subsystems)
      off.subtract(subsystems)
    } else {
      off.formUnion(subsystems)
      on.subtract(subsystems)
    }
  }

  /// What it comes to where `configured` is said otherwise.
  func applied(to configured: AutoMobileSubsystems) -> AutoMobileSubsystems { configured.union(on).subtracting(off) }
}
