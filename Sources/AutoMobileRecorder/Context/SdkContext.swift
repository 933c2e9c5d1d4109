import AutoMobileSupport
import Foundation

/// What every event carries: session, user, version and tags. Safe from any thread.
///
/// A change holds for the events that are recorded after it, and for none before.
public final class SdkContext: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`.
  private let state: Locked<ContextState>
  /// Called after a change, outside the lock, on the thread that made it.
  private let onChange: (@Sendable (SdkContext) -> Void)?
  /// Keeps the user over launches.
  private let user: (any UserKeeping)?

  public convenience init() { self.init(onChange: nil) }

  init(
    _ initial: ContextState = ContextState(), user: (any UserKeeping)? = nil,
    onChange: (@Sendable (SdkContext) -> Void)?
  ) {
    state = Locked(initial)
    self.user = user
    self.onChange = onChange
  }

  /// The current session; nil when there is none.
  public var sessionId: String? {
    get { state.withLock { $0.sessionId } }
    set { change { $0.sessionId = newValue } }
  }

  /// The app's name for its user, also in later launches: see ``AutoMobileSDK/setUserId(_:)``. Nil, as after a logout, is kept
  /// as well.
  public var userId: String? {
    get { state.withLock { $0.userId } }
    set {
      // Before it changes: what an earlier launch kept is not restored over what the app says now.
      user?.userWillBeSaid()
      change { $0.userId = newValue }
      user?.userWasSaid(in: self)
    }
  }

  /// The app's version, as `CFBundleShortVersionString` gives it.
  public var appVersion: String? {
    get { state.withLock { $0.appVersion } }
    set { change { $0.appVersion = newValue } }
  }

  /// Names the installation.
  var anonymousId: String? {
    get { state.withLock { $0.anonymousId } }
    set { change { $0.anonymousId = newValue } }
  }

  /// The running replay; nil when there is none.
  package var replayId: String? {
    get { state.withLock { $0.replayId } }
    set { change { $0.replayId = newValue } }
  }

  /// Sets a tag; an earlier value of the same key is replaced.
  public func setTag(_ key: String, value: String) { change { $0.tags[key] = value } }

  public func removeTag(_ key: String) { change { $0.tags[key] = nil } }

  public func clearTags() { change { $0.tags = [:] } }

  /// All of it, at one moment.
  public func snapshot() -> SdkContextSnapshot {
    let state = self.state.withLock { $0 }
    return SdkContextSnapshot(
      sessionId: state.sessionId, userId: state.userId, appVersion: state.appVersion, tags: state.tags)
  }

  /// Forgets session, user, version, replay and tags. The user is forgotten for later launches, too, and the installation has
  /// another name from now on, as after ``AutoMobileSDK/resetIdentity()``.
  public func reset() {
    user?.userWillBeSaid()
    let anonymousId = user?.anotherAnonymousId()
    change { $0 = ContextState(anonymousId: anonymousId) }
    user?.userWasSaid(in: self)
  }

  /// The user whom an earlier launch knew, unless the app has named one meanwhile; and the name of the installation.
  func restore(userId: String?, anonymousId: String?) {
    change { state in
      state.userId = state.userId ?? userId
      state.anonymousId = anonymousId
    }
  }

  /// Nobody is known any more, and what the app said about things is gone as well.
  func forgetUser(anonymousId: String?) {
    change { state in
      state.userId = nil
      state.anonymousId = anonymousId
      state.tags = [:]
    }
  }

  func currentState() -> ContextState { state.withLock { $0 } }

  private func change(_ body: (inout ContextState) -> Void) {
    let changed = state.withLock { state in
      let before = state
      body(&state)
      return state != before
    }
    if changed { onChange?(self) }
  }
}

/// Who keeps over launches what the context says of the user.
protocol UserKeeping: Sendable {
  /// The app is about to say who the user is: nobody else does from now on.
  func userWillBeSaid()
  /// It has; the context knows.
  func userWasSaid(in context: SdkContext)
  /// The installation gets another name: that one. Nil where it has none.
  func anotherAnonymousId() -> String?
}

/// The part of the context that changes while the app runs.
struct ContextState: Equatable, Sendable {
  var sessionId: String?
  var replayId: String?
  var userId: String?
  var anonymousId: String?
  var appVersion: String?
  var tags: [String: String] = [:]
}
