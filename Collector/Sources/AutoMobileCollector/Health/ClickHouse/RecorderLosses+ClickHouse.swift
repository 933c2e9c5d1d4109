import AutoMobileClickHouse

extension RecorderLosses {
  /// What cannot be had here: how often something came twice, since merges forget it, and what retention has deleted, since days are
  /// dropped as a whole. Both are 0, and what was deleted of a launch that is still counted is among what it lost.
  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    let none: SQL = "\(Int64.min)"
    let parts = reading.copies(
      """
      project, launch, max(ifNull(last, \(none))) AS its_last, min(received) AS heard, argMaxIf(bundle, id, notEmpty(bundle)) AS its_bundle, \
      argMaxIf(session, id, notEmpty(session)) AS its_session, min(counted) AS its_counted
      """, of: TelemetryTables.launchParts, [], "GROUP BY project, launch HAVING \(LaunchName.hasCome)"
    ).inside { parts in
      """
      SELECT project, launch, its_bundle, its_session AS session, its_counted, if(its_last > \(none), its_last, heard) AS at \
      FROM (\(parts)) WHERE at >= \(filter.from) AND at < \(filter.to)
      """
    }
    let ledgers = reading.distinct(
      DistinctRows(
        TelemetryTables.launches, ["project", "launch", "recorded", "torn", "dropped", "final", "kept"]),
      selecting: ["project", "launch", "recorded", "torn", "dropped", "final", "ifNull(kept, -1) AS its_kept"])
    let isAsked: SQL = "(project, launch) GLOBAL IN (SELECT project, launch FROM (\(parts.sql)))"
    let stored = CountedStretches(reading: reading).byLaunch([isAsked])
    let quarantined = reading.copies(
      "project, launch, uniqExact(position) AS refused", of: TelemetryTables.quarantine, [isAsked],
      "GROUP BY project, launch")
    let versions = reading.sessions(SeenSessions(selected: ClickHouseSessionTerms.said))
      .inside { "SELECT project, session, said_version FROM (\($0))" }
    let conditions = ClickHouseTerms.all(["1"] + filter.app(bundle: "its_bundle", version: "said_version"))
    let statement = parts.inside { parts in
      """
      SELECT project, launch, its_bundle, said_version, session, at, recorded, torn, dropped, final, its_kept, notEmpty(dropped), \
      stored, refused, its_counted, overlaps \
      FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (\(parts)) AS plain \
      ANY LEFT JOIN (\(ledgers.sql)) AS ledgers USING (project, launch)) AS counted \
      ANY LEFT JOIN (\(stored.sql)) AS stores USING (project, launch)) AS stocked \
      ANY LEFT JOIN (\(quarantined.sql)) AS faulty USING (project, launch)) AS judged \
      ANY LEFT JOIN (\(versions.sql)) AS versions USING (project, session) WHERE \(conditions)
      """
    }
    var launches = try await reading.rows(statement) { try Self.launch(&$0) }
    try await read(&launches, isAsked, reading)
    for found in launches { add(found.launch) }
    keepTheWorst()
  }

  /// As a statement has it.
  private struct Found: Sendable {
    var name: LaunchName
    var launch: Launch
    /// Who took it in has counted all of it.
    var isCounted: Bool
    /// Something of it came again in another way.
    var overlaps: Bool

    var isKnown: Bool { isCounted && !overlaps }
  }

  /// In a statement.
  private static let mostNames = 1000

  /// Counts the events of launches of which only these can tell.
  private func read(_ launches: inout [Found], _ isAsked: SQL, _ reading: ClickHouseReading) async throws {
    let others = launches.filter { !$0.isKnown }
    guard !others.isEmpty else { return }
    var range = [isAsked]
    if others.count <= Self.mostNames {
      let names = others.map { "(\(text: $0.name.project), \(text: $0.name.launch))" as SQL }
      range = ["(project, launch) IN (\(SQL.joined(names, ", ")))"]
      // By its sessions an event is found; of which a launch has some, who counted has said.
      if others.allSatisfy(\.isCounted) {
        let sessions = reading.copies("DISTINCT project, session", of: TelemetryTables.eventCounts, range).sql
        range.append("(project, session) GLOBAL IN (\(sessions))")
      }
    }
    let statement = reading.copies(
      "project, launch, uniqExact(position)", of: TelemetryTables.events,
      range + ["type != \(text: EventTypes.breadcrumb)"], "GROUP BY project, launch")
    let found = try await reading.rows(statement) {
      (LaunchName(project: try $0.string(), launch: try $0.string()), Int64(clamping: try $0.int(UInt64.self)))
    }
    let stored = Dictionary(found, uniquingKeysWith: { first, _ in first })
    for index in launches.indices where !launches[index].isKnown {
      launches[index].launch.sums.stored = stored[launches[index].name] ?? 0
    }
  }

  private static func launch(_ row: inout RowBinaryReader) throws -> Found {
    let project = try row.string()
    let id = try row.string()
    let version = AppVersion(try row.string(), try row.string())
    let session = try row.string()
    let at: Int64 = try row.int()
    var sums = Sums()
    sums.recorded = try row.int()
    sums.torn = try row.int()
    let dropped = try row.string()
    let isFinal = try row.bool()
    let kept: Int64 = try row.int()
    let hasLedger = try row.bool()
    sums.stored = try row.int()
    sums.quarantined = Int64(clamping: try row.int(UInt64.self))
    let launch = Launch(
      id: id, session: session.isEmpty ? nil : session, at: at, version: version, isFinal: isFinal,
      kept: hasLedger && kept >= 0 ? kept : nil, dropped: hasLedger ? dropped : "{}", sums: sums)
    return Found(
      name: LaunchName(project: project, launch: id), launch: launch, isCounted: try row.bool(),
      overlaps: try row.bool())
  }
}
