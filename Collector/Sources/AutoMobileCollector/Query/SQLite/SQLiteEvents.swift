import GRDB

/// Events, read out of the index.
struct SQLiteEvents: EventReading, ArrivalReading {
  let store: EventStore
  /// Rows that one look at what is new may read; its cursor goes on from there.
  private let tailWindow: Int64 = 200_000
  /// Rows that a search without an index to help it reads before it looks at the clock.
  let scanStep: Int64 = 2000

  func timeline(
    _ scope: ReadScope, of session: String, _ part: TimelinePart, limit: Int, filter: EventFilter
  ) async throws -> Page<EventRow>? {
    try await store.read(scope, filter.query.isEmpty ? .light : .heavy) { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      // By their numbers alone: what SQLite sorts it holds, and many may be of one millisecond.
      var sql = "SELECT event.id FROM event WHERE event.session = ?"
      var arguments: StatementArguments = [row]
      switch part {
      case .start: break
      case .after(let place), .before(let place):
        sql += " AND (event.timestamp, \(EventOrder.tie)) \(part.isBackwards ? "<" : ">") (?, ?)"
        arguments += [place.key, place.id]
      }
      // Within a session substrings are affordable, and what people expect.
      restrict(&sql, &arguments, filter, try EventTerms(filter.query, in: .session, database))
      let direction = part.isBackwards ? "DESC" : "ASC"
      sql += " ORDER BY event.timestamp \(direction), \(EventOrder.tie) \(direction) LIMIT ?"
      arguments += [limit]
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments)
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      var page = try Page.fetch(ids, bytes: store.limits.pageBytes) { try EventRow.fetchOne(find, arguments: [$0]) }
      if ids.count == limit { page.isFull = true }
      if part.isBackwards { page.rows.reverse() }
      return page
    }
  }

  func following(
    _ scope: ReadScope, _ id: Int64, limit: Int, filter: EventFilter
  ) async throws -> (events: [EventRow], upTo: Int64, isBehind: Bool) {
    try await store.read(scope, .tail) { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT id FROM newest_event") ?? 0
      guard newest > id else { return ([], max(id, newest), false) }
      let end = min(newest, id + tailWindow)
      var sql = EventRow.select + " WHERE event.id > ? AND event.id <= ?"
      var arguments: StatementArguments = [id, end]
      if let session = filter.session {
        sql += " AND event.session = (SELECT id FROM session WHERE sessionId = ?)"
        arguments += [session]
      }
      restrict(&sql, &arguments, filter, try EventTerms(filter.query, in: .arriving, database))
      sql += " ORDER BY event.id LIMIT ?"
      arguments += [limit]
      let page = try Page<EventRow>.fetch(
        database, sql: sql, arguments: arguments, limit: limit, bytes: store.limits.tailBytes)
      let upTo = page.isFull ? page.rows.last?.id ?? end : end
      return (page.rows, upTo, upTo < newest)
    }
  }

  func newestId(_ scope: ReadScope) async throws -> Int64 {
    try await store.read(scope) { try Int64.fetchOne($0, sql: "SELECT id FROM newest_event") ?? 0 }
  }

  func restrict(
    _ sql: inout String, _ arguments: inout StatementArguments, _ filter: EventFilter, _ terms: EventTerms
  ) {
    if !filter.types.isEmpty {
      let marks = filter.types.map { _ in "?" }.joined(separator: ",")
      sql += " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(marks)))"
      arguments += StatementArguments(filter.types)
    }
    for test in terms.tests {
      sql += " AND \(test.sql)"
      arguments += test.arguments
    }
  }
}
