import GRDB

/// Reads events out of the index.
struct EventQuery: Sendable {
  /// Which events.
  struct Filter: Sendable {
    var session: String?
    /// Empty: all.
    var types: [String] = []
    var query = SearchQuery(everythingIn: .events)

    /// An index leads to all that it leaves, or it leaves all.
    var isCheap: Bool { query.isEmpty && types.isEmpty && session == nil }
  }

  let store: EventStore
  /// Rows that one look at what is new may read; its cursor goes on from there.
  private let tailWindow: Int64 = 200_000
  /// Rows that a search without an index to help it reads before it looks at the clock.
  let scanStep: Int64 = 2000

  /// A session's events in the order of their timestamps; nil when there is no such session.
  func timeline(
    _ scope: ReadScope, of session: String, after: PageCursor?, limit: Int, filter: Filter
  ) async throws -> Page<EventRow>? {
    try await store.read(scope, filter.query.isEmpty ? .light : .heavy) { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      // By their numbers alone: what SQLite sorts it holds, and many may be of one millisecond.
      var sql = "SELECT event.id FROM event WHERE event.session = ?"
      var arguments: StatementArguments = [row]
      if let after {
        sql += " AND (event.timestamp, \(EventOrder.tie)) > (?, ?)"
        arguments += [after.key, after.id]
      }
      // Within a session substrings are affordable, and what people expect.
      restrict(&sql, &arguments, filter, try EventTerms(filter.query, in: .session, database), fullText: false)
      sql += " ORDER BY event.timestamp, \(EventOrder.tie) LIMIT ?"
      arguments += [limit]
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments)
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      var page = try Page.fetch(ids, bytes: store.limits.pageBytes) { try EventRow.fetchOne(find, arguments: [$0]) }
      if ids.count == limit { page.isFull = true }
      return page
    }
  }

  /// Events that arrived after `id`, oldest first.
  ///
  /// - Returns: the events, the id up to which everything has been looked at, and whether there is more behind it.
  func following(
    _ scope: ReadScope, _ id: Int64, limit: Int, filter: Filter
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
      restrict(&sql, &arguments, filter, try EventTerms(filter.query, in: .arriving, database), fullText: false)
      sql += " ORDER BY event.id LIMIT ?"
      arguments += [limit]
      let page = try Page<EventRow>.fetch(
        database, sql: sql, arguments: arguments, limit: limit, bytes: store.limits.tailBytes)
      let upTo = page.isFull ? page.rows.last?.id ?? end : end
      return (page.rows, upTo, upTo < newest)
    }
  }

  /// The id of the newest event; 0 when there is none.
  func newestId(_ scope: ReadScope) async throws -> Int64 {
    try await store.read(scope) { try Int64.fetchOne($0, sql: "SELECT id FROM newest_event") ?? 0 }
  }

  func restrict(
    _ sql: inout String, _ arguments: inout StatementArguments, _ filter: Filter, _ terms: EventTerms, fullText: Bool
  ) {
    if !filter.types.isEmpty {
      let marks = filter.types.map { _ in "?" }.joined(separator: ",")
      sql += " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(marks)))"
      arguments += StatementArguments(filter.types)
    }
    // Beside a full text index a search means words.
    let words = fullText ? [] : terms.leading.map { $0.words.isEmpty ? [$0.text] : $0.words } ?? []
    for test in words.map({ EventValues.condition("event.payload", $0) }) + terms.tests {
      sql += " AND \(test.sql)"
      arguments += test.arguments
    }
  }
}
