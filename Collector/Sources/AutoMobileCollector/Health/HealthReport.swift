/// Everything on *App health*, of one moment, so that its parts agree.
struct HealthReport {
  /// Versions that are given out, the newest first.
  static let listedVersions = 30

  let filter: HealthFilter
  let apps: KnownApps
  let stability: Stability
  let launchTimes: LaunchTimes
  let hangs: HangStatistics
  let frames: FrameStatistics
  let requests: RequestHealth
  let taps: TapTroubles
  let losses: RecorderLosses

  func write(to json: inout JSONOutput) {
    // Of these sessions no more hangs, frames and taps are known than came: each of the three says how many they are.
    let bySummary = stability.sessions.bySummary
    json.object {
      $0.member("from", filter.from)
      $0.member("to", filter.to)
      $0.member("bucketMs", filter.bucket)
      apps.writeMembers(to: &$0)
      stability.write(to: &$0)
      launchTimes.write(to: &$0)
      hangs.write(to: &$0, sessions: stability.sessionsByVersion, bySummary: bySummary)
      frames.write(to: &$0, bySummary: bySummary)
      requests.write(to: &$0)
      taps.write(to: &$0, bySummary: bySummary)
      losses.write(to: &$0)
    }
  }
}
