import GRDB

/// Frames that came too late: by screen, by version, and over time.
struct FrameStatistics {
  /// What was measured while a screen was looked at.
  struct Visit {
    var frames: Int64
    var slow: Int64
    var frozen: Int64
    var duration: Int64
    var worst: Int64
    /// The first that is known of a visit; of one whose end was never told, there are several rows.
    var isFirst = true
    var isUnfinished: Bool

    /// From the third column on.
    init(_ row: RawRows) {
      (frames, slow, frozen) = (row.integer(2), row.integer(3), row.integer(4))
      (duration, worst) = (row.integer(5), row.integer(6))
      isUnfinished = row.integer(10) != 0
    }
  }

  struct Sums: Summable {
    var visits: Int64 = 0
    /// Of these, such as ended with the process: of them, only the seconds with late frames are known.
    var unfinished: Int64 = 0
    var frames: Int64 = 0
    var slow: Int64 = 0
    var frozen: Int64 = 0
    var duration: Int64 = 0
    /// In microseconds.
    var worst: Int64 = 0

    mutating func add(_ visit: Visit) {
      if visit.isFirst { visits += 1 }
      if visit.isFirst && visit.isUnfinished { unfinished += 1 }
      frames += visit.frames
      slow += visit.slow
      frozen += visit.frozen
      duration += visit.duration
      worst = max(worst, visit.worst)
    }

    var count: Int64 { visits }

    mutating func add(_ other: Sums) {
      visits += other.visits
      unfinished += other.unfinished
      frames &+= other.frames
      slow &+= other.slow
      frozen &+= other.frozen
      duration &+= other.duration
      worst = max(worst, other.worst)
    }

    func writeMembers(to json: inout JSONOutput) {
      json.member("visits", visits)
      if unfinished > 0 { json.member("unfinished", unfinished) }
      json.member("frames", frames)
      json.member("slow", slow)
      json.member("frozen", frozen)
      json.member("durationMs", duration)
      json.member("worstMs", number: Double(worst) / 1000)
    }
  }

  private struct Screen {
    var sums = Sums()
    var crashes: Int64 = 0
    /// The event of its worst visit; of a screen without frames, of its last crash.
    var event: Int64 = 0
    var session: Int64 = 0
    var sessionId = ""

    mutating func add(_ visit: Visit, _ row: RawRows) {
      if event == 0 || visit.worst > sums.worst { (event, session) = (row.integer(8), row.integer(9)) }
      sums.add(visit)
    }
  }

  private var all = Sums()
  private var screens: [(name: String, screen: Screen)] = []
  private var otherScreens = Screen()
  private var otherScreenNames = 0
  private var versions = NamedSums<AppVersion, Sums>.Listed()
  private var trend: [Sums]
  private let filter: HealthFilter
  /// Not all crashes are counted.
  private(set) var isPartial = false

  private static let listed = 20
  /// Crashes that are counted, the newest.
  static let mostCrashes = 200_000

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
    // Those that hold people up most: crashes first, then frozen frames, then slow ones.
    screens = byScreen.map { ($0.key, $0.value) }.sorted {
      ($0.screen.crashes, $0.screen.sums.frozen, $0.screen.sums.slow, $1.name)
        > ($1.screen.crashes, $1.screen.sums.frozen, $1.screen.sums.slow, $0.name)
    }
    for (_, screen) in screens.dropFirst(Self.listed) {
      otherScreens.sums.add(screen.sums)
      otherScreens.crashes += screen.crashes
    }
    otherScreenNames = max(0, screens.count - Self.listed)
    screens = Array(screens.prefix(Self.listed))
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

  func write(to json: inout JSONOutput) {
    json.object("frames") {
      all.writeMembers(to: &$0)
      $0.member("partial", isPartial)
      $0.array("screens") {
        for (name, screen) in screens {
          $0.object {
            $0.member("screen", name)
            screen.sums.writeMembers(to: &$0)
            $0.member("crashes", screen.crashes)
            $0.member("event", screen.event)
            $0.member("sessionId", screen.sessionId)
          }
        }
      }
      if otherScreenNames > 0 {
        $0.object("otherScreens") {
          $0.member("names", Int64(otherScreenNames))
          otherScreens.sums.writeMembers(to: &$0)
          $0.member("crashes", otherScreens.crashes)
        }
      }
      $0.versions(versions) { _, sums, json in sums.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
    }
  }
}
