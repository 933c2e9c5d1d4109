import AutoMobileClickHouse
import Foundation

/// Reads a session's events by the thousand, and each context once.
///
/// Launches and contexts have no numbers here: those that it gives out are made of their names, and tell them apart within a session.
struct ClickHouseOutgoing: OutgoingReading {
  let telemetry: ClickHouseTelemetry

  private static let page = 1000

  func session(_ scope: ReadScope, _ id: String, spans: Bool?) async throws -> OutgoingSession {
    let live = WallClock.now - SessionRow.liveMilliseconds
    return try await telemetry.read(scope) { reading in
      guard let name = try await reading.session(named: id),
        let session = try await reading.sessions([name], live: live).first
      else { throw APIError(.notFound, "no_session", "no session with this id") }
      let types = try await reading.rows(
        reading.copies("DISTINCT type", of: TelemetryTables.events, name.range, "ORDER BY type")
      ) { try $0.string() }
      let wanted = types.filter { spans == nil || OutgoingRule.spanTypes.contains($0) == spans }
      return OutgoingSession(
        row: name.number, name: name, sessionId: session.sessionId, bundleId: session.bundleId,
        version: session.appVersion, first: session.first, last: session.last, isLive: session.isLive,
        spans: spans ?? false,
        types: Dictionary(uniqueKeysWithValues: wanted.enumerated().map { (Int64($0), $1) }))
    }
  }

  func page(
    _ scope: ReadScope, _ session: OutgoingSession, after: PageCursor?
  ) async throws -> (rows: [OutgoingRow], isFull: Bool) {
    let types = session.types.values.sorted()
    guard let name = session.name, !types.isEmpty else { return ([], false) }
    return try await telemetry.read(scope, .heavy) { reading -> (rows: [OutgoingRow], isFull: Bool) in
      var rows = DistinctRows(TelemetryTables.events, columns: EventPlace.columns)
      rows.range = name.range + ["type IN (\(SQL.joined(types.map { "\(text: $0)" }, ", ")))"]
      if let after {
        rows.range.append("timestamp >= \(after.key)")
        rows.filter = ["timestamp > \(after.key) OR (timestamp = \(after.key) AND id > \(after.id))"]
      }
      rows.order = ["timestamp", "id"]
      rows.limit = Self.page
      let places = try await reading.rows(
        reading.distinct(rows, selecting: ["project", "session", "id", "timestamp"])
      ) { try EventPlace(&$0) }
      let (found, count) = try await Self.rows(places, reading)
      return (found, count < places.count || places.count == Self.page)
    }
  }

  /// Of the first of these, as many as are not too large together.
  private static func rows(
    _ places: [EventPlace], _ reading: ClickHouseReading
  ) async throws -> (rows: [OutgoingRow], places: Int) {
    guard !places.isEmpty else { return ([], 0) }
    let (payloads, count) = try await reading.payloads(places, bytes: reading.limits.pageBytes)
    let fitting = places.prefix(count)
    let statement = reading.copies(
      "id, timestamp, received, type, position, project, launch, context", exactly: fitting)
    let rows = try await reading.rows(statement) { row in
      var event = OutgoingRow(
        id: try row.int(), timestamp: try row.int(), received: try row.int(), type: try row.string(),
        sequence: try row.int(), payload: Data())
      let (project, launch) = (try row.string(), try row.string())
      let context = try row.nullable { try $0.int(Int64.self) }
      event.launch = number(of: launch, in: project)
      event.context = context.map { number(of: "\(launch) \($0)", in: project) }
      event.contextName = context.map { ContextName(project: project, launch: launch, number: $0) }
      return event
    }
    let all = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let found = fitting.compactMap { place -> OutgoingRow? in
      guard var row = all[place.id], let payload = payloads[place.id] else { return nil }
      row.payload = payload
      return row
    }
    return (found, count)
  }

  static func number(of name: String, in project: String) -> Int64 {
    Int64(bitPattern: ShardKey.of(project: project, session: name))
  }

  func context(_ scope: ReadScope, of row: OutgoingRow) async throws -> Data? {
    guard let name = row.contextName else { return nil }
    return try await telemetry.read(scope) { reading in
      try await reading.contexts([(name.project, name.launch, name.number)])[name]
    }
  }

  func launches(_ scope: ReadScope, of session: OutgoingSession) async throws -> [TraceLaunch] {
    guard let name = session.name else { return [] }
    return try await telemetry.read(scope) { reading in
      let own = try await reading.rows(
        reading.copies(
          "DISTINCT launch", of: TelemetryTables.launchParts,
          ["project = \(text: name.project)", "session = \(text: name.session)"],
          "ORDER BY launch LIMIT \(count: TraceLaunch.most)")
      ) { LaunchName(project: name.project, launch: try $0.string()) }
      let launches = try await reading.launches(own)
      let ends = try await reading.ends(of: own)
      return launches.sorted {
        ($0.first ?? $0.last ?? .max, $0.place.id) < ($1.first ?? $1.last ?? .max, $1.place.id)
      }.map { launch in
        let end = ends[LaunchName(project: name.project, launch: launch.launchId)]
        return TraceLaunch(
          row: Self.number(of: launch.launchId, in: name.project), given: launch.launchId, last: launch.last,
          memory: end.flatMap { end in end.memory.flatMap { used in end.seen.map { (used, $0) } } })
      }
    }
  }
}
