import AutoMobileSupport
import Foundation

/// Who uses the app, over launches: an anonymous id, made once, and the user's id, once the app has said it.
///
/// Nothing is written before ``settle(into:)``: until the device is unlocked for the first time after a restart, what is stored
/// cannot be read, and would be taken for nothing. While the SDK is switched off nothing is written either. But who has gone is
/// forgotten at once, whatever the time.
///
/// Beside it stands of which erasure it was known when it was stored. Others that share the recordings, an app and its extension,
/// each have a store of their own: who was erased by another one's word, while this one did not run, does not come back.
final class Identity: UserKeeping, @unchecked Sendable {
  // Unchecked, because of `order`, which is a lock; what changes is in `state`.
  static let anonymousIdKey = "automobile:identity:anonymousId"
  static let userIdKey = "automobile:identity:userId"
  /// Milliseconds since 1970; missing: 0.
  static let erasedAtKey = "automobile:identity:erasedAt"

  private struct State {
    /// The last erasure that has reached this identity, in milliseconds since 1970; 0: none.
    var erasedAt: Int64
    /// An earlier launch had stored an identity, which was erased meanwhile.
    var wasErased = false
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

    var mayKeep: Bool { isSettled && !isResting }
  }

  let store: any KeyValueStore
  private let state: Locked<State>
  /// One change after the other, up to the store. Recursive, because whoever observes the app's user defaults is called while they
  /// are changed, on the same thread, and may ask or say who the user is.
  private let order = NSRecursiveLock()

  /// - Parameter erasedAt: when everything was last erased, by any process, in milliseconds since 1970; 0: never.
  init(store: any KeyValueStore, erasedAt: Int64 = 0) {
    self.store = store
    state = Locked(State(erasedAt: erasedAt))
    removeErased()
    let stored = store.string(Self.anonymousIdKey)
    state.withLock { $0.anonymousId = stored }
  }

  /// Nil until it has been made, or read.
  var anonymousId: String? { state.withLock { $0.anonymousId } }

  /// As an earlier launch stored it.
  var storedUserId: String? { store.string(Self.userIdKey) }

  func userWillBeSaid() { state.withLock { $0.isSaid = true } }

  func userWasSaid(in context: SdkContext) {
    order.withLock {
      // Asked for in here: of two threads, the later one here keeps what the context ended with.
      let id = context.userId
      let mayKeep = state.withLock { state in
        state.userId = state.mayKeep ? nil : .some(id)
        return state.mayKeep
      }
      if mayKeep || id == nil { keep(id, as: Self.userIdKey) }
    }
  }

  func anotherAnonymousId() -> String? {
    order.withLock {
      state.withLock { state in
        state.anonymousId = UUID().uuidString
        state.isNew = true
      }
      keepAnonymousId()
      return anonymousId
    }
  }

  /// Keeps nothing from now on.
  func rest() { state.withLock { $0.isResting = true } }

  /// Keeps what has been said meanwhile, and a name for the installation when it has none, which the context gets.
  func goOn(in context: SdkContext) {
    order.withLock {
      let userId = state.withLock { state -> String?? in
        state.isResting = false
        guard state.isSettled else { return nil }
        defer { state.userId = nil }
        return state.userId
      }
      if let userId { keep(userId, as: Self.userIdKey) }
      if state.withLock({ $0.isSettled && ($0.isNew || $0.anonymousId == nil) }) { keepAnonymousId() }
      context.anonymousId = anonymousId
    }
  }

  /// What is stored can be read now: tells the context who the user is, unless the app has, and makes the anonymous id when there
  /// is none. Only the first call does anything.
  ///
  /// - Returns: whether an earlier launch had stored an identity; nil for later calls.
  func settle(into context: SdkContext) -> Bool? {
    order.withLock {
      if !state.withLock({ $0.isSettled }) { removeErased() }
      let (stored, storedUser) = (store.string(Self.anonymousIdKey), storedUserId)
      let before = state.withLock { state -> State? in
        guard !state.isSettled else { return nil }
        state.isSettled = true
        if !state.isNew { state.anonymousId = stored }
        return state
      }
      guard let before else { return nil }
      if before.isNew || stored == nil { keepAnonymousId() }
      if let said = before.userId, !before.isResting || said == nil {
        keep(said, as: Self.userIdKey)
        state.withLock { $0.userId = nil }
      }
      // Whoever says it now comes before this, and is seen, or after it.
      state.withLock { state in
        context.restore(userId: state.isSaid ? nil : storedUser, anonymousId: state.anonymousId)
      }
      return stored != nil || storedUser != nil || before.wasErased
    }
  }

  /// Forgets both, also where they are stored. The next anonymous id is another one.
  ///
  /// - Parameter erasedAt: the erasure of which that is a part, in milliseconds since 1970; nil: none.
  func erase(at erasedAt: Int64? = nil) {
    order.withLock {
      state.withLock { state in
        state.erasedAt = erasedAt ?? state.erasedAt
        state.isSaid = true
        state.userId = nil
        state.anonymousId = nil
        state.isNew = true
      }
      removeStored()
      // Another one is made when there may be one.
      if state.withLock({ $0.mayKeep }) { keepAnonymousId() }
    }
  }

  /// Stores it, and makes one when there is none; while nothing is to be kept, the one that is stored goes at least.
  private func keepAnonymousId() {
    let id = state.withLock { state -> String? in
      guard state.mayKeep else {
        state.isNew = true
        return nil
      }
      state.isNew = false
      state.anonymousId = state.anonymousId ?? UUID().uuidString
      return state.anonymousId
    }
    keep(id, as: Self.anonymousIdKey)
  }

  /// Says first of which erasure it was known; nil removes a value.
  private func keep(_ value: String?, as key: String) {
    let erasedAt = state.withLock { $0.erasedAt }
    if value != nil, erasedAt != storedErasedAt { store.set(Self.erasedAtKey, erasedAt > 0 ? String(erasedAt) : nil) }
    store.set(key, value)
  }

  private var storedErasedAt: Int64 { store.string(Self.erasedAtKey).flatMap { Int64($0) } ?? 0 }

  /// Removes what was stored before an erasure that has not reached it.
  private func removeErased() {
    let erasedAt = state.withLock { $0.erasedAt }
    guard erasedAt > 0, store.string(Self.anonymousIdKey) != nil || storedUserId != nil, storedErasedAt < erasedAt
    else { return }
    removeStored()
    state.withLock { $0.wasErased = true }
  }

  private func removeStored() {
    store.set(Self.userIdKey, nil)
    store.set(Self.anonymousIdKey, nil)
    // Last: without it, what is stored has to go.
    store.set(Self.erasedAtKey, nil)
  }
}
