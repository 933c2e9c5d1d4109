import AutoMobileClickHouse

extension LaunchTimes {
  private struct Counted: Sendable {
    var kind: String
    var version: AppVersion
    /// Part of the trend, from its end.
    var place: Int64
    var totals: [Int64]
    /// Before main, of those that said it.
    var early: [Int64] = []
  }

  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    self.filter = filter
    trend = Array(repeating: Percentiles(), count: filter.buckets)
    let parts = filter.parts
    var byKind = NamedSums<String, Percentiles>()
    var byVersion = NamedSums<AppVersion, Percentiles>()
    for counted in try await Self.measured(filter, reading) {
      add(counted, parts, &byKind, &byVersion)
      preMain.add(counted.early)
    }
    for counted in try await Self.told(filter, reading) {
      add(counted, parts, &byKind, &byVersion)
      bySummary += Int64(counted.totals.count)
    }
    kinds = byKind.listed
    kinds.sort(first: Self.listedKinds) { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }
    versions = byVersion.listed
    slowest = try await Self.slowest(filter, reading)
  }

  private mutating func add(
    _ counted: Counted, _ parts: HealthFilter.Parts, _ byKind: inout NamedSums<String, Percentiles>,
    _ byVersion: inout NamedSums<AppVersion, Percentiles>
  ) {
    all.add(counted.totals)
    byKind[counted.kind].add(counted.totals)
    byVersion[counted.version].add(counted.totals)
    if let index = parts.index(fromEnd: counted.place) { trend[index].add(counted.totals) }
  }

  private static func rows(_ filter: HealthFilter) -> DistinctRows {
    var rows = DistinctRows(
      TelemetryTables.measurements, ["session", "id", "timestamp", "name", "bundle", "version", "total", "part"])
    rows.range = ["kind = 'launch'"] + filter.rows
    return rows
  }

  private static func measured(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Counted] {
    let rows = reading.distinct(
      rows(filter), selecting: ["name", "bundle", "version", "timestamp", "total", "ifNull(part, -1) AS early"])
    let statement = rows.inside { rows in
      """
      SELECT name, bundle, version, \(filter.place(of: "timestamp")) AS place, groupArray(total), groupArray(early) \
      FROM (\(rows)) GROUP BY name, bundle, version, place
      """
    }
    return try await reading.rows(statement) { row in
      var counted = Counted(
        kind: try row.string(), version: AppVersion(try row.string(), try row.string()), place: try row.int(),
        totals: try row.array { try $0.int(Int64.self) })
      counted.early = try row.array { try $0.int(Int64.self) }.filter { $0 >= 0 }
      return counted
    }
  }

  /// Launches that are not here themselves, by what their devices say of them.
  private static func told(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Counted] {
    let here = reading.copies("project, session, launch", of: TelemetryTables.measurements, ["kind = 'launch'"])
    let conditions = ClickHouseTerms.all(
      [
        "isNotNull(launch_time)", "started >= \(filter.from) AND started < \(filter.to)",
        "(project, session, about) NOT IN (\(here.sql))",
      ] + filter.app(bundle: "bundle", version: "version"))
    let statement = reading.toldSessions().inside { told in
      """
      SELECT launch_kind, bundle, version, \(filter.place(of: "started")) AS place, \
      groupArray(assumeNotNull(launch_time)) FROM (\(told)) WHERE \(conditions) \
      GROUP BY launch_kind, bundle, version, place
      """
    }
    return try await reading.rows(statement) {
      Counted(
        kind: try $0.string(), version: AppVersion(try $0.string(), try $0.string()), place: try $0.int(),
        totals: try $0.array { try $0.int(Int64.self) })
    }
  }

  private static func slowest(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Launch] {
    var rows = rows(filter)
    rows.order = ["total DESC", "id DESC"]
    rows.limit = listed
    let statement = reading.distinct(rows, selecting: ["id", "session", "timestamp", "name", "total", "version"])
    return try await reading.rows(statement) {
      Launch(
        event: try $0.int(), sessionId: try $0.string(), timestamp: try $0.int(), kind: try $0.string(),
        total: try $0.int(), version: try $0.string())
    }
  }
}
