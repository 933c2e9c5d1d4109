import GRDB

/// A session laid out.
extension SQLiteEvents {
  /// Screens that are named in one answer.
  private static let screens = 20_000

  func outline(
    _ scope: ReadScope, of session: String, newer: Int64?, query: SearchQuery
  ) async throws -> OutlineColumns? {
    try await store.read(scope, query.isEmpty ? .light : .heavy) { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      var columns = OutlineColumns()
      var sql =
        "SELECT timestamp, id, type, launch, severity, duration, origin FROM \(IndexedRows.event(by: "event_outline")) WHERE session = ?"
      var arguments: StatementArguments = [row]
      if let newer {
        // The last few of all events are quicker looked through than all events of a long session.
        sql = sql.replacing("\(IndexedRows.event(by: "event_outline")) WHERE", with: "event WHERE event.id > ? AND +")
        arguments = [newer, row]
      }
      // It is told when the session is over, often by a later launch: on a timeline it would stretch the session to that moment, and
      // nothing happened then. What it says stands with the session.
      sql += " AND type IS NOT (SELECT id FROM event_type WHERE name = '\(EventTypes.summary)')"
      for test in try EventTerms(query, in: .session, database).tests {
        sql += " AND \(test.sql)"
        arguments += test.arguments
      }
      sql += " ORDER BY timestamp, id LIMIT ?"
      arguments += [OutlineColumns.most]
      columns.crash = try Int64.fetchOne(database, sql: "SELECT id FROM event_type WHERE name = 'crash'")
      columns.custom = try Int64.fetchOne(database, sql: "SELECT id FROM event_type WHERE name = 'custom'")
      try RawRows.each(database, sql: sql, arguments: arguments) { row in
        columns.add(
          timestamp: row.integer(0), id: row.integer(1), type: row.integer(2), launch: row.integer(3),
          severity: row.integer(4), duration: row.optionalInteger(5), origin: row.integer(6))
      }
      try columns.addNames {
        try String.fetchOne(database, sql: "SELECT name FROM event_type WHERE id = ?", arguments: [$0]) ?? ""
      } launch: {
        try String.fetchOne(database, sql: "SELECT launchId FROM launch WHERE id = ?", arguments: [$0]) ?? ""
      }
      if query.isEmpty { columns.screens = try screens(row, newer: newer, database) }
      return columns
    }
  }

  /// Where navigations went, by event.
  private func screens(_ session: Int64, newer: Int64?, _ database: Database) throws -> [(id: Int64, name: String)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, json_extract(CAST(payload AS TEXT), '$.destination') FROM \(IndexedRows.event(by: "event_outline"))
        WHERE session = ? AND type = (SELECT id FROM event_type WHERE name = 'navigation') AND id > ?
        ORDER BY timestamp, id LIMIT ?
        """, arguments: [session, newer ?? -1, Self.screens]
    ).map { row in
      let name = String.fromDatabaseValue(row[1]) ?? ""
      return (row[0], String(name.prefix(200)))
    }
  }

  func events(
    _ scope: ReadScope, _ ids: [Int64], of session: String, after: PageCursor?
  ) async throws -> Page<EventRow> {
    try await store.read(scope) { database in
      let marks = ids.map { _ in "?" }.joined(separator: ",")
      // Sorted without what is in them: SQLite would hold all of it, to give out the first.
      let sorted = try Int64.fetchAll(
        database,
        sql: """
          SELECT event.id FROM event JOIN session ON session.id = event.session
          WHERE event.id IN (\(marks)) AND session.sessionId = ? AND (event.timestamp, \(EventOrder.tie)) > (?, ?)
          ORDER BY event.timestamp, \(EventOrder.tie)
          """,
        arguments: StatementArguments(ids) + [session, after?.key ?? .min, after?.id ?? .min])
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      return try Page.fetch(sorted, bytes: store.limits.pageBytes) { try EventRow.fetchOne(find, arguments: [$0]) }
    }
  }
}
