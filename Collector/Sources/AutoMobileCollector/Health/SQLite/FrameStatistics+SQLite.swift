import GRDB

extension FrameStatistics {
  init(_ filter: HealthFilter, _ database: Database, mostCrashes: Int = Self.mostCrashes) throws {
    self.filter = filter
    trend = Array(repeating: Sums(), count: filter.buckets)
    let builds = try filter.builds(database)
    let parts = filter.parts
    var byScreen: [String: Screen] = [:]
    var unfinished = Set<UnfinishedVisit>()
    var byBuild = NamedSums<Int64, Sums>()
    // There are as many rows as screens were looked at.
    try RawRows.each(
      database,
      sql: """
        SELECT timestamp, screen, frames, slow, frozen, duration, worst, build, event, session, second
        FROM screen_frames WHERE timestamp >= ? AND timestamp < ?\(builds.sql)
        """, arguments: [filter.from, filter.to]
    ) { row in
      var visit = Visit(row)
      let screen = row.text(1)
      if visit.isUnfinished {
        visit.isFirst = unfinished.insert(UnfinishedVisit(session: row.integer(9), screen: screen)).inserted
      }
      all.add(visit)
      byBuild[row.integer(7)].add(visit)
      byScreen[screen, default: Screen()].add(visit, row)
      if let index = parts.index(of: row.integer(0)) { trend[index].add(visit) }
    }
    versions = try byBuild.renamed { try AppVersion(build: $0, database) }
    isPartial = try addCrashes(to: &byScreen, mostCrashes, database)
    list(byScreen)
    for index in screens.indices {
      screens[index].screen.sessionId =
        try String.fetchOne(
          database, sql: "SELECT sessionId FROM session WHERE id = ?", arguments: [screens[index].screen.session]) ?? ""
    }
  }

  /// A visit to a screen that the process did not live to see the end of.
  private struct UnfinishedVisit: Hashable {
    var session: Int64
    var screen: String
  }

  /// A screen is in the list, too, when all that is known of it is that the app crashed there.
  ///
  /// - Returns: whether there are more than `most`.
  private func addCrashes(to screens: inout [String: Screen], _ most: Int, _ database: Database) throws -> Bool {
    var count = 0
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT screen, event, session
        FROM issue_event CROSS JOIN issue ON issue.id = issue_event.issue
        WHERE issue_event.timestamp >= ?1 AND issue_event.timestamp < ?2 AND kind = 'crash' AND screen IS NOT NULL
          AND (?3 IS NULL OR issue.bundleId = ?3) AND (?4 IS NULL OR version = ?4)
        ORDER BY issue_event.timestamp DESC LIMIT ?5
        """, arguments: [filter.from, filter.to, filter.bundleId, filter.version, most])
    while let row = try rows.next() {
      count += 1
      let name: String = row[0]
      screens[name, default: Screen()].crashes += 1
      // The newest comes first.
      if screens[name]?.sums.visits == 0, screens[name]?.event == 0 {
        screens[name]?.event = row[1]
        screens[name]?.session = row[2]
      }
    }
    return count == most
  }
}

extension FrameStatistics.Visit {
  /// From the third column on.
  init(_ row: RawRows) {
    (frames, slow, frozen) = (row.integer(2), row.integer(3), row.integer(4))
    (duration, worst) = (row.integer(5), row.integer(6))
    isUnfinished = row.integer(10) != 0
  }
}

extension FrameStatistics.Screen {
  fileprivate mutating func add(_ visit: FrameStatistics.Visit, _ row: RawRows) {
    if event == 0 || visit.worst > sums.worst { (event, session) = (row.integer(8), row.integer(9)) }
    sums.add(visit)
  }
}
