import AutoMobileClickHouse
import Foundation

/// Tells of sessions what failed in them.
extension ClickHouseReading {
  private struct Failed: Sendable {
    var name: SessionName
    var place: EventPlace
    var type: String
  }

  /// - Parameter names: of the sessions, in their order.
  func addFailures(to sessions: inout [SessionRow], _ names: [SessionName]) async throws {
    let places = sessions.indices.filter { sessions[$0].errors > 0 && names.indices.contains($0) }
    guard !places.isEmpty else { return }
    let failures = try await failures(of: places.map { names[$0] })
    for index in places { sessions[index].failures = failures[names[index]] ?? [] }
  }

  private func failures(of names: [SessionName]) async throws -> [SessionName: [SessionFailure]] {
    async let early = failed(names, "timestamp", FailureCandidate.early)
    async let late = failed(names, "timestamp DESC", FailureCandidate.late)
    var failed = Dictionary((try await early + late).map { ($0.place.id, $0) }, uniquingKeysWith: { first, _ in first })
      .values
      .map(\.self)
    failed.sort { (Self.cursor($0).key, Self.cursor($0).id) < (Self.cursor($1).key, Self.cursor($1).id) }
    let facts = try await facts(of: failed.map(\.place))
    var all: [SessionName: [FailureCandidate]] = [:]
    for one in failed {
      all[one.name, default: []].append(
        FailureCandidate(event: one.place.id, type: one.type, facts[one.place.id] ?? .init()))
    }
    var chosen = all.mapValues { FailureCandidate.chosen(of: $0) }
    let wordy = Set(chosen.values.joined().filter(\.hasWords).map(\.event))
    let said = try await words(of: failed.map(\.place).filter { wordy.contains($0.id) })
    for name in chosen.keys {
      chosen[name] = chosen[name]?.map { candidate in
        var candidate = candidate
        if let said = said[candidate.event] { candidate.say(said[0], said[1], said[2]) }
        return candidate
      }
    }
    return chosen.mapValues { $0.compactMap(\.failure) }
  }

  private static func cursor(_ failed: Failed) -> PageCursor {
    PageCursor(
      key: failed.place.timestamp, id: failed.place.id + (failed.type == "crash" ? EventOrder.crashes : 0))
  }

  /// So many errors of each session, from one end of it on.
  private func failed(_ names: [SessionName], _ order: SQL, _ count: Int) async throws -> [Failed] {
    var rows = DistinctRows(TelemetryTables.events, columns: EventPlace.columns + ["type", "shard"])
    rows.first = ["severity >= 4", Self.numbers(of: names)]
    rows.range = [Self.keys(of: names)]
    let statement = distinct(
      rows, selecting: ["project", "session", "shard", "id", "timestamp", "type"]
    ).inside { "SELECT * FROM (\($0)) ORDER BY \(order) LIMIT \(count: count) BY project, session" }
    return try await self.rows(statement) { row in
      let name = try SessionName(&row)
      return Failed(
        name: name,
        place: EventPlace(project: name.project, session: name.session, id: try row.int(), timestamp: try row.int()),
        type: try row.string())
    }
  }

  /// What reports and requests say of their events.
  private func facts(of places: [EventPlace]) async throws -> [Int64: FailureCandidate.Facts] {
    guard !places.isEmpty else { return [:] }
    let range = EventPlace.range(places) + [EventPlace.numbers(places)]
    var said = DistinctRows(TelemetryTables.reports, columns: ["id", "bundle", "fingerprint", "cause", "culprit"])
    said.range = range
    let reports = try await rows(
      distinct(said, selecting: ["id", "bundle", "fingerprint", "cause", "culprit"])
    ) { row in
      let id: Int64 = try row.int()
      let issue = "\(try row.string()) \(try row.string())"
      return (
        id,
        FailureCandidate.Facts(issue: issue, cause: try row.string(), culprit: try row.nullable { try $0.string() })
      )
    }
    let requests = try await rows(
      copies("id, method, path, status", of: TelemetryTables.requests, range)
    ) { row in
      (
        try row.int(Int64.self),
        FailureCandidate.Facts(
          method: try row.string(), path: try row.string(), status: try row.nullable { try $0.int() })
      )
    }
    return Dictionary(reports + requests, uniquingKeysWith: { first, _ in first })
  }

  /// What the app itself said: a message, one of its own, an error's.
  private func words(of places: [EventPlace]) async throws -> [Int64: [String?]] {
    let (payloads, _) = try await payloads(places, bytes: limits.pageBytes)
    return payloads.filter { $0.value.count <= FailureCandidate.longestEvent }.mapValues { payload in
      (["message", "customMessage", "errorMessage"] as [StaticString]).map { name in
        EventMember.text(name, in: payload, maximumDepth: limits.jsonDepth).map { String($0.prefix(500)) }
      }
    }
  }
}
