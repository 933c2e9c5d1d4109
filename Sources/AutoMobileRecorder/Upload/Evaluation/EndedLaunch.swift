import AutoMobileJournal

/// What a lifecycle event says of an earlier launch.
struct EndedLaunch {
  var launch: LaunchID
  var isUnexpected: Bool
  var verdict: PreviousLaunchEnd.Verdict

  /// Nil when the event says nothing of that kind.
  init?(_ event: EventBytes) {
    guard event.isText(event.member(Self.stateName), Self.state),
      let place = event.value(at: Self.launchPath), let verdict = event.value(at: Self.verdictPath),
      let launch = event.withText(place, { LaunchID(String(decoding: $0, as: UTF8.self)) }) ?? nil,
      let name = event.withText(verdict, { String(decoding: $0, as: UTF8.self) }),
      let known = PreviousLaunchEnd.Verdict(rawValue: name)
    else { return nil }
    self.launch = launch
    self.verdict = known
    switch known {
    case .crash, .hangKill, .outOfMemory, .unknown: isUnexpected = true
    case .cleanExit, .userKill, .updated, .rebooted, .debugger: isUnexpected = false
    }
  }

  private static let state = Array(RecordedName.launchEnd.utf8)
  private static let stateName = Array("state".utf8)
  private static let launchPath = Array("details.launchId".utf8)
  private static let verdictPath = Array("details.verdict".utf8)
}
