import GRDB

extension Stability {
  /// Of a session, in SQL: what alerts look at, too. One of which only a summary came counts as any other.
  static let isKnown = "(events > 0 OR told > 0)"
  static let isCrashed = """
    (toldCrashes > 0 OR EXISTS (SELECT 1 FROM issue_event CROSS JOIN issue ON issue.id = issue_event.issue
      WHERE issue_event.session = session.id AND kind = 'crash'))
    """

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    sessionTrend = Array(repeating: Sessions(), count: filter.buckets)
    endTrend = Array(repeating: [:], count: filter.buckets)
    try countSessions(database)
    try countEnds(database)
  }

  private mutating func countSessions(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT last, bundleId, appVersion, \(Self.isCrashed), userId,
          -- Launch by launch: a crash that a later one tells of is here, and in no summary.
          IIF(told > 0, EXISTS (SELECT 1 FROM session_summary
            LEFT JOIN launch ON launch.owner = session.owner AND launch.given = session_summary.launch
            LEFT JOIN session_launch ON session_launch.session = session.id AND session_launch.launch = launch.id
            WHERE session_summary.session = session.id AND session_summary.events > IFNULL(session_launch.events, 0)), 0)
        FROM session WHERE last >= ? AND last < ? AND \(Self.isKnown)
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[2]) else { continue }
      let (isCrashed, isBySummary): (Bool, Bool) = (row[3], row[5])
      let name: String? = row[4]
      let user = name.flatMap { $0.isEmpty ? nil : Users.hash($0, app: row[1]) }
      sessions.add(isCrashed: isCrashed, isBySummary: isBySummary, user: user)
      sessionsByVersion[AppVersion(row[1], row[2])].add(isCrashed: isCrashed, isBySummary: isBySummary, user: user)
      if let index = filter.index(of: row[0]) { sessionTrend[index].add(isCrashed: isCrashed) }
    }
  }

  /// A launch that told that it was over, or of which a later one told, has ended. Where no verdict has come, a summary may say how.
  private mutating func countEnds(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT launch.last, launch.bundleId,
          COALESCE(launch_end.appVersion, (SELECT session.appVersion FROM session_launch
            JOIN session ON session.id = session_launch.session WHERE session_launch.launch = launch.id
            ORDER BY session.id DESC LIMIT 1)),
          COALESCE(verdict, (SELECT ending FROM session_launch
            CROSS JOIN session_summary ON session_summary.session = session_launch.session AND session_summary.launch = launch.given
            WHERE session_launch.launch = launch.id AND toldLater ORDER BY endedAt DESC LIMIT 1)), memory
        FROM launch LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
        WHERE launch.last >= ? AND launch.last < ? AND (verdict IS NOT NULL OR launch.final)
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[2]) else { continue }
      let version = AppVersion(row[1], row[2])
      let verdict: String = row[3] ?? "untold"
      Self.add(verdict, memory: row[4], to: &ends)
      Self.add(verdict, memory: row[4], to: &endsByVersion[version])
      if let index = filter.index(of: row[0]) { endTrend[index][verdict, default: 0] += 1 }
    }
    try countToldEnds(database)
    let marks = Self.abnormal.map { "'\($0)'" }.joined(separator: ",")
    let last = try Row.fetchAll(
      database,
      sql: """
        SELECT launch.last, launch.bundleId, session.appVersion, verdict, evidence, session.sessionId, userId
        FROM launch CROSS JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
          CROSS JOIN session ON session.id = (SELECT MAX(session) FROM session_launch WHERE launch = launch.id)
        WHERE launch.last >= ? AND launch.last < ? AND verdict IN (\(marks)) ORDER BY launch.last DESC LIMIT 500
        """, arguments: [filter.from, filter.to])
    recent = last.filter { filter.admits(app: $0[1], version: $0[2]) }.prefix(Self.listed).map { row in
      End(
        at: row[0], bundleId: row[1], version: row[2], verdict: row[3], evidence: row[4], sessionId: row[5],
        userId: row[6])
    }
  }

  /// Of launches that keep what tells of their end: a later one has said in a summary how the last of their sessions ended, or in a
  /// verdict how they did. Left out is what ``countEnds(_:)`` counts: those of which an event is here, too. Of one that was killed
  /// before it sent any, a verdict or a final ledger may come all the same.
  private mutating func countToldEnds(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT MAX(endedAt), session.bundleId, COALESCE(launch_end.appVersion, session.appVersion), IFNULL(verdict, ending), memory
        FROM session_summary AS told CROSS JOIN session ON session.id = told.session
          LEFT JOIN launch ON launch.owner = session.owner AND launch.given = told.launch
          LEFT JOIN launch_end ON launch_end.owner = session.owner AND launch_end.name = told.launch
        WHERE startedAt >= ?1 AND startedAt < ?3 AND toldLater
          AND (launch.last IS NULL OR verdict IS NULL AND NOT launch.final)
        GROUP BY session.owner, told.launch HAVING MAX(endedAt) >= ?2 AND MAX(endedAt) < ?3
        """, arguments: [filter.from - Self.longestSession, filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[2]) else { continue }
      let verdict: String = row[3] ?? "untold"
      Self.add(verdict, memory: row[4], to: &ends)
      Self.add(verdict, memory: row[4], to: &endsByVersion[AppVersion(row[1], row[2])])
      if let index = filter.index(of: row[0]) { endTrend[index][verdict, default: 0] += 1 }
    }
  }

  /// In milliseconds: summaries are found by their begin.
  private static let longestSession = 7 * HealthFilter.day

  private static func add(_ verdict: String, memory: Int64?, to ends: inout Ends) {
    ends.launches += 1
    ends.verdicts[verdict, default: 0] += 1
    if let memory { ends.memory.add(memory) }
  }
}
