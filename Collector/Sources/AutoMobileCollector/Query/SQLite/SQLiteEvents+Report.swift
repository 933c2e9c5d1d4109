import GRDB

/// What a report is made of.
extension SQLiteEvents {
  func event(_ scope: ReadScope, _ id: Int64) async throws -> (event: EventRow, app: String?)? {
    try await store.read(scope) { database in
      guard let row = try EventRow.fetchOne(database, sql: EventRow.select + " WHERE event.id = ?", arguments: [id])
      else { return nil }
      // As the session is counted: a report may call itself anything.
      let app = try String.fetchOne(
        database, sql: "SELECT bundleId FROM session WHERE sessionId = ?", arguments: [row.sessionId])
      return (row, app)
    }
  }

  func before(_ scope: ReadScope, _ event: EventRow, launch: String?, limit: Int) async throws -> [EventRow] {
    let bytes = store.limits.pageBytes
    let end = EventOrder.cursor(event)
    return try await store.read(scope) { database in
      var ids: [Int64] = []
      if let launch,
        let id = try Int64.fetchOne(database, sql: "SELECT id FROM launch WHERE launchId = ?", arguments: [launch])
      {
        // In the order of time: a request is recorded at its end and began before what was recorded meanwhile. The last
        // ones that were recorded hold the last ones that happened; all of a long launch would be too many to sort.
        ids = try Int64.fetchAll(
          database,
          sql: """
            SELECT id FROM (SELECT id, timestamp, \(EventOrder.tie) AS tie FROM event
              WHERE launch = ? AND (timestamp, \(EventOrder.tie)) < (?, ?) ORDER BY sequence DESC LIMIT ?)
            ORDER BY timestamp DESC, tie DESC LIMIT ?
            """, arguments: [id, end.key, end.id, 8 * limit, limit])
      }
      if ids.isEmpty {
        ids = try Int64.fetchAll(
          database,
          sql: """
            SELECT id FROM event WHERE session = (SELECT id FROM session WHERE sessionId = ?)
              AND (timestamp, \(EventOrder.tie)) < (?, ?) ORDER BY timestamp DESC, \(EventOrder.tie) DESC LIMIT ?
            """, arguments: [event.sessionId, end.key, end.id, limit])
      }
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      return try Page.fetch(ids, bytes: bytes) { try EventRow.fetchOne(find, arguments: [$0]) }.rows.reversed()
    }
  }
}
