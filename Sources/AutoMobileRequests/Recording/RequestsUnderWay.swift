import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport

/// Keeps in the journal which requests have begun and have not ended, for the launch after one that ends in the middle of
/// some.
///
/// What begins is noted at once, and so is its end. The journal keeps the last ``retained`` of these notes, also when
/// everything else has been delivered and removed; so a request that lasts is noted again when many others came.
package final class RequestsUnderWay: Sendable {
  /// So many at once are followed, the latest.
  static let most = 64
  /// Notes after which one that is followed is noted again.
  static let interval: UInt64 = 96
  /// Notes that the journal keeps. Each request that is followed is among so many: within ``interval`` it is due, and what
  /// is due with it, and one that begins, come before it at most.
  static let retained = JournalOptions.requestsKept

  private struct Request {
    let id: String
    let note: [UInt8]
    var notedAt: UInt64
  }

  private struct State {
    /// In the order in which they began.
    var requests: [Request] = []
    /// Written so far.
    var notes: UInt64 = 0
  }

  private let state = Locked(State())

  /// Notes a request; nothing when requests are not recorded now. Any thread.
  ///
  /// - Parameter event: what the next launch will record, if it comes to that.
  func begin(_ event: SdkNetworkRequestEvent, id: String, in buffer: SdkEventBuffer) {
    guard let note = buffer.json(of: event) else { return }
    // Written under the lock, which a record takes less than a microsecond of, so that no note comes after that of the end.
    state.withLock { state in
      if state.requests.count >= Self.most { Self.end(at: 0, &state, buffer) }
      state.notes &+= 1
      state.requests.append(Request(id: id, note: note, notedAt: state.notes))
      buffer.keep(note, as: .provisionalRequest)
      Self.noteAgain(&state, buffer)
    }
  }

  /// Notes that a request has ended. Nothing happens when it was not noted. Any thread.
  func end(_ id: String, in buffer: SdkEventBuffer) {
    state.withLock { state in
      guard let index = state.requests.firstIndex(where: { $0.id == id }) else { return }
      Self.end(at: index, &state, buffer)
      Self.noteAgain(&state, buffer)
    }
  }

  /// Nobody is to hear of those that are under way now.
  func endAll(in buffer: SdkEventBuffer) {
    state.withLock { state in
      while !state.requests.isEmpty { Self.end(at: 0, &state, buffer) }
    }
  }

  /// As if none had begun here; what is noted stays.
  func forget() { state.withLock { $0.requests = [] } }

  private static func end(at index: Int, _ state: inout State, _ buffer: SdkEventBuffer) {
    let request = state.requests.remove(at: index)
    state.notes &+= 1
    EndNote.write(request.id, as: .provisionalRequest, in: buffer)
  }

  private static func noteAgain(_ state: inout State, _ buffer: SdkEventBuffer) {
    for index in state.requests.indices where state.notes &- state.requests[index].notedAt >= interval {
      state.notes &+= 1
      state.requests[index].notedAt = state.notes
      buffer.keep(state.requests[index].note, as: .provisionalRequest)
    }
  }
}
