import Foundation

/// Who uses the app, over launches: an anonymous id, made once, and the user's id, once the app has said it.
///
/// Nothing is written before ``settle()``: until the device is unlocked for the first time after a restart, what is stored
/// cannot be read, and would be taken for nothing.
final class Identity: Sendable {
  static let anonymousIdKey = "automobile:identity:anonymousId"
  static let userIdKey = "automobile:identity:userId"

  private struct State {
    var isSettled = false
    /// Nothing is to be kept for now.
    var isResting = false
    /// What the app has said since it could last be kept.
    var userId: String??
    var anonymousId: String?
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

  func setUserId(_ id: String?) {
    state.withLock { state in
      // Who has gone is forgotten at once.
      if state.isSettled, !state.isResting || id == nil {
        store.set(Self.userIdKey, id)
        state.userId = nil
      } else {
        state.userId = .some(id)
      }
    }
  }

  /// Keeps nothing for now, or what has been said meanwhile.
  func setResting(_ isResting: Bool) {
    state.withLock { state in
      state.isResting = isResting
      guard !isResting, state.isSettled, let userId = state.userId else { return }
      store.set(Self.userIdKey, userId)
      state.userId = nil
    }
  }

  /// What is stored can be read now: makes the anonymous id when there is none. Only the first call does anything.
  ///
  /// - Returns: whether an earlier launch had stored an identity; nil for later calls.
  func settle() -> Bool? {
    state.withLock { state in
      guard !state.isSettled else { return nil }
      state.isSettled = true
      let anonymousId = store.string(Self.anonymousIdKey)
      let wasKnown = anonymousId != nil || storedUserId != nil
      state.anonymousId = anonymousId ?? makeAnonymousId()
      if let userId = state.userId { store.set(Self.userIdKey, userId) }
      state.userId = nil
      return wasKnown
    }
  }

  /// Another anonymous id, and no user. What is stored besides stays.
  ///
  /// - Returns: the new id.
  func reset() -> String {
    state.withLock { state in
      let new = makeAnonymousId()
      state.isSettled = true
      state.anonymousId = new
      store.set(Self.userIdKey, nil)
      return new
    }
  }

  private func makeAnonymousId() -> String {
    let new = UUID().uuidString
    store.set(Self.anonymousIdKey, new)
    return new
  }
}
