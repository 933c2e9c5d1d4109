import GRDB

extension ToldSession {
  /// - Returns: nil when no summary of it has come.
  static func of(_ session: Int64, now: Int64, in database: Database) throws -> ToldSession? {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT told.revision, startedAt, endedAt, told.final, ending, told.events, counts, screens, visits, launchTime,
            launchKind, slow, frozen, requests, told.errors, failures, crashes, IFNULL(session_launch.events, 0),
            IFNULL(launch.final, 0), launch_kept.events, launch_kept.until, told.kept, told.until,
            memoryPeak, memoryLeft, memoryWarnings, launch.kept, launch.recorded,
            (SELECT CAST(TOTAL(value) AS INTEGER) FROM json_each(launch.dropped)), launch.stored, launch.quarantined
          FROM (SELECT session_summary.*, session.owner FROM session_summary JOIN session ON session.id = session_summary.session
              WHERE session_summary.session = ?1 ORDER BY endedAt DESC LIMIT \(mostLaunches)) AS told
            LEFT JOIN launch ON launch.owner = told.owner AND launch.given = told.launch
            LEFT JOIN session_launch ON session_launch.session = told.session AND session_launch.launch = launch.id
            LEFT JOIN (SELECT owner, launch, events, until FROM launch_kept) AS launch_kept
              ON launch_kept.owner = told.owner AND launch_kept.launch = told.launch
          """), arguments: [session])
    guard var told = rows.first.map({ ToldSession($0, now: now) }) else { return nil }
    for row in rows.dropFirst() { told.add(ToldSession(row, now: now)) }
    return told
  }

  init(_ row: Row, now: Int64) {
    revision = row[0]
    (startedAt, endedAt) = (row[1], row[2])
    isFinal = row[3]
    end = row[4]
    events = row[5]
    counts = Self.counts(row[6])
    let named: String = row[7]
    screens = Self.tree(named)?.elements.compactMap(\.string) ?? []
    screenVisits = row[8]
    launchTime = row[9]
    launchKind = row[10]
    (slowFrames, frozenFrames) = (row[11], row[12])
    requests = Self.counts(row[13])
    (errors, failures, crashes) = (row[14], row[15], row[16])
    (memoryPeak, memoryLeft, memoryWarnings) = (row[23], row[24], row[25])
    let (here, isOver): (Int64, Bool) = (row[17], row[18])
    let (kept, keptUntil): (Int64?, Int64?) = (row[19], row[20])
    let (keptThen, untilThen): (Int64, Int64?) = (row[21], row[22])
    // A launch of which only others told has no row.
    let ledger: Int64? = row[27]
    let left = ledger.flatMap {
      LaunchRow.kept(row[26], of: $0, dropped: row[28], stored: row[29], quarantined: row[30])
    }
    settle(
      here: here, isOver: isOver, kept: (kept, keptUntil), left: left, then: (keptThen, untilThen), now: now)
  }
}
