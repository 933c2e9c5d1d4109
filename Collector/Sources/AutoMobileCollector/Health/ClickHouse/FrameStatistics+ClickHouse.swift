import AutoMobileClickHouse

extension FrameStatistics {
  /// Between the end of a visit's last frame and the event that tells of it, and for how long a visit may last: in milliseconds.
  private static let (slack, longest): (Int64, Int64) = (1000, HealthFilter.day)

  init(_ filter: HealthFilter, _ reading: ClickHouseReading, mostCrashes: Int = Self.mostCrashes) async throws {
    self.filter = filter
    trend = Array(repeating: Sums(), count: filter.buckets)
    let parts = filter.parts
    var byScreen: [String: Screen] = [:]
    var byVersion = NamedSums<AppVersion, Sums>()
    for visits in try await Self.visits(filter, reading) {
      all.add(visits.sums)
      byVersion[visits.version].add(visits.sums)
      byScreen[visits.screen, default: Screen()].sums.add(visits.sums)
      if let index = parts.index(fromEnd: visits.place) { trend[index].add(visits.sums) }
    }
    var worst = try await Self.worst(filter, reading)
    var begun = Set<UnfinishedVisit>()
    for second in try await Self.seconds(filter, reading) {
      var visit = second.visit
      visit.isFirst = begun.insert(UnfinishedVisit(session: second.session, screen: second.screen)).inserted
      all.add(visit)
      byVersion[second.version].add(visit)
      byScreen[second.screen, default: Screen()].sums.add(visit)
      if let index = parts.index(of: second.timestamp) { trend[index].add(visit) }
      let known = worst[second.screen]
      if known == nil || (visit.worst, -second.timestamp) > (known?.worst ?? 0, -(known?.timestamp ?? 0)) {
        worst[second.screen] = Worst(
          worst: visit.worst, timestamp: second.timestamp, event: second.id, session: second.session.session)
      }
    }
    for (screen, told) in worst {
      byScreen[screen]?.event = told.event
      byScreen[screen]?.sessionId = told.session
    }
    versions = byVersion.listed
    isPartial = try await addCrashes(to: &byScreen, mostCrashes, reading)
    list(byScreen)
  }

  // MARK: Visits

  private struct Visits: Sendable {
    var screen: String
    var version: AppVersion
    var place: Int64
    var sums: Sums
  }

  private static let columns: [SQLName] = [
    "project", "session", "id", "timestamp", "kind", "name", "bundle", "version", "total", "frames", "slow", "frozen",
    "worst",
  ]

  private static func visits(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Visits] {
    var rows = DistinctRows(TelemetryTables.measurements, columns)
    rows.range = ["kind = 'frames'"] + filter.rows
    let statement = reading.distinct(rows).inside { rows in
      """
      SELECT name, bundle, version, \(filter.place(of: "timestamp")) AS place, count(), sum(frames), sum(slow), \
      sum(frozen), sum(total), max(worst) FROM (\(rows)) GROUP BY name, bundle, version, place
      """
    }
    return try await reading.rows(statement) { row in
      Visits(
        screen: try row.string(), version: AppVersion(try row.string(), try row.string()), place: try row.int(),
        sums: Sums(
          visits: Int64(clamping: try row.int(UInt64.self)), frames: try row.int(), slow: try row.int(),
          frozen: try row.int(), duration: try row.int(), worst: try row.int()))
    }
  }

  private struct Worst: Sendable {
    var worst: Int64
    var timestamp: Int64
    var event: Int64
    var session: String
  }

  /// The worst visit of each screen, the first of those that are as bad.
  private static func worst(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [String: Worst] {
    var rows = DistinctRows(TelemetryTables.measurements, columns)
    rows.range = ["kind = 'frames'"] + filter.rows
    let statement = reading.distinct(rows).inside { rows in
      """
      SELECT name, worst, timestamp, id, session FROM (\(rows)) ORDER BY worst DESC, timestamp, id LIMIT 1 BY name
      """
    }
    let found = try await reading.rows(statement) { row in
      (
        try row.string(),
        Worst(worst: try row.int(), timestamp: try row.int(), event: try row.int(), session: try row.string())
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Visits whose end was never told

  /// A visit to a screen that the process did not live to see the end of.
  private struct UnfinishedVisit: Hashable {
    var session: SessionFact.Name
    var screen: String
  }

  private struct Second: Sendable {
    var session: SessionFact.Name
    var screen: String
    var version: AppVersion
    var id: Int64
    var timestamp: Int64
    var visit: Visit
  }

  /// Seconds in which frames came late that are part of no visit that was told of: in the order of time.
  private static func seconds(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Second] {
    let late: SQL = "kind = 'second' AND timestamp < \(filter.to)"
    // Of sessions and screens where there are such; with all visits that they can be part of.
    let concerned = reading.copies(
      "project, session, name", of: TelemetryTables.measurements, ["kind = 'second'"] + filter.rows, isOnShard: true)
    var rows = DistinctRows(TelemetryTables.measurements, columns)
    rows.range = [
      "kind IN ('frames', 'second')",
      "timestamp >= \(filter.from) AND timestamp < \(filter.to) + \(longest)",
      "(project, session, name) IN (\(concerned.sql))",
    ]
    func told(_ column: SQL) -> SQL { "groupArrayIf(\(column), \(late))" }
    let values: [SQL] = ["id", "timestamp", "bundle", "version", "frames", "slow", "frozen", "total", "worst"]
    let statement = reading.distinct(rows).inside { rows in
      """
      SELECT project, session, name, \(SQL.joined(values.map(told), ", ")), \
      groupArrayIf(timestamp - total - \(slack), kind = 'frames') AS starts, \
      groupArrayIf(timestamp, kind = 'frames') AS ends FROM (\(rows)) GROUP BY project, session, name
      """
    }
    return try await reading.rows(statement) { try Self.left(&$0, filter) }.flatMap(\.self)
      .sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
  }

  private static func left(_ row: inout RowBinaryReader, _ filter: HealthFilter) throws -> [Second] {
    func numbers(_ row: inout RowBinaryReader) throws -> [Int64] { try row.array { try $0.int() } }
    func texts(_ row: inout RowBinaryReader) throws -> [String] { try row.array { try $0.string() } }
    let session = SessionFact.Name(project: try row.string(), session: try row.string())
    let screen = try row.string()
    let (ids, times) = (try numbers(&row), try numbers(&row))
    let (bundles, versions) = (try texts(&row), try texts(&row))
    let (frames, slow, frozen) = (try numbers(&row), try numbers(&row), try numbers(&row))
    let (totals, worst) = (try numbers(&row), try numbers(&row))
    let visits = zip(try numbers(&row), try numbers(&row)).map { $0...max($0, $1) }
    return ids.indices.compactMap { index in
      guard filter.admits(app: bundles[index], version: versions[index]),
        !visits.contains(where: { $0.contains(times[index]) })
      else { return nil }
      return Second(
        session: session, screen: screen, version: AppVersion(bundles[index], versions[index]), id: ids[index],
        timestamp: times[index],
        visit: Visit(
          frames: frames[index], slow: slow[index], frozen: frozen[index], duration: totals[index], worst: worst[index],
          isUnfinished: true))
    }
  }

  // MARK: Crashes

  /// A screen is in the list, too, when all that is known of it is that the app crashed there.
  ///
  /// - Returns: whether there are more than `most`.
  private func addCrashes(
    to screens: inout [String: Screen], _ most: Int, _ reading: ClickHouseReading
  ) async throws -> Bool {
    var rows = DistinctRows(
      TelemetryTables.reports, ["session", "id", "timestamp", "screen", "bundle", "version", "kind"])
    rows.range = ["kind = 'crash'", "isNotNull(screen)"] + filter.rows
    let ordered = OrderedRows(rows, by: "timestamp", isAscending: false, after: nil, limit: most)
    let found = try await reading.ordered(
      ordered, selecting: ["assumeNotNull(screen) AS place", "id", "timestamp", "session"],
      { "SELECT place, count(), argMax(id, timestamp), argMax(session, timestamp) FROM (\($0)) GROUP BY place" },
      count: { $0.reduce(0) { $0 + Int($1.count) } }
    ) { row in
      (
        name: try row.string(), count: Int64(clamping: try row.int(UInt64.self)), event: try row.int(Int64.self),
        session: try row.string()
      )
    }
    for crashes in found {
      screens[crashes.name, default: Screen()].crashes += crashes.count
      if screens[crashes.name]?.sums.visits == 0, screens[crashes.name]?.event == 0 {
        screens[crashes.name]?.event = crashes.event
        screens[crashes.name]?.sessionId = crashes.session
      }
    }
    return found.reduce(0) { $0 + Int($1.count) } == most
  }
}
