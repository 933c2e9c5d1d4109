import AutoMobileClickHouse
import Foundation

/// By which events the sessions of a page were found, asked of ClickHouse: of these sessions only, by the key of the tables.
struct ClickHouseSessionMatches: Sendable {
  let sought: SessionMatches
  /// For words, and then for moments: a row that nothing was found for in this time goes without.
  let patience: Duration
  /// The list has to be there in its own time.
  let latest: ContinuousClock.Instant

  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [SessionRow], _ names: [SessionName], _ reading: ClickHouseReading) async throws {
    guard !sought.isEmpty, !rows.isEmpty else { return }
    let name = Dictionary(names.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Int64: SearchMatch] = [:]

    /// Of those that nothing was found for yet.
    func note(
      _ rows: [SessionRow], _ time: SpareTime,
      _ find: @escaping @Sendable ([SessionName]) async throws -> [SessionName: SearchMatch]
    ) async throws {
      let rest = rows.filter { found[$0.place.id] == nil }.compactMap { name[$0.place.id] }
      guard !rest.isEmpty else { return }
      guard let matches = try await time.run({ try await find(rest) }) else { return }
      for match in matches { found[match.key.number] = match.value }
    }

    let words = spare()
    for (wanted, rows) in sought.groups(of: rows) {
      for attempt in sought.attempts(wanted) {
        try await note(rows, words) { try await reading.events(with: attempt.wanted, attempt.others, of: $0) }
      }
    }
    let moments = spare()
    for moment in sought.moments {
      try await note(rows.filter(moment.isSought), moments) { try await reading.first(moment, of: $0) }
    }
    for index in rows.indices { rows[index].match = found[rows[index].place.id] }
  }

  private func spare() -> SpareTime { SpareTime(end: min(.now + patience, latest)) }
}

extension ClickHouseReading {
  /// Of each session the first error with these words, or the first event.
  fileprivate func events(
    with wanted: [String], _ others: [SessionMatches.Other], of sessions: [SessionName]
  ) async throws -> [SessionName: SearchMatch] {
    guard let pattern = SearchPattern(wanted.joined(separator: " ")),
      let words = ClickHouseTerms.words(pattern, dialect)
    else { return [:] }
    let range = Self.range(of: sessions)
    let statement = copies(
      "\(FoundMoment.columns), type, toUInt8(severity < 4) AS mild", of: TelemetryTables.events,
      range + others.map { condition($0, range) } + [words], "ORDER BY mild, id LIMIT 1 BY project, session")
    let found = try await rows(statement) { row in
      let moment = try FoundMoment(&row)
      _ = try row.bool()
      return moment
    }
    let payloads = try await payloads(found.map(\.place), bytes: limits.pageBytes).json
    return Dictionary(
      found.map { one in
        let match = (payloads[one.place.id] ?? Data()).withUnsafeBytes {
          SearchMatch(
            event: one.place.id, timestamp: one.place.timestamp, type: one.type, with: pattern.words + wanted, in: $0)
        }
        return (one.session, match)
      }, uniquingKeysWith: { first, _ in first })
  }

  private func condition(_ other: SessionMatches.Other, _ range: [SQL]) -> SQL {
    switch other {
    case .isRequest: return "type = 'network_request'"
    case .saysSomething: return "type IN (\(SQL.joined(SessionTerms.saying.map { "\(text: $0)" }, ", ")))"
    case .type(let values): return ClickHouseTerms.any(values.map { ClickHouseTerms.name("type", $0, after: "_") })
    case .status(let values):
      let requests = copies(
        "project, launch, position", of: TelemetryTables.requests, range + [SessionMoment.status(values)],
        isOnShard: true)
      return "type = 'network_request' AND (project, launch, position) IN (\(requests.sql))"
    }
  }
}
