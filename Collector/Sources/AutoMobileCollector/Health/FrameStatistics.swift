import GRDB

/// Frames that came too late: by screen, by version, and over time.
struct FrameStatistics {
  struct Sums: Sendable {
    var visits: Int64 = 0
    var frames: Int64 = 0
    var slow: Int64 = 0
    var frozen: Int64 = 0
    var duration: Int64 = 0
    /// In microseconds.
    var worst: Int64 = 0

    mutating func add(_ row: Row) {
      visits += 1
      frames += row[2] as Int64
      slow += row[3] as Int64
      frozen += row[4] as Int64
      duration += row[5] as Int64
      worst = max(worst, row[6])
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
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT timestamp, screen, frames, slow, frozen, duration, worst, build, event, session
        FROM screen_frames WHERE timestamp >= ? AND timestamp < ?\(builds.sql)
        """, arguments: [filter.from, filter.to])
    var byScreen: [String: Screen] = [:]
    var byBuild: [Int64: Sums] = [:]
    while let row = try rows.next() {
      all.add(row)
      byBuild[row[7], default: Sums()].add(row)
      var screen = byScreen[row[1]] ?? Screen()
      if screen.event == 0 || (row[6] as Int64) > screen.sums.worst {
        (screen.event, screen.session) = (row[8], row[9])
      }
      screen.sums.add(row)
      byScreen[row[1]] = screen
      if let index = filter.index(of: row[0]) { trend[index].add(row) }
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
