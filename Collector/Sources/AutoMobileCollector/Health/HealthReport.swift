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
    var (hangs, frames, taps) = (self.hangs, self.frames, self.taps)
    let bySummary = stability.sessions.bySummary
    (hangs.sessionsBySummary, frames.sessionsBySummary, taps.sessionsBySummary) = (bySummary, bySummary, bySummary)
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
