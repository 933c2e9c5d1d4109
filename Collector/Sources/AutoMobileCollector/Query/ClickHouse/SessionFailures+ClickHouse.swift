import AutoMobileClickHouse
import Foundation

/// Tells of sessions what failed in them.
///
/// Whoever took an error in wrote down what it says of itself (``KeptFailures``), and only reports say more of theirs. Of sessions of which
/// a program of before took something in, the events are read.
extension ClickHouseReading {
  /// An error of a session.
  struct Failed: Sendable {
    var name: SessionName
    var place: EventPlace
    var type: String
    /// What it says of itself, where that is known; nil: it has to be read.
    var text: String?

    var order: (Int64, Int64) {
      (place.timestamp, place.id + (type == "crash" ? EventOrder.crashes : 0))
    }
  }

  /// - Parameter names: of the sessions, in their order.
  func addFailures(to sessions: inout [SessionRow], _ names: [SessionName]) async throws {
    let places = sessions.indices.filter { sessions[$0].errors > 0 && names.indices.contains($0) }
    guard !places.isEmpty else { return }
    let failures = try await failures(of: places.map { names[$0] })
    for index in places { sessions[index].failures = failures[names[index]] ?? [] }
  }

  private func failures(of names: [SessionName]) async throws -> [SessionName: [SessionFailure]] {
    async let keptOf = keptFailures(of: names)
    let unkept = try await unkept(names)
    let read = try await readFailures(of: unkept)
    let known = try await keptOf.filter { !unkept.contains($0.name) }
    let failed = (known + read).sorted { $0.order < $1.order }
    let facts = try await facts(of: failed)
    var all: [SessionName: [FailureCandidate]] = [:]
    for one in failed {
      all[one.name, default: []].append(
        FailureCandidate(event: one.place.id, type: one.type, facts[one.place.id] ?? .init()))
    }
    var chosen = all.mapValues { FailureCandidate.chosen(of: $0) }
    let wordy = Set(chosen.values.joined().filter(\.hasWords).map(\.event))
    let said = try await words(of: failed.filter { wordy.contains($0.place.id) })
    for name in chosen.keys {
      chosen[name] = chosen[name]?.map { candidate in
        var candidate = candidate
        candidate.say(said[candidate.event])
        return candidate
      }
    }
    return chosen.mapValues { $0.compactMap(\.failure) }
  }

  // MARK: Events that are read

  /// So many errors of each session from either end of it on.
  private func readFailures(of names: Set<SessionName>) async throws -> [Failed] {
    guard !names.isEmpty else { return [] }
    async let early = read(Array(names), "timestamp", FailureCandidate.early)
    async let late = read(Array(names), "timestamp DESC", FailureCandidate.late)
    let both = Dictionary((try await early + late).map { ($0.place.id, $0) }, uniquingKeysWith: { first, _ in first })
    return both.values.map(\.self)
  }

  private func read(_ names: [SessionName], _ order: SQL, _ count: Int) async throws -> [Failed] {
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

  // MARK: What else is known of them

  private static let reported: Set = ["crash", "hang", "handled_exception"]

  /// What reports and requests say of their events.
  private func facts(of failed: [Failed]) async throws -> [Int64: FailureCandidate.Facts] {
    let requested = failed.filter { $0.type == "network_request" }
    async let reportsOf = reports(of: failed.filter { Self.reported.contains($0.type) }.map(\.place))
    let requests = try await requests(of: requested.filter { $0.text == nil }.map(\.place))
    let told = requested.compactMap { one in
      one.text.flatMap { $0.isEmpty ? nil : (one.place.id, FailureCandidate.Facts(request: $0)) }
    }
    return Dictionary(try await reportsOf + requests + told, uniquingKeysWith: { first, _ in first })
  }

  private func reports(of places: [EventPlace]) async throws -> [(Int64, FailureCandidate.Facts)] {
    guard !places.isEmpty else { return [] }
    var said = DistinctRows(TelemetryTables.reports, columns: ["id", "bundle", "fingerprint", "cause", "culprit"])
    said.range = EventPlace.range(places) + [EventPlace.numbers(places)]
    return try await rows(
      distinct(said, selecting: ["id", "bundle", "fingerprint", "cause", "culprit"])
    ) { row in
      let id: Int64 = try row.int()
      let issue = "\(try row.string()) \(try row.string())"
      return (
        id,
        FailureCandidate.Facts(issue: issue, cause: try row.string(), culprit: try row.nullable { try $0.string() })
      )
    }
  }

  private func requests(of places: [EventPlace]) async throws -> [(Int64, FailureCandidate.Facts)] {
    guard !places.isEmpty else { return [] }
    return try await rows(
      copies(
        "id, method, path, status", of: TelemetryTables.requests,
        EventPlace.range(places) + [EventPlace.numbers(places)])
    ) { row in
      (
        try row.int(Int64.self),
        FailureCandidate.Facts(
          method: try row.string(), path: try row.string(), status: try row.nullable { try $0.int() })
      )
    }
  }

  /// What the app itself said: a message, one of its own, an error's.
  private func words(of failed: [Failed]) async throws -> [Int64: String] {
    var said: [Int64: String] = [:]
    for one in failed { if let text = one.text, !text.isEmpty { said[one.place.id] = text } }
    let read = failed.filter { $0.text == nil }
    let types = Dictionary(read.map { ($0.place.id, $0.type) }, uniquingKeysWith: { first, _ in first })
    let (payloads, _) = try await payloads(read.map(\.place), bytes: limits.pageBytes)
    for (id, payload) in payloads where payload.count <= FailureCandidate.longestEvent {
      let parts = (["message", "customMessage", "errorMessage"] as [StaticString]).map { name in
        EventMember.text(name, in: payload, maximumDepth: limits.jsonDepth).map(FailureCandidate.shortened)
      }
      said[id] = FailureCandidate.words(types[id] ?? "", parts[0], parts[1], parts[2])
    }
    return said
  }
}
