import AutoMobileClickHouse
import Foundation

extension SessionMoment {
  static func status(_ values: [SearchValue]) -> SQL {
    ClickHouseTerms.any(
      values.map { ClickHouseTerms.status("status", $0, unfinished: NetworkRow.isUnfinished) })
  }
}

extension ClickHouseReading {
  /// Screens of one session that may be the one: what is in their JSON is read here.
  private static let screens = 8

  /// Of each session the first event of a kind.
  func first(_ moment: SessionMoment, of sessions: [SessionName]) async throws -> [SessionName: SearchMatch] {
    let range = Self.range(of: sessions)
    let found: [FoundMoment] =
      switch moment.kind {
      case .request: try await request(range, "1")
      case .failedRequest: try await request(range, "failed = 1")
      case .status(let values): try await request(range, SessionMoment.status(values))
      case .issue: try await report(range, "1")
      case .issueSaying(let text): try await report(range, ClickHouseSessionFilterTerms.reportSays(text))
      case .issueOf(let values):
        try await report(range, ClickHouseTerms.any(values.map(ClickHouseSessionFilterTerms.report)))
      case .screen(let values): try await screen(range, values)
      case .error(let type):
        try await event(range + ["severity >= 4"] + (type.map { ["type = \(text: $0)"] } ?? []))
      case .type(let values):
        try await event(
          range + [ClickHouseTerms.any(values.map { ClickHouseTerms.name("type", $0, after: "_") })])
      }
    // What its row says is not read once more.
    let payloads = try await payloads(found.filter { $0.said == nil }.map(\.place), bytes: limits.pageBytes).json
    return Dictionary(
      found.map { one in
        let match = (payloads[one.place.id] ?? Data()).withUnsafeBytes {
          SearchMatch(
            event: one.place.id, timestamp: one.place.timestamp, type: one.type, field: moment.field, said: one.said,
            payload: $0)
        }
        return (one.session, match)
      }, uniquingKeysWith: { first, _ in first })
  }

  private func request(_ range: [SQL], _ condition: SQL) async throws -> [FoundMoment] {
    let said: SQL = """
      concat(method, ' ', path, ': ', ifNull(toString(status), ifNull(error, 'no response'))) AS said
      """
    let statement = copies(
      "\(FoundMoment.columns), \(said)", of: TelemetryTables.requests, range + [condition],
      "ORDER BY timestamp, id LIMIT 1 BY project, session")
    return try await rows(statement) { try FoundMoment(saying: &$0, type: "network_request") }
  }

  /// As the report itself tells it: people's merges and the issue's newest report say nothing about this one.
  private func report(_ range: [SQL], _ condition: SQL) async throws -> [FoundMoment] {
    var reports = DistinctRows(
      TelemetryTables.reports,
      columns: [
        "project", "session", "shard", "id", "timestamp", "kind", "fingerprint", "template", "cause", "culprit",
        "message", "bundle", "file", "functions",
      ])
    reports.range = range
    reports.filter = [condition]
    let said: SQL = "ifNull(template, concat(cause, ifNull(concat(' in ', culprit), ''))) AS said"
    let statement = distinct(reports, selecting: ["\(FoundMoment.columns), kind, \(said)"]).inside {
      "SELECT * FROM (\($0)) ORDER BY timestamp, id LIMIT 1 BY project, session"
    }
    return try await rows(statement) { row in
      var found = try FoundMoment(saying: &row)
      found.type = EventReport.Kind(rawValue: found.type)?.eventType ?? found.type
      return found
    }
  }

  private func event(_ conditions: [SQL]) async throws -> [FoundMoment] {
    let statement = copies(
      "\(FoundMoment.columns), type", of: TelemetryTables.events, conditions,
      "ORDER BY timestamp, id LIMIT 1 BY project, session")
    return try await rows(statement) { try FoundMoment(&$0) }
  }

  private func screen(_ range: [SQL], _ values: [SearchValue]) async throws -> [FoundMoment] {
    let texts = values.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
    let statement = copies(
      "\(FoundMoment.columns), type", of: TelemetryTables.events,
      range + ["type = 'navigation'", ClickHouseTerms.any(texts.map { EventCondition.beginning(of: $0) })],
      "ORDER BY timestamp, id LIMIT \(count: Self.screens) BY project, session")
    let found = try await rows(statement) { try FoundMoment(&$0) }
    let payloads = try await payloads(found.map(\.place), bytes: limits.pageBytes).json
    // In the order of time, so that the first of each session is the one.
    return found.compactMap { one in
      guard let payload = payloads[one.place.id] else { return nil }
      var one = one
      one.said = EventMember.values(["destination"], in: payload, maximumDepth: limits.jsonDepth).first { name in
        texts.contains { EventMember.isPart($0, of: name) }
      }
      return one.said == nil ? nil : one
    }
  }
}
