extension AutoMobileSDK {
  /// The session that the app is in; nil before the first foreground and after a long time in the background.
  public func currentSessionId() -> String? { runtime?.sessions.currentSessionId() }

  /// A tag that every event carries from now on.
  public func setTag(_ key: String, value: String) { sdkContext?.setTag(key, value: value) }

  public func removeTag(_ key: String) { sdkContext?.removeTag(key) }
}
