import Foundation

/// Who uses the app, over launches: an anonymous id, made once, and the user's id, once the app has said it.
///
/// Nothing is written before ``settle(into:)``: until the device is unlocked for the first time after a restart, what is stored
/// cannot be read, and would be taken for nothing. While the SDK is switched off nothing is written either, but who has gone is
/// forgotten at once.
final class Identity: UserKeeping {
  static let anonymousIdKey = "automobile:identity:anonymousId"
  static let userIdKey = "automobile:identity:userId"

  private struct State {
    var isSettled = false
    /// Nothing is to be kept for now.
    var isResting = false
    /// The app has said who the user is, or that there is none: what an earlier launch knew does not count any more.
    var isSaid = false
    /// What the app has said since it could last be kept.
    var userId: String??
    var anonymousId: String?
    /// It is another one than the one that is stored, or there is none.
    var isNew = false
  }

  let store: any KeyValueStore
  private let state: Locked<State>

  init(store: any KeyValueStore) {
    self.store = store
    state = Locked(State(anonymousId: store.string(Self.anonymousIdKey)))
  }

  /// Nil until it has been made, or read.
  var anonymousId: String? { state.withLock { $0.anonymousId } }

  /// As an earlier launch stored it.
  var storedUserId: String? { store.string(Self.userIdKey) }

  func userWillBeSaid() { state.withLock { $0.isSaid = true } }

  func userWasSaid(in context: SdkContext) {
    state.withLock { state in
      // Asked for under the lock: of two threads, the later one here keeps what the context ended with.
      let id = context.userId
      // Who has gone is forgotten at once.
      if state.isSettled, !state.isResting || id == nil {
        store.set(Self.userIdKey, id)
        state.userId = nil
      } else {
        state.userId = .some(id)
      }
    }
  }

  func anotherAnonymousId() -> String? {
    state.withLock { state in
      state.anonymousId = UUID().uuidString
      keepAnonymousId(&state)
      return state.anonymousId
    }
  }

  /// Keeps nothing for now, or what has been said meanwhile, and a name for the installation when it has none.
  ///
  /// - Returns: that name.
  @discardableResult
  func setResting(_ isResting: Bool) -> String? {
    state.withLock { state in
      state.isResting = isResting
      guard !isResting, state.isSettled else { return state.anonymousId }
      if let userId = state.userId { store.set(Self.userIdKey, userId) }
      state.userId = nil
      if state.isNew || state.anonymousId == nil { keepAnonymousId(&state) }
      return state.anonymousId
    }
  }

  /// What is stored can be read now: tells the context who the user is, unless the app has, and makes the anonymous id when there
  /// is none. Only the first call does anything.
  ///
  /// - Returns: whether an earlier launch had stored an identity; nil for later calls.
  func settle(into context: SdkContext) -> Bool? {
    state.withLock { state in
      guard !state.isSettled else { return nil }
      state.isSettled = true
      let stored = store.string(Self.anonymousIdKey)
      let userId = storedUserId
      if !state.isNew { state.anonymousId = stored }
      if state.isNew || stored == nil { keepAnonymousId(&state) }
      if let said = state.userId, !state.isResting || said == nil {
        store.set(Self.userIdKey, said)
        state.userId = nil
      }
      // Under the lock: whoever says it now comes before this, and is seen, or after it.
      context.restore(userId: state.isSaid ? nil : userId, anonymousId: state.anonymousId)
      return stored != nil || userId != nil
    }
  }

  /// Forgets both, also where they are stored. The next anonymous id is another one.
  func erase() {
    state.withLock { state in
      state.isSaid = true
      state.userId = nil
      store.set(Self.userIdKey, nil)
      store.set(Self.anonymousIdKey, nil)
      state.anonymousId = nil
      // Another one is made when there may be one.
      if state.isSettled, !state.isResting { keepAnonymousId(&state) }
    }
  }

  /// Stores it, and makes one when there is none; while nothing is to be kept, the one that is stored goes at least.
  private func keepAnonymousId(_ state: inout State) {
    guard state.isSettled, !state.isResting else {
      state.isNew = true
      if state.isSettled { store.set(Self.anonymousIdKey, nil) }
      return
    }
    let id = state.anonymousId ?? UUID().uuidString
    state.anonymousId = id
    state.isNew = false
    store.set(Self.anonymousIdKey, id)
  }
}
