import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a delegate has seen of tasks that have not ended, as far as it knows.
///
/// A task that has a closure ends without a word to the delegate, and one that was never resumed does not end. So nothing here
/// keeps a task alive, what belongs to one that is gone is forgotten at the next look, and an address that is used again is
/// not taken for the task that was there before. Any thread.
final class SeenTasks<Seen: Sendable>: Sendable {
  // Unchecked, because tasks are not Sendable by every SDK: only their identity and state are looked at.
  private struct Entry: @unchecked Sendable {
    weak var task: URLSessionTask?
    /// Of its session, which lives as long as it is told of.
    var session: ObjectIdentifier
    var seen: Seen
    /// The task had ended when it was looked at, and its delegate may be about to hear of it.
    var hadEnded = false
  }
  private struct State {
    /// By the task itself: its number is unique within one session only, and several may have this delegate.
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = SeenTasks.least
  }
  private let state = Locked(State())

  /// So many are kept before anybody looks which of them are gone.
  static var least: Int { 64 }

  var count: Int { state.withLock { $0.entries.count } }

  func change(_ task: URLSessionTask, in session: URLSession, new: () -> Seen, _ body: (inout Seen) -> Void) {
    let key = ObjectIdentifier(task)
    state.withLock { state in
      let known = state.entries[key].flatMap { $0.task === task ? $0 : nil }
      var entry = known ?? Entry(task: task, session: ObjectIdentifier(session), seen: new())
      body(&entry.seen)
      state.entries[key] = entry
      if known == nil, state.entries.count > state.limit { Self.look(&state) }
    }
  }

  /// The task has ended, and its delegate has heard of it.
  func remove(_ task: URLSessionTask) -> Seen? {
    state.withLock { state in
      state.entries.removeValue(forKey: ObjectIdentifier(task)).flatMap { $0.task === task ? $0.seen : nil }
    }
  }

  /// The session tells of nothing any more.
  func removeAll(of session: URLSession) {
    state.withLock { state in
      state.entries = state.entries.filter { $0.value.session != ObjectIdentifier(session) }
    }
  }

  private static func look(_ state: inout State) {
    for (key, entry) in state.entries {
      // One that the app keeps after its end had its closure called: its delegate would have heard by the second look.
      guard let task = entry.task, !entry.hadEnded else {
        state.entries[key] = nil
        continue
      }
      if task.state == .completed { state.entries[key]?.hadEnded = true }
    }
    // So that it is looked through at intervals, however many there are at a time.
    state.limit = max(least, state.entries.count.adding(saturating: state.entries.count))
  }
}
