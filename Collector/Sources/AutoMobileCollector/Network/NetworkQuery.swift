import AutoMobileHTTP
import GRDB

/// Reads requests out of the index.
struct NetworkQuery: Sendable {
  let store: EventStore
  /// WebSocket frames that are shown with their request.
  static let frames = 500

  /// A page of requests.
  ///
  /// - Returns: the requests, where to go on (there may be more even when the page is empty), and whether so many words begin
  ///   like the ones searched for that it was looked for whole words only.
  func list(
    _ filter: NetworkFilter, after: PageCursor?, limit: Int
  ) async throws -> (rows: [NetworkRow], next: PageCursor?, isWholeWords: Bool) {
    try await store.pool.read { database in
      try TimeLimit.narrowing([filter.search], in: database) { wholeWords in
        var filter = filter
        if wholeWords { filter.search?.isWholeWords = true }
        let (rows, next) = try page(filter, after: after, limit: limit, database)
        return (rows, next, wholeWords)
      }
    }
  }

  private func page(
    _ filter: NetworkFilter, after: PageCursor?, limit: Int, _ database: Database
  ) throws -> (rows: [NetworkRow], next: PageCursor?) {
    var selection = try NetworkSelection(filter, hasFullText: store.hasFullText, database)
    let end = try selection.page(after: after, database)
    // The rows first, their names afterwards: joined before, every row of the window would be.
    let rows = try NetworkRow.fetchAll(
      database,
      sql: """
        SELECT \(NetworkRow.columns)
        FROM (SELECT network.event AS found, \(selection.key) AS key FROM \(selection.source)\(selection.whereClause)
          ORDER BY \(selection.order) LIMIT ?) AS page
        CROSS JOIN network ON network.event = page.found\(NetworkRow.joins)
        ORDER BY page.key \(selection.direction), page.found \(selection.direction)
        """, arguments: selection.arguments + [limit])
    return (rows, rows.count == limit ? rows.last?.cursor(filter.order) : end)
  }

  /// The events of requests, with their WebSocket frames, in the order of the rows.
  func exchanges(_ rows: [NetworkRow]) async throws -> [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])] {
    try await store.pool.read { database in
      try rows.compactMap { row in
        guard
          let event = try EventRow.fetchOne(
            database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?"), arguments: [row.event])
        else { return nil }
        return ExchangeReader.exchange(event, try Self.frames(of: event, database).0)
      }
    }
  }

  /// One request's event with the WebSocket frames that belong to it, and how many there are.
  ///
  /// - Throws: ``APIError`` when there is no such request.
  func exchange(_ id: Int64) async throws -> (event: EventRow, frames: [EventRow], frameCount: Int) {
    try await store.pool.read { database in
      guard
        let event = try EventRow.fetchOne(database, sql: EventRow.select + " WHERE event.id = ?", arguments: [id])
      else { throw APIError(.notFound, "no_event", "there is no event of this number") }
      guard event.eventType == "network_request" else {
        throw APIError(.notFound, "no_request", "event \(id) is a \(event.eventType), not a network_request")
      }
      let (frames, count) = try Self.frames(of: event, database)
      return (event, frames, count)
    }
  }

  /// Frames name their request; those that do not are found by their URL.
  static func frames(of event: EventRow, _ database: Database) throws -> ([EventRow], Int) {
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
    let rows = try EventRow.fetchAll(
      database,
      sql: EventRow.select + condition + " ORDER BY event.timestamp, event.id LIMIT \(Self.frames)",
      arguments: arguments)
    return (rows, count)
  }
}
