import GRDB

extension LaunchTimes {
  /// Launches of one session among which that of a summary is looked for.
  private static let mostOfSession = 100

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    trend = Array(repeating: Percentiles(), count: filter.buckets)
    let builds = try filter.builds(database)
    let parts = filter.parts
    var byKind = NamedSums<String, Percentiles>()
    var byBuild = NamedSums<Int64, Percentiles>()
    try RawRows.each(
      database,
      sql: """
        SELECT timestamp, kind, total, preMain, build FROM launch_time
        WHERE timestamp >= ? AND timestamp < ?\(builds.sql)
        """, arguments: [filter.from, filter.to]
    ) { row in
      let total = row.integer(2)
      all.add(total)
      byKind[row.text(1)].add(total)
      if let early = row.optionalInteger(3) { preMain.add(early) }
      byBuild[row.integer(4)].add(total)
      if let index = parts.index(of: row.integer(0)) { trend[index].add(total) }
    }
    let told = try addTold(database, &byKind, &byBuild)
    kinds = byKind.listed
    kinds.sort(first: Self.listedKinds) { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }
    versions = try byBuild.renamed { build in
      try build < 0 ? told[Int(-1 - build)] : AppVersion(build: build, database)
    }
    slowest = try Row.fetchAll(
      database,
      sql: """
        SELECT event, sessionId, timestamp, kind, total, version
        FROM launch_time JOIN build ON build.id = launch_time.build JOIN session ON session.id = launch_time.session
        WHERE timestamp >= ? AND timestamp < ?\(builds.sql) ORDER BY total DESC, event DESC LIMIT ?
        """, arguments: [filter.from, filter.to, Self.listed]
    ).map { row in
      Launch(event: row[0], sessionId: row[1], timestamp: row[2], kind: row[3], total: row[4], version: row[5])
    }
  }

  /// Launches that are not here themselves, by what their devices say of them.
  ///
  /// - Returns: versions in which nothing was measured here, by −1 − their number.
  private mutating func addTold(
    _ database: Database, _ byKind: inout NamedSums<String, Percentiles>, _ byBuild: inout NamedSums<Int64, Percentiles>
  ) throws -> [AppVersion] {
    let build = try database.cachedStatement(sql: "SELECT id FROM build WHERE bundleId = ? AND version = ?")
    var unknown: [AppVersion] = []
    var numbers: [AppVersion: Int64] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT startedAt, launchKind, launchTime, bundleId, appVersion
        FROM session_summary AS told CROSS JOIN session ON session.id = told.session
        WHERE startedAt >= ? AND startedAt < ? AND launchTime IS NOT NULL
          AND NOT EXISTS (
            SELECT 1 FROM (SELECT event FROM launch_time WHERE launch_time.session = told.session LIMIT \(Self.mostOfSession)) AS own
              CROSS JOIN event ON event.id = own.event CROSS JOIN launch ON launch.id = event.launch
            WHERE launch.given = told.launch)
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[3], version: row[4]) else { continue }
      let version = AppVersion(row[3], row[4])
      if numbers[version] == nil {
        let known = try Int64.fetchOne(build, arguments: [version.bundleId, version.version])
        if known == nil { unknown.append(version) }
        numbers[version] = known ?? -Int64(unknown.count)
      }
      let (kind, time): (String, Int64) = (row[1], row[2])
      all.add(time)
      byKind[kind].add(time)
      byBuild[numbers[version] ?? 0].add(time)
      if let index = filter.index(of: row[0]) { trend[index].add(time) }
      bySummary += 1
    }
    return unknown
  }
}
