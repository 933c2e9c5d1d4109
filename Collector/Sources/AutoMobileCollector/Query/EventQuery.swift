import GRDB

/// Reads events out of the index.
struct EventQuery: Sendable {
  /// Which events.
  struct Filter: Sendable {
    var session: String?
    /// Empty: all.
    var types: [String] = []
    var search: SearchPattern?
  }

  let store: EventStore
  /// Rows that one request without an index to help it may look at; its cursor goes on from there.
  private let scanWindow: Int64 = 200_000

  /// A session's events in the order of their timestamps; nil when there is no such session.
  func timeline(of session: String, after: PageCursor?, limit: Int, filter: Filter) async throws -> [EventRow]? {
    try await store.pool.read { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      var sql = EventRow.select + " WHERE event.session = ?"
      var arguments: StatementArguments = [row]
      if let after {
        sql += " AND (event.timestamp, event.id) > (?, ?)"
        arguments += [after.key, after.id]
      }
      // Within a session substrings are affordable, and what people expect.
      try restrict(&sql, &arguments, filter, fullText: false, database)
      sql += " ORDER BY event.timestamp, event.id LIMIT ?"
      arguments += [limit]
      return try EventRow.fetchAll(database, sql: sql, arguments: arguments)
    }
  }

  /// Events in the order of arrival, newest first.
  ///
  /// - Returns: the events, and the id before which to go on; nil when there is nothing more.
  func newest(before: Int64?, limit: Int, filter: Filter) async throws -> (events: [EventRow], next: Int64?) {
    try await store.pool.read { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
      let end = min(before ?? .max, newest + 1)
      var sql = EventRow.select
      var arguments: StatementArguments = []
      var floor: Int64 = 0
      if let text = filter.search?.fullText, store.hasFullText {
        // The full text index knows the order of ids; CROSS JOIN keeps it in front.
        sql =
          EventRow.selectColumns + " FROM event_text CROSS JOIN event ON event.id = event_text.rowid" + EventRow.joins
        sql += " WHERE event_text MATCH ? AND event_text.rowid < ?"
        arguments += [text, end]
      } else {
        if filter.search != nil { floor = max(0, end - scanWindow) }
        sql += " WHERE event.id < ? AND event.id >= ?"
        arguments += [end, floor]
      }
      if let session = filter.session {
        sql += " AND event.session = (SELECT id FROM session WHERE sessionId = ?)"
        arguments += [session]
      }
      try restrict(&sql, &arguments, filter, fullText: store.hasFullText, database)
      let key = store.hasFullText && filter.search?.fullText != nil ? "event_text.rowid" : "event.id"
      sql += " ORDER BY \(key) DESC LIMIT ?"
      arguments += [limit]
      let events = try EventRow.fetchAll(database, sql: sql, arguments: arguments)
      if events.count == limit { return (events, events.last?.id) }
      return (events, floor > 0 ? floor : nil)
    }
  }

  /// Events that arrived after `id`, oldest first.
  ///
  /// - Returns: the events, and the id up to which everything has been looked at.
  func following(_ id: Int64, limit: Int, filter: Filter) async throws -> (events: [EventRow], upTo: Int64) {
    try await store.pool.read { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
      guard newest > id else { return ([], max(id, newest)) }
      let end = min(newest, id + scanWindow)
      var sql = EventRow.select + " WHERE event.id > ? AND event.id <= ?"
      var arguments: StatementArguments = [id, end]
      if let session = filter.session {
        sql += " AND event.session = (SELECT id FROM session WHERE sessionId = ?)"
        arguments += [session]
      }
      try restrict(&sql, &arguments, filter, fullText: false, database)
      sql += " ORDER BY event.id LIMIT ?"
      arguments += [limit]
      let events = try EventRow.fetchAll(database, sql: sql, arguments: arguments)
      return (events, events.count == limit ? events.last?.id ?? end : end)
    }
  }

  /// The id of the newest event; 0 when there is none.
  func newestId() async throws -> Int64 {
    try await store.pool.read { try Int64.fetchOne($0, sql: "SELECT MAX(id) FROM event") ?? 0 }
  }

  private func restrict(
    _ sql: inout String, _ arguments: inout StatementArguments, _ filter: Filter, fullText: Bool, _ database: Database
  ) throws {
    if !filter.types.isEmpty {
      let marks = filter.types.map { _ in "?" }.joined(separator: ",")
      sql += " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(marks)))"
      arguments += StatementArguments(filter.types)
    }
    if let search = filter.search, !fullText || search.fullText == nil {
      sql += " AND CAST(event.payload AS TEXT) LIKE ? ESCAPE '\\'"
      arguments += [search.like]
    }
  }
}
