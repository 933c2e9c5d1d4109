import GRDB

/// Everything on *App health*, read in one go, so that its parts agree.
struct HealthReport {
  /// Versions that are given out, the newest first.
  static let listedVersions = 30

  private let filter: HealthFilter
  private let apps: [(bundleId: String?, versions: [String])]
  private let stability: Stability
  private let launchTimes: LaunchTimes
  private let hangs: HangStatistics
  private let frames: FrameStatistics
  private let losses: RecorderLosses

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    apps = try Self.apps(database)
    stability = try Stability(filter, database)
    launchTimes = try LaunchTimes(filter, database)
    hangs = try HangStatistics(filter, database)
    frames = try FrameStatistics(filter, database)
    losses = try RecorderLosses(filter, database)
  }

  /// The apps that have sessions, the busiest first, each with its versions.
  static func apps(_ database: Database) throws -> [(bundleId: String?, versions: [String])] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT bundleId, appVersion, COUNT(*) FROM session WHERE events > 0 GROUP BY bundleId, appVersion")
    var counts: [String?: Int] = [:]
    var versions: [String?: [String]] = [:]
    for row in rows {
      let app: String? = row[0]
      counts[app, default: 0] += row[2] as Int
      if let version: String = row[1] { versions[app, default: []].append(version) }
    }
    return counts.sorted { ($0.value, $1.key ?? "") > ($1.value, $0.key ?? "") }.map { app, _ in
      (app, (versions[app] ?? []).sorted { VersionOrder.compare($0, $1) > 0 })
    }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("from", filter.from)
      $0.member("to", filter.to)
      $0.member("bucketMs", filter.bucket)
      $0.array("apps") {
        for app in apps.prefix(100) {
          $0.object {
            $0.member("bundleId", app.bundleId)
            $0.array("versions") { for version in app.versions.prefix(200) { $0.string(version) } }
          }
        }
      }
      stability.write(to: &$0)
      launchTimes.write(to: &$0)
      hangs.write(to: &$0, sessions: stability.sessionsByVersion.mapValues(\.count))
      frames.write(to: &$0)
      losses.write(to: &$0)
    }
  }
}
