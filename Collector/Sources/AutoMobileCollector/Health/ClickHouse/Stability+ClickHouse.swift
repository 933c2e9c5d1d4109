import AutoMobileClickHouse

extension Stability {
  /// Of a session that has been put together with `said_types`: something happened in it. One of which only a summary came counts as any
  /// other.
  static let isKnownThere: SQL = "arrayExists(type -> type != 'breadcrumb', said_types)"

  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    self.filter = filter
    sessionTrend = Array(repeating: Sessions(), count: filter.buckets)
    endTrend = Array(repeating: [:], count: filter.buckets)
    try await countSessions(reading)
    try await countEnds(reading)
  }

  private struct Counted: Sendable {
    var version: AppVersion
    var place: Int64
    var isCrashed: Bool
    var isBySummary: Bool
    var count: Int64
    /// Hashes of their names.
    var users: [UInt64]
  }

  private mutating func countSessions(_ reading: ClickHouseReading) async throws {
    let types = SessionTables.value("types") ?? "[]"
    let sessions = reading.sessions(
      SeenSessions(
        selected: ClickHouseSessionTerms.said + ["\(types) AS said_types"],
        filter: [Self.isKnownThere, "said_last >= \(filter.from) AND said_last < \(filter.to)"]
          + filter.app(bundle: "said_bundle", version: "said_version")))
    let crashed = reading.copies("project, session", of: TelemetryTables.reports, ["kind = 'crash'"])
    let told = reading.toldSessions().inside { "SELECT project, session FROM (\($0)) WHERE crashes > 0" }
    let missing = try await Self.missing(reading)
    // Two apps may call two people the same.
    let statement = sessions.inside { sessions in
      """
      SELECT said_bundle, said_version, \(filter.place(of: "said_last")) AS place, \
      (project, session) IN (SELECT * FROM (\(crashed.sql)) UNION ALL SELECT * FROM (\(told.sql))) AS crashed, \
      (project, session) IN (\(missing.sql)) AS by_summary, count(), \
      groupUniqArrayIf(cityHash64(said_user, said_bundle), notEmpty(said_user)) \
      FROM (\(sessions)) GROUP BY said_bundle, said_version, place, crashed, by_summary
      """
    }
    let found = try await reading.rows(statement) { row in
      Counted(
        version: AppVersion(try row.string(), try row.string()), place: try row.int(), isCrashed: try row.bool(),
        isBySummary: try row.bool(), count: Int64(clamping: try row.int(UInt64.self)),
        users: try row.array { try $0.int(UInt64.self) })
    }
    let parts = filter.parts
    for counted in found {
      var sums = Sessions()
      sums.count = counted.count
      if counted.isCrashed { sums.crashed = counted.count }
      if counted.isBySummary { sums.bySummary = counted.count }
      for user in counted.users { sums.users.add(user, isCrashed: counted.isCrashed) }
      self.sessions.add(sums)
      sessionsByVersion[counted.version].add(sums)
      if let index = parts.index(fromEnd: counted.place) {
        sessionTrend[index].count += counted.count
        sessionTrend[index].crashed += sums.crashed
      }
    }
  }

  /// Sessions of which their devices have told more than is here, launch by launch: a crash that a later one tells of is here, and in no
  /// summary.
  private static func missing(_ reading: ClickHouseReading) async throws -> SeenSQL {
    let told = reading.copies("project, session", of: TelemetryTables.summaries, [], isOnShard: true)
    let counted = try await CountedStretches(reading: reading).bySession(
      [.events], ["(project, session) IN (\(told.sql))"])
    let here: SQL = "SELECT project, session, launch AS about, events AS here FROM (\(counted.sql))"
    return reading.toldSessions().inside { told in
      """
      SELECT project, session FROM (SELECT project, session, about, events FROM (\(told))) AS told ANY LEFT JOIN (\(here)) AS held \
      USING (project, session, about) WHERE events > here
      """
    }
  }
}
