import GRDB

/// How long launches took: by kind, by version, and over time.
struct LaunchTimes {
  private var all = Percentiles()
  private var kinds: [String: Percentiles] = [:]
  private var preMain = Percentiles()
  private var versions: [AppVersion: Percentiles] = [:]
  private var trend: [Percentiles]
  private var slowest: [Row] = []
  private let filter: HealthFilter

  /// Launches that are named.
  private static let listed = 8

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    trend = Array(repeating: Percentiles(), count: filter.buckets)
    let builds = try filter.builds(database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT timestamp, kind, total, preMain, bundleId, version
        FROM launch_time JOIN build ON build.id = launch_time.build
        WHERE timestamp >= ? AND timestamp < ?\(builds.sql)
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      let total: Int64 = row[2]
      all.add(total)
      kinds[row[1], default: Percentiles()].add(total)
      if let early: Int64 = row[3] { preMain.add(early) }
      versions[AppVersion(row[4], row[5]), default: Percentiles()].add(total)
      if let index = filter.index(of: row[0]) { trend[index].add(total) }
    }
    slowest = try Row.fetchAll(
      database,
      sql: """
        SELECT event, sessionId, timestamp, kind, total, version
        FROM launch_time JOIN build ON build.id = launch_time.build JOIN session ON session.id = launch_time.session
        WHERE timestamp >= ? AND timestamp < ?\(builds.sql) ORDER BY total DESC, event DESC LIMIT ?
        """, arguments: [filter.from, filter.to, Self.listed])
  }

  func write(to json: inout JSONOutput) {
    json.object("launchTime") {
      all.writeMembers(to: &$0)
      $0.object("preMain") { preMain.writeMembers(to: &$0) }
      $0.array("kinds") {
        for (kind, values) in kinds.sorted(by: { ($0.value.count, $1.key) > ($1.value.count, $0.key) }) {
          $0.object {
            $0.member("kind", kind)
            values.writeMembers(to: &$0)
          }
        }
      }
      $0.versions(versions) { _, values, json in values.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
      $0.array("slowest") {
        for row in slowest {
          $0.object {
            $0.member("event", row[0] as Int64)
            $0.member("sessionId", row[1] as String)
            $0.member("timestamp", row[2] as Int64)
            $0.member("kind", row[3] as String)
            $0.member("totalMs", number: Double(row[4] as Int64) / 1000)
            $0.member("version", row[5] as String)
          }
        }
      }
    }
  }
}
