extension AutoMobileSDK {
  /// The session that the app is in; nil before initialization and after a long time in the
  /// background. One begins with each launch.
  public func currentSessionId() -> String? { runtime?.sessions.currentSessionId() }

  /// A tag that every event carries from now on.
  public func setTag(_ key: String, value: String) { withRuntime { $1.context.setTag(key, value: value) } }

  public func removeTag(_ key: String) { withRuntime { $1.context.removeTag(key) } }
}
