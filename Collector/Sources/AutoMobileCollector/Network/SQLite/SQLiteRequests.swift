import AutoMobileHTTP
import GRDB

/// Requests, read out of the index.
struct SQLiteRequests: RequestReading {
  let store: EventStore

  func list(
    _ scope: ReadScope, _ filter: NetworkFilter, after: PageCursor?, limit: Int
  ) async throws -> (rows: [NetworkRow], next: PageCursor?, isWholeWords: Bool) {
    try await store.read(scope, filter.query.isEmpty ? .light : .heavy) { database in
      try TimeLimit.narrowing(filter.query.lookups, in: database) { wholeWords in
        var filter = filter
        filter.query.isWholeWords = wholeWords
        var (rows, next) = try page(filter, after: after, limit: limit, database)
        try RequestMatches(filter.query).add(to: &rows, database)
        return (rows, next, wholeWords)
      }
    }
  }

  func statistics(_ scope: ReadScope, _ filter: NetworkFilter) async throws -> NetworkStatistics {
    try await store.read(scope, .heavy) { database in
      try TimeLimit.narrowing(filter.query.lookups, in: database) { wholeWords in
        var filter = filter
        filter.query.isWholeWords = wholeWords
        return try NetworkStatistics(filter, hasFullText: store.hasFullText, database)
      }
    }
  }

  private func page(
    _ filter: NetworkFilter, after: PageCursor?, limit: Int, _ database: Database
  ) throws -> (rows: [NetworkRow], next: PageCursor?) {
    var selection = try NetworkSelection(filter, hasFullText: store.hasFullText, database)
    let end = try selection.page(after: after, database)
    // The rows first, their names afterwards: joined before, every row of the window would be.
    let page = try Page<NetworkRow>.fetch(
      database,
      sql: """
        SELECT \(NetworkRow.columns)
        FROM (SELECT network.event AS found, \(selection.key) AS key FROM \(selection.source)\(selection.whereClause)
          ORDER BY \(selection.order) LIMIT ?) AS page
        CROSS JOIN network ON network.event = page.found\(NetworkRow.joins)
        ORDER BY page.key \(selection.direction), page.found \(selection.direction)
        """, arguments: selection.arguments + [limit], limit: limit, bytes: store.limits.pageBytes)
    return (page.rows, page.isFull ? page.rows.last?.cursor(filter.order) : end)
  }

  func exchanges(
    _ scope: ReadScope, _ rows: ArraySlice<NetworkRow>
  ) async throws -> (exchanges: [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])], rows: Int) {
    try await store.read(scope, .heavy) { database in
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      var batch = ExchangeBatch()
      for row in rows {
        guard !batch.isFull else { break }
        let event = try EventRow.fetchOne(find, arguments: [row.event])
        batch.add(try event.map { ($0, try Self.frames(of: $0, bytes: ExchangeBatch.bytes, database).0) })
      }
      return (batch.exchanges, batch.rows)
    }
  }

  func exchange(
    _ scope: ReadScope, _ id: Int64
  ) async throws -> (event: EventRow, frames: [EventRow], frameCount: Int) {
    try await store.read(scope) { database in
      let event = try ExchangeReader.request(
        try EventRow.fetchOne(database, sql: EventRow.select + " WHERE event.id = ?", arguments: [id]), id)
      let (frames, count) = try Self.frames(of: event, bytes: store.limits.pageBytes, database)
      return (event, frames, count)
    }
  }

  /// Frames name their request; those that do not are found by their URL.
  private static func frames(of event: EventRow, bytes: Int, _ database: Database) throws -> ([EventRow], Int) {
    let exchange = ExchangeReader.exchange(event.payload, timestamp: event.timestamp)
    guard exchange.isWebSocket else { return ([], 0) }
    let condition = """
       WHERE event.session = (SELECT id FROM session WHERE sessionId = ?)
        AND event.type = (SELECT id FROM event_type WHERE name = 'websocket_frame') AND event.timestamp >= ?
        AND IFNULL(json_extract(CAST(event.payload AS TEXT), '$.requestId') = ?,
          json_extract(CAST(event.payload AS TEXT), '$.url') = ?)
      """
    let arguments: StatementArguments = [
      event.sessionId, event.timestamp &- 1000, exchange.id.isEmpty ? nil : exchange.id, exchange.url,
    ]
    let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event" + condition, arguments: arguments) ?? 0
    guard count > 0 else { return ([], 0) }
    let page = try Page<EventRow>.fetch(
      database,
      sql: EventRow.select + condition + " ORDER BY event.timestamp, event.id LIMIT \(ExchangeReader.frames)",
      arguments: arguments, limit: ExchangeReader.frames, bytes: bytes)
    return (page.rows, count)
  }
}
