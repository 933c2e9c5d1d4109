import GRDB

/// Spans, read out of the index.
struct SQLiteSpans: SpanReading {
  let store: EventStore

  func list(
    _ scope: ReadScope, of session: String, newer: Int64?, after: PageCursor?, limit: Int
  ) async throws -> Page<SpanRow>? {
    try await store.read(scope) { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      return try Page<SpanRow>.fetch(
        database,
        sql: """
          SELECT \(SpanRow.columns) FROM \(IndexedRows.spans(by: "spans_session"))
          WHERE session = ?1 AND (timestamp, id) > (?2, ?3) AND MAX(IFNULL(begun, 0), IFNULL(ended, 0)) > ?4
          ORDER BY timestamp, id LIMIT ?5
          """, arguments: [row, after?.key ?? .min, after?.id ?? .min, newer ?? -1, limit],
        limit: limit, bytes: store.limits.pageBytes)
    }
  }

  func trace(
    _ scope: ReadScope, _ trace: TraceName, after: PageCursor?, limit: Int
  ) async throws -> (spans: Page<SpanRow>, requests: [TracedRequest]) {
    try await store.read(scope) { database in
      let bytes = store.limits.pageBytes
      let spans = try Page<SpanRow>.fetch(
        database,
        sql: """
          SELECT \(SpanRow.placed) FROM \(IndexedRows.spans(by: "spans_trace"))\(SpanRow.joins)
          WHERE trace = ?1 AND (spans.timestamp, spans.id) > (?2, ?3) ORDER BY spans.timestamp, spans.id LIMIT ?4
          """, arguments: [trace.data, after?.key ?? .min, after?.id ?? .min, limit], limit: limit, bytes: bytes / 2)
      guard after == nil else { return (spans, []) }
      let requests = try Page<TracedRequest>.fetch(
        database,
        sql: """
          SELECT \(NetworkRow.columns), network.span, network.parent
          FROM \(IndexedRows.network(by: "network_trace"))\(NetworkRow.joins)
          WHERE trace = ? ORDER BY network.timestamp, network.event LIMIT \(TracedRequest.most)
          """, arguments: [trace.data], limit: TracedRequest.most, bytes: bytes / 2)
      return (spans, requests.rows)
    }
  }
}
