import AutoMobileJournal
import AutoMobileSupport

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
    /// What of the context of the last number is left out.
    var leftOut: [String] = []
    /// Nothing is recorded, so nothing is written down of what the app says meanwhile.
    var isResting = false
    /// What has changed in that time. It holds this writer.
    weak var stale: SdkContext?
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
      if state.isResting {
        state.stale = context
        return
      }
      // Read under the lock: of two threads that change the context, the later one here has seen both changes.
      let current = context.currentState()
      if state.lastId > 0, state.written == current { return id.store(state.lastId) }
      let new = state.lastId &+ 1
      // Without memory for it: events that say nothing of their user, rather than events under the one before.
      guard let (json, leftOut) = record(of: current, id: new) else { return id.store(0) }
      state.written = current
      state.lastId = new
      state.leftOut = leftOut
      // A few at a time, so that it is no work each time.
      if state.recent.count >= 2 * Self.recentCount { state.recent.removeFirst(Self.recentCount) }
      state.recent.append(json)
      journal.setPreamble(.context, json)
      id.store(new)
    }
  }

  /// Writes nothing from now on, until ``goOn()``.
  func rest() { state.withLock { $0.isResting = true } }

  /// Brings the journal up to date before anything is recorded again.
  func goOn() {
    let stale = state.withLock { state in
      state.isResting = false
      defer { state.stale = nil }
      return state.stale
    }
    if let stale { update(from: stale) }
  }

  /// The record of a context of this launch; nil when it is too long ago.
  func json(of id: UInt64) -> [UInt8]? {
    state.withLock { state in
      // Numbered without gaps.
      guard id <= state.lastId, let age = Int(exactly: state.lastId &- id), age < state.recent.count else { return nil }
      return state.recent[state.recent.count - 1 - age]
    }
  }

  /// The names of what is not in the current context's record, because the whole is longer than ``maximumSize``: members, and tags as
  /// `tags.NAME`.
  var leftOut: [String] { state.withLock { $0.leftOut } }

  /// The whole context, or as much of it as fits, and what does not.
  private func record(of context: ContextState, id: UInt64) -> (json: [UInt8], leftOut: [String])? {
    if let json = encode(context, id: id) { return (json, []) }
    let fitted = ContextFit(context, within: Self.maximumSize) { encode($0, id: id)?.count }
    return encode(fitted.context, id: id).map { ($0, fitted.leftOut) }
  }

  private func encode(_ context: ContextState, id: UInt64) -> [UInt8]? {
    try? withJSON(limit: Self.maximumSize) { json in
      json.begin()
      json.member("contextId", Int64(clamping: id))
      json.member("sessionId", context.sessionId)
      json.member("replayId", context.replayId)
      json.member("userId", context.userId)
      json.member("anonymousId", context.anonymousId)
      json.member("appVersion", context.appVersion)
      json.member("bundleId", bundleId.flatMap { $0.utf8.count <= Self.longestBundleId ? $0 : nil })
      json.member("tags", context.tags)
      json.object("device") { device.encodeFields(into: &$0) }
      json.finish()
    } body: {
      Array($0)
    }
  }

  /// In bytes: a context is repeated in every segment.
  static let maximumSize = 32 * 1024
  /// In bytes; no name of a bundle is that long.
  private static let longestBundleId = 1024
}
