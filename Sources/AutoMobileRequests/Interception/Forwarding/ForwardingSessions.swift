import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The forwarding sessions, one for each distinct configuration of the app's sessions. Any thread.
final class ForwardingSessions: Sendable {
  static let shared = ForwardingSessions()
  /// Of more, those used longest ago are let go, and end when their last load does.
  static let mostSessions = 8

  private struct Entry {
    var session: ForwardingSession
    /// Keeps the storages that the key names by identity.
    var configuration: URLSessionConfiguration
    var lastUse: Int
  }
  // Unchecked, because configurations are not Sendable: these are copies of our own that nobody changes.
  private struct State: @unchecked Sendable {
    var entries: [ForwardingKey: Entry] = [:]
    var uses = 0
  }
  private let state = Locked(State())

  func session(for configuration: URLSessionConfiguration) -> ForwardingSession {
    let key = ForwardingKey(configuration)
    var letGo: Entry?
    let session = state.withLock { state in
      state.uses &+= 1
      if var entry = state.entries[key] {
        entry.lastUse = state.uses
        state.entries[key] = entry
        return entry.session
      }
      if state.entries.count >= Self.mostSessions,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        letGo = state.entries.removeValue(forKey: oldest.key)
      }
      let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
      let session = ForwardingSession(copy)
      state.entries[key] = Entry(session: session, configuration: copy, lastUse: state.uses)
      return session
    }
    withExtendedLifetime(letGo) {}
    return session
  }

  var count: Int { state.withLock { $0.entries.count } }
}
