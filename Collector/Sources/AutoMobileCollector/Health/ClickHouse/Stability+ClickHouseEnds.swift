import AutoMobileClickHouse

/// How launches ended.
extension Stability {
  private struct CountedEnds: Sendable {
    var version: AppVersion
    var verdict: String
    var place: Int64
    var count: Int64
    var memory: [Int64]

    init(_ row: inout RowBinaryReader) throws {
      version = AppVersion(try row.string(), try row.string())
      verdict = try row.string()
      place = try row.int()
      count = Int64(clamping: try row.int(UInt64.self))
      // 0 where there is none: so is what a join finds nothing for.
      memory = try row.array { try $0.int(Int64.self) }.filter { $0 > 0 }.map { $0 - 1 }
    }
  }

  /// A launch that told that it was over, or of which a later one told, has ended. Where no verdict has come, a summary may say how.
  mutating func countEnds(_ reading: ClickHouseReading) async throws {
    let over = Self.launches(filter, reading)
    let counted = Self.counted(
      over, at: "its_last", bundle: "its_bundle", version: "if(notEmpty(version), version, said_version)",
      verdict: "if(notEmpty(verdict), verdict, if(notEmpty(said_ending), said_ending, 'untold'))", filter)
    for ends in try await reading.rows(counted, { try CountedEnds(&$0) }) { add(ends) }
    let told = Self.counted(
      Self.toldLaunches(filter, reading), at: "its_last", bundle: "its_bundle",
      version: "if(notEmpty(version), version, said_version)",
      verdict: "if(notEmpty(verdict), verdict, if(notEmpty(said_ending), said_ending, 'untold'))", filter)
    for ends in try await reading.rows(told, { try CountedEnds(&$0) }) { add(ends) }
    recent = try await Self.recent(over, filter, reading)
  }

  private mutating func add(_ counted: CountedEnds) {
    var sums = Ends()
    sums.launches = counted.count
    sums.verdicts = [counted.verdict: counted.count]
    sums.memory.add(counted.memory)
    ends.add(sums)
    endsByVersion[counted.version].add(sums)
    if let index = filter.parts.index(fromEnd: counted.place) {
      endTrend[index][counted.verdict, default: 0] += counted.count
    }
  }

  private static func counted(
    _ launches: SeenSQL, at time: SQL, bundle: SQL, version: SQL, verdict: SQL, _ filter: HealthFilter
  ) -> SeenSQL {
    let conditions = ClickHouseTerms.all(
      ["\(time) >= \(filter.from) AND \(time) < \(filter.to)"]
        + filter.app(bundle: "known_bundle", version: "known_version"))
    return launches.inside { launches in
      """
      SELECT known_bundle, known_version, known_verdict, \(filter.place(of: time)) AS place, count(), groupArray(memory_more) \
      FROM (SELECT *, \(bundle) AS known_bundle, \(version) AS known_version, \(verdict) AS known_verdict \
      FROM (\(launches))) WHERE \(conditions) GROUP BY known_bundle, known_version, known_verdict, place
      """
    }
  }

  // MARK: Launches

  /// Launches with an event of their own within the time that are over: with their verdict, the version of their newest session, and what a
  /// summary says of their end.
  private static func launches(_ filter: HealthFilter, _ reading: ClickHouseReading) -> SeenSQL {
    let parts = parts(reading)
    let (verdicts, finals) = (verdicts(reading), finals(reading))
    let endings = reading.toldSessions().inside { told in
      """
      SELECT project, about AS launch, argMax(ending, ended) AS said_ending FROM (\(told)) WHERE told_later \
      GROUP BY project, launch
      """
    }
    return parts.inside { parts in
      """
      SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (\(parts)) \
      WHERE its_last >= \(filter.from) AND its_last < \(filter.to)) AS plain \
      ANY LEFT JOIN (\(verdicts.sql)) AS verdicts USING (project, launch)) AS judged \
      ANY LEFT JOIN (\(endings.sql)) AS endings USING (project, launch)) AS ended \
      ANY LEFT JOIN (\(versions(filter, reading).sql)) AS versions USING (project, session) \
      WHERE notEmpty(verdict) OR (project, launch) IN (\(finals.sql))
      """
    }
  }

  /// The last event of each launch's own, and its newest session.
  private static func parts(_ reading: ClickHouseReading) -> SeenSQL {
    reading.copies(
      """
      project, launch, max(ifNull(last, \(Int64.min))) AS its_last, argMaxIf(bundle, id, notEmpty(bundle)) AS its_bundle, \
      argMaxIf(session, id, notEmpty(session)) AS its_session
      """, of: TelemetryTables.launchParts, [], "GROUP BY project, launch"
    ).inside { "SELECT project, launch, its_last, its_bundle, its_session AS session FROM (\($0))" }
  }

  private static func verdicts(_ reading: ClickHouseReading) -> SeenSQL {
    reading.distinct(
      DistinctRows(TelemetryTables.launchEnds, ["project", "launch", "verdict", "evidence", "version", "memory"]),
      selecting: ["project", "launch", "verdict", "evidence", "version", "ifNull(memory, -1) + 1 AS memory_more"])
  }

  private static func finals(_ reading: ClickHouseReading) -> SeenSQL {
    var rows = DistinctRows(TelemetryTables.launches, ["project", "launch", "final"])
    rows.filter = ["final = 1"]
    return reading.distinct(rows, selecting: ["project", "launch"])
  }

  private static func versions(_ filter: HealthFilter, _ reading: ClickHouseReading) -> SeenSQL {
    reading.sessions(SeenSessions(selected: ClickHouseSessionTerms.said))
      .inside { "SELECT project, session, said_version, said_user FROM (\($0))" }
  }

  /// Launches that keep what tells of their end: a later one has said in a summary how the last of their sessions ended, or in a verdict how
  /// they did. Left out are those that are counted by their own events.
  private static func toldLaunches(_ filter: HealthFilter, _ reading: ClickHouseReading) -> SeenSQL {
    let verdicts = verdicts(reading)
    let finals = finals(reading)
    let here = parts(reading).inside { parts in
      """
      SELECT project, launch FROM (\(parts)) WHERE its_last > \(Int64.min) AND \
      ((project, launch) IN (SELECT project, launch FROM (\(verdicts.sql))) OR (project, launch) IN (\(finals.sql)))
      """
    }
    return reading.toldSessions().inside { told in
      """
      SELECT * FROM (SELECT project, about AS launch, max(ended) AS its_last, argMax(bundle, ended) AS its_bundle, \
      argMax(version, ended) AS said_version, argMax(ending, ended) AS said_ending FROM (\(told)) \
      WHERE told_later AND started >= \(filter.from - longestSession) AND started < \(filter.to) \
      AND (project, about) NOT IN (\(here.sql)) GROUP BY project, launch) AS told \
      ANY LEFT JOIN (\(verdicts.sql)) AS verdicts USING (project, launch)
      """
    }
  }

  private static let longestSession = 7 * HealthFilter.day

  // MARK: The last ones

  private static func recent(
    _ launches: SeenSQL, _ filter: HealthFilter, _ reading: ClickHouseReading
  ) async throws -> [End] {
    let verdicts = SQL.joined(abnormal.map { "\(text: $0)" }, ", ")
    let conditions = ClickHouseTerms.all(
      ["verdict IN (\(verdicts))", "notEmpty(session)"] + filter.app(bundle: "its_bundle", version: "said_version"))
    let statement = launches.inside { launches in
      """
      SELECT its_last, its_bundle, said_version, verdict, evidence, session, said_user FROM (\(launches)) \
      WHERE \(conditions) ORDER BY its_last DESC LIMIT \(count: listed)
      """
    }
    func told(_ text: String) -> String? { text.isEmpty ? nil : text }
    return try await reading.rows(statement) { row in
      let at: Int64 = try row.int()
      let texts = try (0..<6).map { _ in try row.string() }
      return (at, texts)
    }.map { at, texts in
      End(
        at: at, bundleId: told(texts[0]), version: told(texts[1]), verdict: texts[2], evidence: texts[3],
        sessionId: texts[4], userId: told(texts[5]))
    }
  }
}
