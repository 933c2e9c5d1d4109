import GRDB

/// Sessions without a crash, and what ended launches.
struct Stability {
  struct Sessions: Summable {
    var count: Int64 = 0
    var crashed: Int64 = 0
    /// Of which their devices have told more than is here: counted by their summaries.
    var bySummary: Int64 = 0
    var users = Users()

    mutating func add(isCrashed: Bool, isBySummary: Bool = false, user: UInt64? = nil) {
      count += 1
      if isBySummary { bySummary += 1 }
      if isCrashed { crashed += 1 }
      if let user { users.add(user, isCrashed: isCrashed) }
    }

    mutating func add(_ other: Sessions) {
      count += other.count
      crashed += other.crashed
      bySummary += other.bySummary
      users.add(other.users)
    }

    func writeMembers(to json: inout JSONOutput) {
      json.member("count", count)
      json.member("crashed", crashed)
    }

    func writeWithUsers(to json: inout JSONOutput) {
      writeMembers(to: &json)
      json.member("bySummary", bySummary)
      json.object("users") {
        $0.member("count", Int64(users.all.count))
        $0.member("crashed", Int64(users.crashed.count))
      }
    }
  }

  /// Those that apps gave a name, each once however many sessions they had. Known by hashes: names are long.
  struct Users: Sendable {
    private(set) var all: Set<UInt64> = []
    private(set) var crashed: Set<UInt64> = []

    mutating func add(_ user: UInt64, isCrashed: Bool) {
      all.insert(user)
      if isCrashed { crashed.insert(user) }
    }

    mutating func add(_ other: Users) {
      all.formUnion(other.all)
      crashed.formUnion(other.crashed)
    }

    /// Two apps may call two people the same.
    static func hash(_ user: String, app: String?) -> UInt64 {
      var text = "\(user)\u{1F}\(app ?? "")"
      return text.withUTF8 { SyntheticNames.hash(UnsafeRawBufferPointer($0), seed: 0x75_7365_72) }
    }
  }

  private struct Ends: Summable {
    /// Ended, with or without a known verdict.
    var launches: Int64 = 0
    var verdicts: [String: Int64] = [:]
    /// Megabytes in use when they were last seen.
    var memory = Percentiles()

    var count: Int64 { launches }

    mutating func add(_ other: Ends) {
      launches += other.launches
      verdicts.merge(other.verdicts, uniquingKeysWith: +)
      memory.add(other.memory)
    }
  }

  private(set) var sessions = Sessions()
  private(set) var sessionsByVersion = NamedSums<AppVersion, Sessions>()
  private var sessionTrend: [Sessions]
  private var ends = Ends()
  private var endsByVersion = NamedSums<AppVersion, Ends>()
  private var endTrend: [[String: Int64]]
  private var recent: [Row] = []
  private let filter: HealthFilter

  /// Ends that nobody wanted.
  static let abnormal = ["crash", "hang_kill", "out_of_memory"]
  private static let listed = 12

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
        SELECT last, bundleId, appVersion,
          toldCrashes > 0 OR EXISTS (SELECT 1 FROM issue_event CROSS JOIN issue ON issue.id = issue_event.issue
            WHERE issue_event.session = session.id AND kind = 'crash'), userId,
          -- Launch by launch: a crash that a later one tells of is here, and in no summary.
          IIF(told > 0, EXISTS (SELECT 1 FROM session_summary
            LEFT JOIN launch ON launch.owner = session.owner AND launch.given = session_summary.launch
            LEFT JOIN session_launch ON session_launch.session = session.id AND session_launch.launch = launch.id
            WHERE session_summary.session = session.id AND session_summary.events > IFNULL(session_launch.events, 0)), 0)
        FROM session WHERE last >= ? AND last < ? AND (events > 0 OR told > 0)
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
    recent = Array(last.filter { filter.admits(app: $0[1], version: $0[2]) }.prefix(Self.listed))
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

  // MARK: JSON

  func write(to json: inout JSONOutput) {
    json.object("sessions") {
      sessions.writeWithUsers(to: &$0)
      $0.versions(sessionsByVersion.listed) { _, sums, json in sums.writeWithUsers(to: &json) }
      $0.trend(sessionTrend, of: filter) { $0.writeMembers(to: &$1) }
    }
    json.object("ends") {
      Self.write(ends, to: &$0)
      $0.versions(endsByVersion.listed) { _, ends, json in Self.write(ends, to: &json) }
      $0.trend(endTrend, of: filter) { Self.write($0, to: &$1) }
      $0.array("recent") {
        for row in recent {
          $0.object {
            $0.member("at", row[0] as Int64?)
            $0.member("bundleId", row[1] as String?)
            $0.member("version", row[2] as String?)
            $0.member("verdict", row[3] as String)
            $0.member("evidence", row[4] as String)
            $0.member("sessionId", row[5] as String)
            $0.member("userId", row[6] as String?)
          }
        }
      }
    }
  }

  private static func write(_ ends: Ends, to json: inout JSONOutput) {
    json.member("count", ends.launches)
    write(ends.verdicts, to: &json)
    json.object("memoryMB") { ends.memory.writeMembers(to: &$0, unit: 1) }
  }

  private static func write(_ verdicts: [String: Int64], to json: inout JSONOutput) {
    json.object("verdicts") {
      for (verdict, count) in verdicts.sorted(by: { $0.key < $1.key }) { $0.member(verdict, count) }
    }
  }
}
