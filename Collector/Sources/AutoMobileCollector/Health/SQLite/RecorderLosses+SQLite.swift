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
      var sums = Sums(launches: 1)
      let isFinal: Bool = row[8]
      sums.open = isFinal ? 0 : 1
      (sums.recorded, sums.stored, sums.duplicates) = (row[2], row[3], row[4])
      (sums.quarantined, sums.torn, sums.expired) = (row[5], row[6], row[10])
      var dropped: String = row[7]
      if dropped != "{}" {
        let tree = dropped.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
        if case .object(let reasons)? = tree {
          for (reason, count) in reasons where count.integer ?? 0 > 0 { sums.dropped[reason] = count.integer }
        }
      }
      sums.kept =
        LaunchRow.kept(
          row[13], of: sums.recorded, dropped: sums.droppedSum, stored: sums.stored, quarantined: sums.quarantined) ?? 0
      // An SDK that keeps no ledger says nothing of losses.
      if isFinal, sums.recorded > 0 {
        sums.lost = max(0, sums.recorded &- sums.droppedSum &- sums.stored &- sums.quarantined &- sums.kept)
      }
      all.add(sums)
      versions[AppVersion(row[1], row[11])].add(sums)
      if sums.droppedSum > 0 || sums.lost > 0 {
        worst.append((row[9], row[12], row[0], sums.droppedSum, sums.lost))
        if worst.count > 200 { keepTheWorst() }
      }
    }
  }

  private mutating func keepTheWorst() {
    worst.sort { ($0.lost, $0.dropped, $0.launch) > ($1.lost, $1.dropped, $1.launch) }
    worst = Array(worst.prefix(Self.listed))
  }
}
