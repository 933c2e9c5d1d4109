import AutoMobileClickHouse

/// Deletes rows on all shards, waits until they are gone, and looks whether they are.
///
/// It keeps no other account of how far it is than the list of names, and what is left there: so it goes on after any end.
struct ClickHouseDeletion: Sendable {
  private let cluster: ClickHouseCluster
  private let mutations: ShardMutations
  private let inserter: ClickHouseInserter
  private let telemetry: ClickHouseTelemetry
  private let lists: ErasureLists

  /// In a statement; 18.16 takes no more than 50 000 words.
  private static let mostNumbers = 10_000
  /// Before somebody is told that it takes long.
  private static let patience: Duration = .seconds(20)

  init(_ cluster: ClickHouseCluster, telemetry: ClickHouseTelemetry, lists: ErasureLists) {
    self.cluster = cluster
    mutations = ShardMutations(cluster)
    inserter = ClickHouseInserter(cluster, limits: .asBrought(within: .seconds(3)))
    self.telemetry = telemetry
    self.lists = lists
  }

  /// Rows of a table, on their shards.
  private struct Part: Sendable {
    /// As a receipt has it; nil: it is not counted.
    var count: String?
    var local: SQL
    var readable: SQL
    var condition: SQL
    /// What copies of a row have in common.
    var identity: SQL
  }

  // MARK: What there is

  /// Those first by which others are found: of a launch's end, the event that told it.
  private func parts(_ rows: ErasedRows) async throws -> [[Part]] {
    let tables = cluster.tables
    func part(_ count: String?, _ table: TelemetryTable, _ condition: SQL) -> Part {
      Part(
        count: count, local: tables.local(table), readable: tables(table), condition: condition,
        identity: SQL.joined(table.identity.map { "\($0)" }, ", "))
    }
    let sessions = Self.condition(rows.sessions)
    let told = try await list(
      "id", of: TelemetryTables.events,
      ["type = 'lifecycle'", "position(payload, 'previous_launch_ended') > 0", sessions])
    // As many as an app wants to have told: a statement takes so many of them.
    let ends = stride(from: 0, to: told.count, by: Self.mostNumbers).map { start in
      let numbers = told[start..<min(start + Self.mostNumbers, told.count)].map { "\($0)" as SQL }
      return part("launch_end", TelemetryTables.launchEnds, "id IN (\(SQL.joined(numbers, ", ")))")
    }
    let parts = try await condition(rows.sessions, by: "session", of: TelemetryTables.launchParts)
    let replays = try await condition(rows.replays, by: "replay", of: TelemetryTables.replays)
    let first = [
      part("launch_end", TelemetryTables.launchEnds, Self.condition(rows.alone)),
      part("quarantine", TelemetryTables.quarantine, Self.condition(rows.launches)),
      part("session_launch", TelemetryTables.launchParts, parts),
      part(nil, TelemetryTables.replays, "\(sessions) OR \(replays)"),
      part(nil, TelemetryTables.replaySegments, Self.condition(rows.replays)),
    ]
    let own: [(String?, TelemetryTable)] = [
      (nil, TelemetryTables.arrivals), ("network", TelemetryTables.requests), ("spans", TelemetryTables.spans),
      ("issue_event", TelemetryTables.reports), ("measurement", TelemetryTables.measurements),
      ("context", TelemetryTables.contexts), ("session_summary", TelemetryTables.summaries),
      ("event", TelemetryTables.events), (nil, TelemetryTables.eventCounts),
      ("session_import", TelemetryTables.sessionImports),
    ]
    var second = own.map { part($0, $1, sessions) }
    second.append(
      Part(
        count: "session", local: tables.localSessions, readable: tables.sessions, condition: sessions,
        identity: "project, session"))
    return [ends + first, second]
  }

  /// By the number that their shard is chosen by: no name stands in what servers keep of deletions.
  private static func condition(_ names: [ErasureNames.Name]) -> SQL {
    guard !names.isEmpty else { return "0" }
    let projects = SQL.joined(Set(names.map(\.project)).sorted().map { "\(text: $0)" }, ", ")
    let shards = SQL.joined(names.map { "\(ShardKey.of(project: $0.project, session: $0.name))" }, ", ")
    return "(project IN (\(projects)) AND shard IN (\(shards)))"
  }

  /// Of rows that lie elsewhere, by a hash of ClickHouse's for the same reason.
  private func condition(
    _ names: [ErasureNames.Name], by column: SQLName, of table: TelemetryTable
  ) async throws -> SQL {
    var hashes: [Int64] = []
    for start in stride(from: 0, to: names.count, by: ClickHouseSubject.most) {
      let some = Array(names[start..<min(start + ClickHouseSubject.most, names.count)])
      hashes += try await list(
        "toInt64(cityHash64(project, \(column)))", of: table, ClickHouseSubject.range(of: some, column: "\(column)"))
    }
    guard !hashes.isEmpty else { return "0" }
    return "toInt64(cityHash64(project, \(column))) IN (\(SQL.joined(hashes.map { "\($0)" }, ", ")))"
  }

  private func list(_ column: SQL, of table: TelemetryTable, _ range: [SQL]) async throws -> [Int64] {
    try await cluster.client.rows(
      "SELECT DISTINCT \(column) FROM \(cluster.readable(table)) WHERE \(ClickHouseSubject.condition(range))"
    ) { try $0.int(Int64.self) }
  }

  func counts(_ rows: ErasedRows) async throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for piece in rows.pieces { counts.merge(try await countsOfPiece(piece), uniquingKeysWith: +) }
    return counts.filter { $0.value > 0 }
  }

  private func countsOfPiece(_ rows: ErasedRows) async throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for part in try await parts(rows).flatMap(\.self) {
      guard let name = part.count else { continue }
      counts[name, default: 0] += try await count(part, "uniqExact(\(part.identity))")
    }
    let events = cluster.readable(TelemetryTables.events)
    let bytes = try await cluster.client.rows(
      """
      SELECT toInt64(sum(bytes)) FROM (SELECT any(length(payload)) AS bytes FROM \(events) \
      WHERE \(Self.condition(rows.sessions)) GROUP BY project, launch, position)
      """
    ) { try $0.int(Int64.self) }
    counts["event_bytes"] = bytes.first
    return counts
  }

  private func count(_ part: Part, _ what: SQL) async throws -> Int64 {
    try await cluster.client.rows(
      "SELECT toInt64(\(what)) FROM \(part.readable) WHERE \(part.condition)"
    ) { try $0.int(Int64.self) }.first ?? 0
  }

  // MARK: Deleting

  /// - Returns: why it has to wait; nil when nothing of the list is left anywhere.
  func run(_ list: Int64, pause: (Double) -> Bool) throws -> String? {
    let rows = try lists.rows(of: list)
    guard !rows.isEmpty else { return nil }
    do {
      try count(rows, of: list)
      try tell(of: rows.replays)
      for piece in rows.pieces {
        for parts in try waitFor({ [self] in try await parts(piece) }) {
          if let problem = try delete(parts, pause: pause) { return problem }
        }
      }
      try forgetPlaces(of: list)
      try lists.remove(list)
      return nil
    } catch let error as ClickHouseError {
      return "\(error)"
    } catch let error as InsertFailure {
      return "\(error)"
    }
  }

  /// So that whoever has something of them removes it.
  private func tell(of replays: [ErasureNames.Name]) throws {
    var rows = ShardedRows(TelemetryTables.replayRemovals, cluster.map)
    let now = WallClock.now
    for replay in replays {
      rows.append(ShardKey.of(project: replay.project, session: replay.name)) { row in
        row.string(replay.project)
        row.string(replay.name)
        row.int(now)
        row.int(now)
        row.day(RecordColumns.day(now))
      }
    }
    guard !rows.isEmpty else { return }
    try waitFor { [inserter, rows] in try await inserter.insert(rows) }
  }

  /// Once, before anything is deleted.
  private func count(_ rows: ErasedRows, of list: Int64) throws {
    guard list != ErasureNames.late, try !lists.isCounted(list) else { return }
    try lists.noteCounts(try waitFor { [self] in try await counts(rows) }, of: list)
  }

  /// - Returns: why it has to wait.
  private func delete(_ parts: [Part], pause: (Double) -> Bool) throws -> String? {
    let patience = ContinuousClock.now + Self.patience
    while true {
      // Those that were begun by an earlier process, too.
      let pending = try waitFor { [mutations] in try await mutations.pending() }
      if pending == 0 {
        let left = try waitFor { [self] in try await rest(of: parts) }
        if left.isEmpty { return nil }
        try waitFor { [mutations] () async throws -> Void in
          for part in left { try await mutations.delete(from: part.local, where: part.condition) }
        }
      }
      guard ContinuousClock.now < patience else {
        return "ClickHouse deletes: \(pending) of its deletions are not done"
      }
      guard pause(0.05) else { return "ClickHouse deletes" }
    }
  }

  private func rest(of parts: [Part]) async throws -> [Part] {
    var left: [Part] = []
    for part in parts {
      if try await count(part, "count()") > 0 { left.append(part) }
    }
    return left
  }

  /// Alerts about routes that nobody uses any more.
  private func forgetPlaces(of list: Int64) throws {
    let places = try lists.places(of: list)
    guard !places.isEmpty else { return }
    let used = try waitFor { [telemetry] in
      try await telemetry.readOwn { reading in
        var used: Set<ErasureNames.Name> = []
        for start in stride(from: 0, to: places.count, by: ClickHouseSubject.most) {
          let some = places[start..<min(start + ClickHouseSubject.most, places.count)]
          let pairs = some.map { "(\(text: $0.project), \(text: $0.name))" as SQL }
          used.formUnion(
            try await reading.rows(
              reading.copies(
                "DISTINCT host, route", of: TelemetryTables.requests,
                ["(host, route) IN (\(SQL.joined(pairs, ", ")))"])
            ) { ErasureNames.Name(project: try $0.string(), name: try $0.string()) })
        }
        return used
      }
    }
    for place in places where !used.contains(place) {
      try lists.forget(place: place.project + place.name, of: list)
    }
  }
}
