extension AutoMobileSDK {
  /// Names this installation of the app, without naming anybody: made at the first `initialize(bundleId:configuration:)`
  /// and kept until ``resetIdentity()``. Every event carries it. Nil before initialization, on platforms where nothing is
  /// stored (Linux), and before the first unlock after a restart of the device.
  public var anonymousId: String? { runtime?.identity?.anonymousId }

  /// The app's name for its user, carried by every event from now on, also in later launches; nil: nobody.
  public func setUserId(_ userId: String?) {
    withRuntime { _, runtime in
      runtime.context.userId = userId
    } orOff: {
      $0.setUserId(userId)
    }
  }

  /// Forgets who the user is, as after a logout: no user id, and another ``anonymousId``. What tells a new installation from an
  /// update is kept.
  public func resetIdentity() {
    withRuntime { _, runtime in
      let anonymousId = runtime.identity?.anotherAnonymousId()
      runtime.context.userId = nil
      runtime.context.anonymousId = anonymousId
    } orOff: {
      $0.resetIdentity()
    }
  }
}
