import AutoMobileJournal

extension UploadKeeper {
  /// Records a summary of each session that is to be told.
  ///
  /// - Returns: whether something was recorded.
  func tellSessions(_ earlier: [LaunchID]) -> Bool {
    guard let host = host.withLock({ $0 }), host.isRecording() else { return false }
    var isTold = false
    for launch in earlier + [journal.launch] {
      guard let evaluation = evaluations[launch] else { continue }
      for index in evaluation.note.sessions.indices {
        let session = evaluation.note.sessions[index]
        guard session.isToBeTold(tellsAll) else { continue }
        var told = session
        told.revision &+= 1
        if told.hasEnded, !evaluation.isOwn, index == evaluation.note.sessions.count - 1 {
          told.end = told.end ?? .unknown
        }
        guard host.record(told.summary(now: clock.wall(), kept: kept(of: launch)).fitted, launch, told.contextId) else {
          continue
        }
        told.toldEvents = told.events
        told.isOver = told.hasEnded
        evaluation.changeSessions { $0[index] = told }
        isTold = true
      }
    }
    return isTold
  }

  private func kept(of launch: LaunchID) -> KeptOfLaunch? {
    guard let rules, let kept = journal.ledger(of: launch)?.kept, kept > 0 else { return nil }
    let (until, overflow) = clock.wall().addingReportingOverflow(Int64(clamping: rules.keepDays) &* 86_400_000)
    return KeptOfLaunch(
      events: Int(clamping: kept), bytes: journal.bytesOnDisk(of: launch), until: overflow ? .max : until)
  }
}

extension SessionTally {
  /// - Parameter tellsAll: also those that go on, and those of which there is nothing to add but that they ended as sessions do: such
  ///   an end is worth no request of its own. Most apps are killed in the background, when all has been told; the next launch adds the
  ///   end to what it tells of itself.
  func isToBeTold(_ tellsAll: Bool) -> Bool {
    guard hasEnded else { return tellsAll && events > toldEvents }
    return !isOver && (tellsAll || revision == 0 || events > toldEvents || end?.isFault == true)
  }

  /// What a later launch says of its end. A crash says more than that somebody does not know.
  mutating func noteEnd(_ end: End) {
    guard self.end == nil || self.end == .unknown, end != .unknown else { return }
    self.end = end
    if end == .crash { crashes = max(1, crashes) }
    // It may have been told before anybody knew: then it is told once more.
    isOver = false
  }
}
