import Foundation

/// What every event carries: session, user, version and tags. Safe from any thread.
///
/// A change holds for the events that are recorded after it, and for none before.
public final class SdkContext: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`.
  private let state: Locked<ContextState>
  /// Called after a change, outside the lock, on the thread that made it.
  private let onChange: (@Sendable (SdkContext) -> Void)?

  public convenience init() { self.init(onChange: nil) }

  init(_ initial: ContextState = ContextState(), onChange: (@Sendable (SdkContext) -> Void)?) {
    state = Locked(initial)
    self.onChange = onChange
  }

  /// The current session; nil when there is none.
  public var sessionId: String? {
    get { state.withLock { $0.sessionId } }
    set { change { $0.sessionId = newValue } }
  }

  /// The app's name for its user.
  public var userId: String? {
    get { state.withLock { $0.userId } }
    set { change { $0.userId = newValue } }
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

  /// Forgets session, user, version, replay and tags.
  public func reset() { change { $0 = ContextState() } }

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

/// The part of the context that changes while the app runs.
struct ContextState: Equatable, Sendable {
  var sessionId: String?
  var replayId: String?
  var userId: String?
  var anonymousId: String?
  var appVersion: String?
  var tags: [String: String] = [:]
}
