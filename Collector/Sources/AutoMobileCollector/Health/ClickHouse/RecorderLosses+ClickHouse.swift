import AutoMobileClickHouse

extension RecorderLosses {
  /// What cannot be had here: how often something came twice, since merges forget it, and what retention has deleted, since days are
  /// dropped as a whole. Both are 0, and what was deleted of a launch that is still counted is among what it lost.
  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    let none: SQL = "\(Int64.min)"
    let parts = reading.copies(
      """
      project, launch, max(ifNull(last, \(none))) AS its_last, min(received) AS heard, argMaxIf(bundle, id, notEmpty(bundle)) AS its_bundle, \
      argMaxIf(session, id, notEmpty(session)) AS its_session
      """, of: TelemetryTables.launchParts, [], "GROUP BY project, launch HAVING \(LaunchName.hasCome)"
    ).inside { parts in
      """
      SELECT project, launch, its_bundle, its_session AS session, if(its_last > \(none), its_last, heard) AS at \
      FROM (\(parts)) WHERE at >= \(filter.from) AND at < \(filter.to)
      """
    }
    let ledgers = reading.distinct(
      DistinctRows(
        TelemetryTables.launches, ["project", "launch", "recorded", "torn", "dropped", "final", "kept"]),
      selecting: ["project", "launch", "recorded", "torn", "dropped", "final", "ifNull(kept, -1) AS its_kept"])
    let isAsked: SQL = "(project, launch) GLOBAL IN (SELECT project, launch FROM (\(parts.sql)))"
    let stored = reading.copies(
      "project, launch, uniqExact(position) AS stored", of: TelemetryTables.events,
      [isAsked, "type != \(text: EventTypes.breadcrumb)"], "GROUP BY project, launch")
    let quarantined = reading.copies(
      "project, launch, uniqExact(position) AS refused", of: TelemetryTables.quarantine, [isAsked],
      "GROUP BY project, launch")
    let versions = reading.sessions(SeenSessions(selected: ClickHouseSessionTerms.said))
      .inside { "SELECT project, session, said_version FROM (\($0))" }
    let conditions = ClickHouseTerms.all(["1"] + filter.app(bundle: "its_bundle", version: "said_version"))
    let statement = parts.inside { parts in
      """
      SELECT launch, its_bundle, said_version, session, at, recorded, torn, dropped, final, its_kept, notEmpty(dropped), \
      stored, refused \
      FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (\(parts)) AS plain \
      ANY LEFT JOIN (\(ledgers.sql)) AS ledgers USING (project, launch)) AS counted \
      ANY LEFT JOIN (\(stored.sql)) AS stores USING (project, launch)) AS stocked \
      ANY LEFT JOIN (\(quarantined.sql)) AS faulty USING (project, launch)) AS judged \
      ANY LEFT JOIN (\(versions.sql)) AS versions USING (project, session) WHERE \(conditions)
      """
    }
    let launches = try await reading.rows(statement) { try Self.launch(&$0) }
    for launch in launches { add(launch) }
    keepTheWorst()
  }

  private static func launch(_ row: inout RowBinaryReader) throws -> Launch {
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
    sums.stored = Int64(clamping: try row.int(UInt64.self))
    sums.quarantined = Int64(clamping: try row.int(UInt64.self))
    return Launch(
      id: id, session: session.isEmpty ? nil : session, at: at, version: version, isFinal: isFinal,
      kept: hasLedger && kept >= 0 ? kept : nil, dropped: hasLedger ? dropped : "{}", sums: sums)
  }
}
