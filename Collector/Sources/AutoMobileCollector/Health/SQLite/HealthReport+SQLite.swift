import GRDB

extension HealthReport {
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
}
