import AutoMobileClickHouse
import AutoMobileHTTP
import Foundation

/// Requests, read out of ClickHouse.
///
/// What is another than in SQLite's index:
/// - A page looks at all there is, not at a window of so many rows: an empty page is the last one.
/// - A word of events with ß is found written with ss, too (``WordColumn``).
/// - Words are never looked for as whole ones only, since a beginning costs no more here.
/// - Of texts that only reading an event's JSON can find (phrases; any word within one session), the newest
///   ``ClickHouseHeldTexts/most`` events that may have it are read, instead of a window from the cursor on.
/// - A WebSocket frame's request is the first text that its JSON calls `requestId`, wherever in it that stands.
/// - Sessions that a word is said of are the newest ``ClickHouseRequestTerms/sessions`` of each shard.
struct ClickHouseRequests: RequestReading {
  let telemetry: ClickHouseTelemetry

  func list(
    _ scope: ReadScope, _ filter: NetworkFilter, after: PageCursor?, limit: Int
  ) async throws -> (rows: [NetworkRow], next: PageCursor?, isWholeWords: Bool) {
    try await telemetry.read(scope, filter.query.isEmpty ? .light : .heavy) { reading in
      guard let selection = try await reading.requests(filter) else { return ([], nil, false) }
      let rows = selection.rows(NetworkRow.names, after: after, limit: limit)
      var found = try await reading.ordered(rows, selecting: NetworkRow.names.map { "\($0)" }) {
        try NetworkRow.read(&$0)
      }
      let facts = try await reading.facts(of: Set(found.map(\.session)))
      for index in found.indices { found[index].request.add(facts[found[index].session]) }
      let page = Page(found.map(\.request), limit: limit, bytes: reading.limits.pageBytes)
      let names = found.prefix(page.rows.count).map(\.session)
      let matched = try await RequestMatches(filter.query).added(to: page.rows, names, facts, reading)
      return (matched, page.isFull ? page.rows.last?.cursor(filter.order) : nil, false)
    }
  }

  func statistics(_ scope: ReadScope, _ filter: NetworkFilter) async throws -> NetworkStatistics {
    var filter = filter
    filter.order = .newest
    return try await telemetry.read(scope, .heavy) { [filter] reading in
      guard let selection = try await reading.requests(filter) else { return NetworkStatistics() }
      return try await NetworkStatistics(selection, reading)
    }
  }

  // MARK: Exchanges

  func exchanges(
    _ scope: ReadScope, _ rows: ArraySlice<NetworkRow>
  ) async throws -> (exchanges: [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])], rows: Int) {
    try await telemetry.read(scope, .heavy) { reading in
      var batch = ExchangeBatch()
      for row in rows {
        guard !batch.isFull else { break }
        guard let (event, project) = try await reading.event(row.event) else {
          batch.add(nil)
          continue
        }
        batch.add((event, try await reading.frames(of: event, project, bytes: ExchangeBatch.bytes).rows))
      }
      return (batch.exchanges, batch.rows)
    }
  }

  func exchange(
    _ scope: ReadScope, _ id: Int64
  ) async throws -> (event: EventRow, frames: [EventRow], frameCount: Int) {
    try await telemetry.read(scope) { reading in
      let found = try await reading.event(id)
      let event = try ExchangeReader.request(found?.event, id)
      let project = found?.project ?? ""
      let (frames, count) = try await reading.frames(of: event, project, bytes: reading.limits.pageBytes)
      return (event, frames, count)
    }
  }
}

extension ClickHouseReading {
  /// nil when the filter names a session that there is not.
  fileprivate func requests(_ filter: NetworkFilter) async throws -> ClickHouseRequestSelection? {
    var session: SessionName?
    if let name = filter.session {
      session = try await self.session(named: name)
      guard session != nil else { return nil }
    }
    let range = ClickHouseRequestSelection.range(filter, session: session)
    let isOfSession = session != nil
    let texts = ClickHouseRequestTerms.toHold(filter.query, isOfSession: isOfSession)
    let held = try await ClickHouseHeldTexts(reading: self, range: range, isOfSession: isOfSession).find(texts)
    let known = isOfSession ? [] : try await self.known(ClickHouseRequestTerms.toKnow(filter.query))
    let terms = ClickHouseRequestTerms(reading: self, isOfSession: isOfSession, range: range, known: known, held: held)
    return ClickHouseRequestSelection(filter, terms)
  }

  /// Which of these words are said of one of the newest sessions.
  private func known(_ words: [String]) async throws -> Set<String> {
    guard !words.isEmpty else { return [] }
    let newest = SeenSessions(
      selected: ClickHouseSessionTerms.said, order: ["said_last DESC"], limit: ClickHouseRequestTerms.sessions)
    let conditions = SQL.joined(words.map { "toUInt8(max(\(ClickHouseSessionTerms.known($0))))" }, ", ")
    let statement = sessions(newest).inside { "SELECT \(conditions) FROM (\($0))" }
    let found = try await rows(statement) { row in try words.map { (word: $0, isSaid: try row.bool()) } }.first ?? []
    return Set(found.filter(\.isSaid).map(\.word))
  }

  /// Frames name their request; those that do not are found by their URL.
  ///
  /// - Returns: the first of them, and how many there are.
  fileprivate func frames(of event: EventRow, _ project: String, bytes: Int) async throws -> (
    rows: [EventRow], count: Int
  ) {
    let exchange = ExchangeReader.exchange(event.payload, timestamp: event.timestamp)
    guard exchange.isWebSocket else { return ([], 0) }
    var rows = DistinctRows(TelemetryTables.events, ["project", "session", "id", "timestamp"])
    rows.range = [
      "project = \(text: project)", "session = \(text: event.sessionId)", "type = 'websocket_frame'",
      "timestamp >= \(event.timestamp &- 1000)",
    ]
    let request: SQL = "visitParamExtractString(payload, 'requestId')"
    let url: SQL = "visitParamExtractString(payload, 'url') = \(text: exchange.url)"
    rows.range.append(
      exchange.id.isEmpty ? url : "if(notEmpty(\(request)), \(request) = \(text: exchange.id), \(url))")
    let total = try await self.rows(distinct(rows, selecting: ["count()"])) { try $0.int(UInt64.self) }.first ?? 0
    guard total > 0 else { return ([], 0) }
    rows.order = ["timestamp", "id"]
    rows.limit = ExchangeReader.frames
    let places = try await self.rows(distinct(rows, selecting: ["project", "session", "id", "timestamp"])) {
      try EventPlace(&$0)
    }
    return (try await fetch(places, bytes: bytes).rows, Int(clamping: total))
  }
}
