/// How well apps do, read out of ClickHouse. Its parts are asked for one after the other, so something may come between them.
///
/// What is another than in SQLite's index, besides what the parts say of themselves:
/// - Percentiles are exact, so every duration is read. More than some millions of launches or sessions within the time that is asked for are
///   too expensive: 503, and a shorter time has an answer.
/// - A session of which only a summary without any event came counts as one.
/// - A word that only says how a session ended (`same_as`) ends that revision in every launch that told it, not in the last one alone.
/// - ``savings(_:_:)``: what devices keep is told by ledgers and by summaries. SQLite's index keeps the last word when it comes; here the last
///   is found by the device's clock. All payloads are looked at for their length.
struct ClickHouseHealth: HealthReading {
  let telemetry: ClickHouseTelemetry

  func report(_ scope: ReadScope, _ filter: HealthFilter) async throws -> HealthReport {
    try await telemetry.read(scope, .heavy) { reading in
      HealthReport(
        filter: filter, apps: try await KnownApps(reading), stability: try await Stability(filter, reading),
        launchTimes: try await LaunchTimes(filter, reading), hangs: try await HangStatistics(filter, reading),
        frames: try await FrameStatistics(filter, reading), requests: try await RequestHealth(filter, reading),
        taps: try await TapTroubles(filter, reading), losses: try await RecorderLosses(filter, reading))
    }
  }

  func savings(_ scope: ReadScope, _ filter: HealthFilter) async throws -> UploadSavings {
    try await telemetry.read(scope, .heavy) { try await UploadSavings(filter, $0) }
  }

  func apps(_ scope: ReadScope) async throws -> KnownApps {
    try await telemetry.read(scope, .heavy) { try await KnownApps($0) }
  }
}
