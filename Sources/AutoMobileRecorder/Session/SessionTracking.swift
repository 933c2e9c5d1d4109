/// Knows which session the app is in.
public protocol SessionTracking: AnyObject, Sendable {
  /// The session's id; nil when there is none.
  func currentSessionId() -> String?
  /// The app came to the foreground: resumes the session, or begins one.
  func onForeground()
  /// The app went to the background: the session ends unless it comes back in time.
  func onBackground()
  /// Ends the session and the timer.
  func shutdown()
}
