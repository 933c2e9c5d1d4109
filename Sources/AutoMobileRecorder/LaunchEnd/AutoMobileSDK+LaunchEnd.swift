extension AutoMobileSDK {
  /// What ended the launch before this one.
  ///
  /// Nil until it has been decided, in the background, soon after `initialize(bundleId:configuration:)`; and for good
  /// when there was no launch before, or nothing is left of it. Any thread; waits for nothing. The same is recorded as a
  /// lifecycle event, `previous_launch_ended`.
  public var previousLaunchEnd: PreviousLaunchEnd? { launchEndAnnouncement.current }

  /// Calls back once when it has been decided what ended the launch before: on this thread when that has happened, else
  /// on a queue of the SDK's. May be called before initialization.
  ///
  /// - Parameter callback: gets nil when there was no launch before, or nothing is left of it.
  public func whenPreviousLaunchEndIsKnown(_ callback: @escaping @Sendable (PreviousLaunchEnd?) -> Void) {
    launchEndAnnouncement.whenDecided(callback)
  }

  /// What ended the launch before this one, as soon as it has been decided. Waits for initialization, too.
  public func decidedPreviousLaunchEnd() async -> PreviousLaunchEnd? {
    await withCheckedContinuation { continuation in
      launchEndAnnouncement.whenDecided { continuation.resume(returning: $0) }
    }
  }
}
