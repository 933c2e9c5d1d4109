import HummingbirdCore
import NIOConcurrencyHelpers
import NIOCore

/// Who has one of the connections that the collector keeps open.
///
/// When all places are taken, a new connection gets the place of the one that waits for a request for longest: that
/// has said nothing, or nothing since its last answer, or has begun a head and not ended it. So whoever opens
/// connections and holds them closes their own. A connection with a whole head keeps its place until it is answered;
/// when there is no other kind, nobody is let in.
final class ConnectionPlaces: AvailableConnectionsDelegate {
  /// What a connection does.
  enum Occupation: Sendable, Equatable {
    /// Waits for a request, or for the rest of its head, since then.
    case waiting(since: NIODeadline)
    case asking
  }

  private struct State {
    var places: [ObjectIdentifier: (channel: any Channel, occupation: Occupation)] = [:]
    /// Those that are accepted and not closed, as the listening socket counts.
    var open = 0
    /// Somebody is at the door.
    var isFull = false

    /// Gives up the place of the one that waits for longest.
    mutating func vacate() -> (any Channel)? {
      var longest: (id: ObjectIdentifier, since: NIODeadline)?
      for (id, place) in places {
        if case .waiting(let since) = place.occupation, longest.map({ since < $0.since }) ?? true {
          longest = (id, since)
        }
      }
      return longest.flatMap { places.removeValue(forKey: $0.id)?.channel }
    }

    var hasWaiting: Bool { places.values.contains { $0.occupation != .asking } }
  }

  private let limit: Int
  /// Closing takes a moment. So many are open above the limit meanwhile.
  private let slack: Int
  private let state = NIOLockedValueBox(State())

  init(limit: Int) {
    self.limit = limit
    slack = max(1, limit / 8)
  }

  /// A connection takes a place, if need be that of another one.
  func take(_ channel: any Channel) {
    let displaced = state.withLockedValue { state in
      let displaced = state.places.count >= limit ? state.vacate() : nil
      state.places[ObjectIdentifier(channel)] = (channel, .waiting(since: .now()))
      return displaced
    }
    displaced?.close(promise: nil)
  }

  /// One that lost its place while this was on its way has none to change.
  func set(_ occupation: Occupation, of channel: any Channel) {
    let displaced: (any Channel)? = state.withLockedValue { state in
      guard state.places[ObjectIdentifier(channel)] != nil else { return nil }
      state.places[ObjectIdentifier(channel)]?.occupation = occupation
      guard occupation != .asking, state.isFull, state.places.count >= limit else { return nil }
      return state.vacate()
    }
    displaced?.close(promise: nil)
  }

  func leave(_ channel: any Channel) {
    state.withLockedValue { _ = $0.places.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  // MARK: The listening socket

  func connectionOpened() { state.withLockedValue { $0.open += 1 } }

  func connectionClosed() { state.withLockedValue { $0.open -= 1 } }

  /// Asked again after each connection that closes.
  func isAcceptingNewConnections() -> Bool {
    state.withLockedValue { state in
      let isAccepting = state.open < limit || state.open < limit + slack && state.hasWaiting
      state.isFull = !isAccepting
      return isAccepting
    }
  }
}
