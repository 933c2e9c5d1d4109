import GRDB

/// Sessions, read out of the index.
struct SQLiteSessions: SessionReading {
  let store: EventStore
  /// Seconds for by which events sessions were found: their words, and then what else they are.
  var patience = TimeLimit.patience

  /// Of one session, in one answer.
  private static let launches = 10_000

  func list(
    _ scope: ReadScope, _ filter: SessionFilter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> (page: Page<SessionRow>, isWholeWords: Bool) {
    let live = now - SessionRow.liveMilliseconds
    return try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      try TimeLimit.narrowing(filter.lookups, in: database) { wholeWords in
        let filter = wholeWords ? filter.withWholeWords : filter
        var selection = SessionSelection(filter, hasFullText: store.hasFullText, live: live)
        let key = filter.order.key
        let relevance = filter.order == .relevance ? SessionRelevance.points(filter.query) : SearchCondition("")
        if let before { selection.add("(\(key), session.id) < (?, ?)", [before.key, before.id]) }
        // Found and sorted by their numbers alone: tags can be large, and SQLite holds all that it sorts.
        let sorted = try Int64.fetchAll(
          database,
          sql: """
            \(relevance.sql) SELECT session.id FROM session\(selection.whereClause)
            ORDER BY \(key) DESC, session.id DESC LIMIT ?
            """, arguments: relevance.arguments + selection.arguments + [limit])
        // The join keeps their order: CROSS JOIN is SQLite's word for the outer loop. It sorts nothing.
        var page = try Page<SessionRow>.fetch(
          database,
          sql: """
            \(relevance.sql) \(SessionRow.columns), \(key)
            FROM json_each(?) AS found CROSS JOIN session ON session.id = found.value
            """, arguments: relevance.arguments + [live, "\(sorted)"], limit: sorted.count,
          bytes: store.limits.pageBytes
        ) { try $0.completed(database, now: now) }
        page.isFull = page.rows.count < sorted.count || sorted.count == limit
        try SessionFailure.add(to: &page.rows, database)
        try SessionMatches(filter.query)
          .add(to: &page.rows, hasFullText: store.hasFullText, patience: patience, database)
        return (page, wholeWords)
      }
    }
  }

  func facets(_ scope: ReadScope, _ filter: SessionFilter, now: Int64) async throws -> SessionFacets {
    let live = now - SessionRow.liveMilliseconds
    return try await store.read(scope, .heavy) { database in
      try TimeLimit.narrowing(filter.lookups, in: database) { wholeWords in
        let filter = wholeWords ? filter.withWholeWords : filter
        let selection = SessionSelection(filter.withoutFacets, hasFullText: store.hasFullText, live: live)
        let rows = try Row.fetchCursor(
          database,
          sql:
            "SELECT \(SessionFacets.columns) FROM session\(selection.whereClause) ORDER BY session.last DESC LIMIT ?",
          arguments: [live] + selection.arguments + [SessionFacets.most])
        var facets = SessionFacets(filter)
        while let row = try rows.next() { facets.add(row) }
        return facets
      }
    }
  }

  func exists(_ scope: ReadScope, _ id: String) async throws -> Bool {
    try await store.read(scope) { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE sessionId = ?)", arguments: [id]) ?? false
    }
  }

  func session(
    _ scope: ReadScope, _ id: String, now: Int64
  ) async throws -> (session: SessionRow, launches: Page<LaunchRow>)? {
    try await store.read(scope) { database in
      guard
        let session = try SessionRow.fetchOne(
          database, sql: SessionRow.select + " WHERE sessionId = ?", arguments: [now - SessionRow.liveMilliseconds, id])
      else { return nil }
      let launches = try Page<LaunchRow>.fetch(
        database,
        sql: LaunchRow.select
          + " JOIN session_launch ON session_launch.launch = launch.id WHERE session_launch.session = ? ORDER BY launch.id",
        arguments: [session.row], limit: Self.launches, bytes: store.limits.pageBytes)
      return (try session.completed(database, now: now), launches)
    }
  }
}
