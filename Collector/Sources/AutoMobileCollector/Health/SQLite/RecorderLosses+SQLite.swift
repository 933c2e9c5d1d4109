import GRDB

extension RecorderLosses {
  init(_ filter: HealthFilter, _ database: Database) throws {
    try add("launch.last", where: "launch.last", filter, database)
    // Of those of which nothing has come but their ledger, it is known when that came.
    try add("launch.heard", where: "launch.last IS NULL AND launch.heard", filter, database)
    keepTheWorst()
  }

  /// - Parameters:
  ///   - time: by which a launch is within the time or not.
  ///   - condition: ends with what is compared with the time.
  private mutating func add(
    _ time: String, where condition: String, _ filter: HealthFilter, _ database: Database
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(time), launch.bundleId, recorded, stored, duplicates, quarantined, torn, dropped, final, launchId,
          expired, session.appVersion, session.sessionId, kept
        FROM launch LEFT JOIN session ON session.id = (
          SELECT MAX(session) FROM session_launch WHERE session_launch.launch = launch.id)
        WHERE \(condition) >= ? AND \(time) < ?
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[11]) else { continue }
      var sums = Sums()
      (sums.recorded, sums.stored, sums.duplicates) = (row[2], row[3], row[4])
      (sums.quarantined, sums.torn, sums.expired) = (row[5], row[6], row[10])
      add(
        Launch(
          id: row[9], session: row[12], at: row[0], version: AppVersion(row[1], row[11]), isFinal: row[8],
          kept: row[13],
          dropped: row[7], sums: sums))
    }
  }
}
