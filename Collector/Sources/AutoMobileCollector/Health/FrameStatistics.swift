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

    /// From the third column on.
    init(_ row: RawRows) {
      (frames, slow, frozen) = (row.integer(2), row.integer(3), row.integer(4))
      (duration, worst) = (row.integer(5), row.integer(6))
    }
  }

  struct Sums: Summable {
    var visits: Int64 = 0
    var frames: Int64 = 0
    var slow: Int64 = 0
    var frozen: Int64 = 0
    var duration: Int64 = 0
    /// In microseconds.
    var worst: Int64 = 0

    mutating func add(_ visit: Visit) {
      visits += 1
      frames += visit.frames
      slow += visit.slow
      frozen += visit.frozen
      duration += visit.duration
      worst = max(worst, visit.worst)
    }

    var count: Int64 { visits }

    mutating func add(_ other: Sums) {
      visits += other.visits
      frames &+= other.frames
      slow &+= other.slow
      frozen &+= other.frozen
      duration &+= other.duration
      worst = max(worst, other.worst)
    }

    func writeMembers(to json: inout JSONOutput) {
      json.member("visits", visits)
      json.member("frames", frames)
      json.member("slow", slow)
      json.member("frozen", frozen)
      json.member("durationMs", duration)
      json.member("worstMs", number: Double(worst) / 1000)
    }
  }

  private struct Screen {
    var sums = Sums()
    /// The event of its worst visit.
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
  private var otherScreens = Sums()
  private var otherScreenNames = 0
  private var versions = NamedSums<AppVersion, Sums>.Listed()
  private var trend: [Sums]
  private let filter: HealthFilter

  private static let listed = 20

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    trend = Array(repeating: Sums(), count: filter.buckets)
    let builds = try filter.builds(database)
    let parts = filter.parts
    var byScreen: [String: Screen] = [:]
    var byBuild = NamedSums<Int64, Sums>()
    // There are as many rows as screens were looked at.
    try RawRows.each(
      database,
      sql: """
        SELECT timestamp, screen, frames, slow, frozen, duration, worst, build, event, session
        FROM screen_frames WHERE timestamp >= ? AND timestamp < ?\(builds.sql)
        """, arguments: [filter.from, filter.to]
    ) { row in
      let visit = Visit(row)
      all.add(visit)
      byBuild[row.integer(7)].add(visit)
      byScreen[row.text(1), default: Screen()].add(visit, row)
      if let index = parts.index(of: row.integer(0)) { trend[index].add(visit) }
    }
    versions = try byBuild.renamed { try AppVersion(build: $0, database) }
    // Those that hold people up most: frozen frames first, then slow ones.
    screens = byScreen.map { ($0.key, $0.value) }.sorted {
      ($0.screen.sums.frozen, $0.screen.sums.slow, $1.name) > ($1.screen.sums.frozen, $1.screen.sums.slow, $0.name)
    }
    for (_, screen) in screens.dropFirst(Self.listed) { otherScreens.add(screen.sums) }
    otherScreenNames = max(0, screens.count - Self.listed)
    screens = Array(screens.prefix(Self.listed))
    for index in screens.indices {
      screens[index].screen.sessionId =
        try String.fetchOne(
          database, sql: "SELECT sessionId FROM session WHERE id = ?", arguments: [screens[index].screen.session]) ?? ""
    }
  }

  func write(to json: inout JSONOutput) {
    json.object("frames") {
      all.writeMembers(to: &$0)
      $0.array("screens") {
        for (name, screen) in screens {
          $0.object {
            $0.member("screen", name)
            screen.sums.writeMembers(to: &$0)
            $0.member("event", screen.event)
            $0.member("sessionId", screen.sessionId)
          }
        }
      }
      if otherScreenNames > 0 {
        $0.object("otherScreens") {
          $0.member("names", Int64(otherScreenNames))
          otherScreens.writeMembers(to: &$0)
        }
      }
      $0.versions(versions) { _, sums, json in sums.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
    }
  }
}
