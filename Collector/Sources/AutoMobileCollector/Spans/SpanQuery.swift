import GRDB

/// Reads spans out of the index.
struct SpanQuery: Sendable {
  let store: EventStore
  /// Requests that are given out with a trace.
  static let requests = 500

  /// The spans that began in a session, in the order of their begins; nil when there is no such session.
  ///
  /// - Parameter newer: only those of which an event after the one of this number tells.
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

  /// All spans of a trace, whatever app and session they are of, in the order of their begins; and, with the first page, its requests.
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
          WHERE trace = ? ORDER BY network.timestamp, network.event LIMIT \(Self.requests)
          """, arguments: [trace.data], limit: Self.requests, bytes: bytes / 2)
      return (spans, requests.rows)
    }
  }
}

/// A request, and where in its trace it is.
struct TracedRequest: FetchableRecord, Weighed, Sendable {
  private var request: NetworkRow
  private var span: Int64?
  private var parent: Int64?

  init(row: Row) {
    request = NetworkRow(row: row)
    span = row["span"]
    parent = row["parent"]
  }

  var weight: Int { request.weight }

  func write(to json: inout JSONOutput) {
    json.object {
      if let span { $0.member("spanId", SpanName.text(span)) }
      if let parent { $0.member("parentSpanId", SpanName.text(parent)) }
      $0.name("request")
      request.write(to: &$0)
    }
  }
}
