import AutoMobileClickHouse

/// Spans, read out of ClickHouse.
///
/// A span's number is that of the first event that told of it. When that event's day is deleted, another one's is.
struct ClickHouseSpans: SpanReading {
  let telemetry: ClickHouseTelemetry

  func list(
    _ scope: ReadScope, of session: String, newer: Int64?, after: PageCursor?, limit: Int
  ) async throws -> Page<SpanRow>? {
    try await telemetry.read(scope) { reading in
      guard let name = try await reading.session(named: session) else { return nil }
      let statement = ClickHouseSpanStatements(reading: reading)
        .ofSession(name, newer: newer, after: after, limit: limit)
      let rows = try await reading.rows(statement) { try SpanRow.read(&$0) }
      return Page(rows.compactMap { $0?.span }, limit: limit, bytes: reading.limits.pageBytes)
    }
  }

  func trace(
    _ scope: ReadScope, _ trace: TraceName, after: PageCursor?, limit: Int
  ) async throws -> (spans: Page<SpanRow>, requests: [TracedRequest]) {
    try await telemetry.read(scope) { reading in
      let bytes = reading.limits.pageBytes / 2
      let statements = ClickHouseSpanStatements(reading: reading)
      let found = try await reading.rows(statements.ofTrace(trace, after: after, limit: limit)) {
        try SpanRow.read(&$0)
      }.compactMap(\.self)
      let placed = try await Self.placed(found, reading, bytes: bytes)
      var spans = Page(placed, limit: limit, bytes: bytes)
      if placed.count < found.count { spans.isFull = true }
      // What follows is known without them.
      guard after == nil else { return (spans, []) }
      let rows = try await reading.rows(statements.requests(of: trace)) { row in
        let (request, session) = try NetworkRow.read(&row)
        return (
          request: TracedRequest(
            request: request, span: try row.nullable { try $0.int() }, parent: try row.nullable { try $0.int() }),
          session: session
        )
      }
      let facts = try await reading.facts(of: Set(rows.map(\.session)))
      let requests = rows.map { row in
        var request = row.request
        request.request.add(facts[row.session])
        return request
      }
      return (spans, Page(requests, limit: TracedRequest.most, bytes: bytes).rows)
    }
  }

  /// With their sessions, and with what else the events say that tell most of them: as many as are not too large together.
  private static func placed(
    _ spans: [(span: SpanRow, told: SpanRow.Told)], _ reading: ClickHouseReading, bytes: Int
  ) async throws -> [SpanRow] {
    let facts = try await reading.facts(
      of: Set(spans.map { SessionFact.Name(project: $0.told.project, session: $0.told.session) }))
    // Each is told of by an event: its rows are what it is made of.
    let places = spans.map { span, told in
      EventPlace(
        project: told.project, session: told.eventSession, id: span.ended ?? span.begun ?? 0, timestamp: span.timestamp)
    }
    let (payloads, count) = try await reading.payloads(places, bytes: bytes)
    return spans.prefix(count).map { found in
      var (span, told) = found
      span.session = told.session
      let fact = facts[SessionFact.Name(project: told.project, session: told.session)]
      (span.bundleId, span.userId) = (fact?.bundle, fact?.user)
      span.attributes = (span.ended ?? span.begun).flatMap { payloads[$0] }.flatMap { SpanRow.attributes($0) }
      return span
    }
  }
}
