import AutoMobileJournal

/// Writes the context into the journal whenever it changes; events name it by its number.
///
/// The record comes before the number can be seen, so an event never names a context that is not in the journal yet.
final class ContextWriter: Sendable {
  private struct State {
    /// The one of the last number.
    var written = ContextState()
    /// 0: none yet.
    var lastId: UInt64 = 0
    /// The JSON of the last contexts, the newest last, for whoever expands events in this process.
    var recent: [[UInt8]] = []
  }

  private let journal: Journal
  private let bundleId: String?
  private let device: SdkDeviceInfo
  private let id = AtomicWord()
  /// Also keeps the records in the order of their numbers.
  private let state = Locked(State())

  /// Contexts that ``json(of:)`` knows at least.
  private static let recentCount = 256

  init(journal: Journal, bundleId: String?, device: SdkDeviceInfo) {
    self.journal = journal
    self.bundleId = bundleId
    self.device = device
  }

  /// The number of the context that holds now; nil while there is none.
  @inline(__always)
  var currentId: UInt64? {
    let id = id.value
    return id == 0 ? nil : id
  }

  /// Brings the journal up to date. On return, events recorded by this thread carry what `context` holds.
  func update(from context: SdkContext) {
    state.withLock { state in
      // Read under the lock: of two threads that change the context, the later one here has seen both changes.
      let current = context.currentState()
      if state.lastId > 0, state.written == current { return }
      let new = state.lastId &+ 1
      guard let json = encode(current, id: new) else { return }
      state.written = current
      state.lastId = new
      // A few at a time, so that it is no work each time.
      if state.recent.count >= 2 * Self.recentCount { state.recent.removeFirst(Self.recentCount) }
      state.recent.append(json)
      journal.setPreamble(.context, json)
      id.store(new)
    }
  }

  /// The record of a context of this launch; nil when it is too long ago.
  func json(of id: UInt64) -> [UInt8]? {
    state.withLock { state in
      // Numbered without gaps.
      guard id <= state.lastId, let age = Int(exactly: state.lastId &- id), age < state.recent.count else { return nil }
      return state.recent[state.recent.count - 1 - age]
    }
  }

  /// The whole context, or, when it is longer than a record that is repeated may be, without its tags.
  private func encode(_ context: ContextState, id: UInt64) -> [UInt8]? {
    encode(context, tags: context.tags, id: id) ?? encode(context, tags: [:], id: id)
  }

  private func encode(_ context: ContextState, tags: [String: String], id: UInt64) -> [UInt8]? {
    try? withJSON(limit: Self.maximumSize) { json in
      json.begin()
      json.member("contextId", Int64(clamping: id))
      json.member("sessionId", context.sessionId)
      json.member("replayId", context.replayId)
      json.member("userId", context.userId)
      json.member("anonymousId", context.anonymousId)
      json.member("appVersion", context.appVersion)
      json.member("bundleId", bundleId)
      json.member("tags", tags)
      json.object("device") { device.encodeFields(into: &$0) }
      json.finish()
    } body: {
      Array($0)
    }
  }

  /// In bytes: a context is repeated in every segment.
  static let maximumSize = 32 * 1024
}
