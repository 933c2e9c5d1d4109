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

  struct Sums: Sendable {
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
  private var versions: [AppVersion: Sums] = [:]
  private var trend: [Sums]
  private let filter: HealthFilter

  private static let listed = 20

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    trend = Array(repeating: Sums(), count: filter.buckets)
    let builds = try filter.builds(database)
    let parts = filter.parts
    var byScreen: [String: Screen] = [:]
    var byBuild: [Int64: Sums] = [:]
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
      byBuild[row.integer(7), default: Sums()].add(visit)
      byScreen[row.text(1), default: Screen()].add(visit, row)
      if let index = parts.index(of: row.integer(0)) { trend[index].add(visit) }
    }
    for (build, sums) in byBuild {
      let row = try Row.fetchOne(database, sql: "SELECT bundleId, version FROM build WHERE id = ?", arguments: [build])
      if let row { versions[AppVersion(row[0], row[1])] = sums }
    }
    // Those that hold people up most: frozen frames first, then slow ones.
    screens = byScreen.map { ($0.key, $0.value) }.sorted {
      ($0.screen.sums.frozen, $0.screen.sums.slow, $1.name) > ($1.screen.sums.frozen, $1.screen.sums.slow, $0.name)
    }
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
      $0.versions(versions) { _, sums, json in sums.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
    }
  }
}
