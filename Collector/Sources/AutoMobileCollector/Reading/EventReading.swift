/// Asks for events.
protocol EventReading: Sendable {
  /// A session's events in the order of their timestamps; nil when there is no such session.
  func timeline(
    _ scope: ReadScope, of session: String, _ part: TimelinePart, limit: Int, filter: EventFilter
  ) async throws -> Page<EventRow>?

  /// A session laid out: of every event its number, time, type, launch, severity, duration and origin, in the order of their
  /// timestamps; nil when there is no such session.
  ///
  /// - Parameters:
  ///   - newer: only what has arrived after the event of this number.
  ///   - query: only what it finds.
  func outline(
    _ scope: ReadScope, of session: String, newer: Int64?, query: SearchQuery
  ) async throws -> OutlineColumns?

  /// The events of these numbers, as far as they belong to the session, in the order of their timestamps.
  ///
  /// - Parameter after: where the page before has ended.
  func events(
    _ scope: ReadScope, _ ids: [Int64], of session: String, after: PageCursor?
  ) async throws -> Page<EventRow>

  /// Events in the order of arrival, newest first.
  func newest(
    _ scope: ReadScope, before: PageCursor?, limit: Int, filter: EventFilter
  ) async throws -> NewestEvents

  /// The event of a number, and the app that its session is counted for; nil when there is none.
  func event(_ scope: ReadScope, _ id: Int64) async throws -> (event: EventRow, app: String?)?

  /// The last events before one, the newest last: of a launch, when that is known and has any, else of the event's session.
  func before(_ scope: ReadScope, _ event: EventRow, launch: String?, limit: Int) async throws -> [EventRow]
}

/// Asks for what arrives, in the order in which it does. A place in that order is a number: an event's own, or ``EventRow/place``.
protocol ArrivalReading: Sendable {
  /// The place of the newest event; 0 when there is none.
  func newestId(_ scope: ReadScope) async throws -> Int64

  /// Events that arrived after a place, oldest first.
  ///
  /// - Returns: the events, the place up to which everything has been looked at, and whether there is more behind it.
  func following(
    _ scope: ReadScope, _ id: Int64, limit: Int, filter: EventFilter
  ) async throws -> (events: [EventRow], upTo: Int64, isBehind: Bool)
}
