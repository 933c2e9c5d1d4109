import AutoMobileSupport

extension MaskingRules {
  private static let ofThisProcess = Locked(MaskingRules())

  /// Those that hold in this process for whatever is recorded of touches: of the replay that is recorded, pictures or not, else the
  /// defaults. Any thread, and from then on: a tap that comes just after a replay has begun is one of it.
  package static var current: MaskingRules {
    get { ofThisProcess.withLock { $0 } }
    set {
      // What was there before is released outside the lock.
      let before = ofThisProcess.withLock { rules in
        defer { rules = newValue }
        return rules
      }
      withExtendedLifetime(before) {}
    }
  }
}
