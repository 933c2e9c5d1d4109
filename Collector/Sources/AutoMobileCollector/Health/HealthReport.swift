import GRDB

/// Everything on *App health*, read in one go, so that its parts agree.
struct HealthReport {
  /// Versions that are given out, the newest first.
  static let listedVersions = 30

  private let filter: HealthFilter
  private let apps: KnownApps
  private let stability: Stability
  private let launchTimes: LaunchTimes
  private let hangs: HangStatistics
  private let frames: FrameStatistics
  private let requests: RequestHealth
  private let taps: TapTroubles
  private let losses: RecorderLosses

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    apps = try KnownApps(database)
    stability = try Stability(filter, database)
    launchTimes = try LaunchTimes(filter, database)
    hangs = try HangStatistics(filter, database)
    frames = try FrameStatistics(filter, database)
    requests = try RequestHealth(filter, database)
    taps = try TapTroubles(filter, database)
    losses = try RecorderLosses(filter, database)
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("from", filter.from)
      $0.member("to", filter.to)
      $0.member("bucketMs", filter.bucket)
      apps.writeMembers(to: &$0)
      stability.write(to: &$0)
      launchTimes.write(to: &$0)
      hangs.write(to: &$0, sessions: stability.sessionsByVersion)
      frames.write(to: &$0)
      requests.write(to: &$0)
      taps.write(to: &$0)
      losses.write(to: &$0)
    }
  }
}
