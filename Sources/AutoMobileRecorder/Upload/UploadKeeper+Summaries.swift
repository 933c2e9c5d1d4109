import AutoMobileJournal

extension UploadKeeper {
  /// Records a summary of each session that is to be told.
  ///
  /// - Returns: whether something was recorded.
  func tellSessions(_ earlier: [LaunchID]) -> Bool {
    var isTold = false
    for launch in earlier + [journal.launch] where tellSessions(of: launch, all: tellsAll) { isTold = true }
    return isTold
  }

  /// Records what is left to say of a launch's sessions: it is about to go, and then nobody knows them any more.
  func tellEnds(of launch: LaunchID) {
    guard isKeeping else { return }
    if evaluations[launch] == nil { evaluate(launch) }
    if tellSessions(of: launch, all: true) { save([launch]) }
  }

  private func tellSessions(of launch: LaunchID, all: Bool) -> Bool {
    guard let host = host.withLock({ $0 }), host.isRecording(), let evaluation = evaluations[launch] else {
      return false
    }
    var isTold = false
    for index in evaluation.note.sessions.indices {
      let session = evaluation.note.sessions[index]
      guard session.isToBeTold(all) else { continue }
      var told = session
      told.revision &+= 1
      if told.hasEnded, !evaluation.isOwn, index == evaluation.note.sessions.count - 1 {
        told.end = told.end ?? .unknown
      }
      let sameAs = told.hasEnded && isThere(session, of: launch) ? session.revision : nil
      let summary = told.summary(now: clock.wall(), kept: kept(of: launch), sameAs: sameAs)
      guard host.record(summary.fitted, launch, told.contextId) else { continue }
      told.toldEvents = told.events
      told.toldMemory = told.memory
      told.toldAt = nil
      told.isTaken = false
      told.toldTo = receiver
      told.isOver = told.hasEnded
      evaluation.changeSessions { $0[index] = told }
      isTold = true
    }
    return isTold
  }

  /// A receiver has taken what stands at some positions of a launch.
  ///
  /// That is written down before it counts as sent: a process that is killed in between sends it once more. What only counts as sent may
  /// have been refused, or have gone unsent.
  func taken(_ launch: LaunchID, _ positions: [UInt64]) {
    if evaluations[launch]?.noteTaken(positions) == true { save([launch]) }
  }

  private func kept(of launch: LaunchID) -> KeptOfLaunch? {
    guard let rules, let kept = journal.ledger(of: launch)?.kept, kept > 0 else { return nil }
    return KeptOfLaunch(
      events: Int(clamping: kept), bytes: journal.bytesOnDisk(of: launch), days: rules.keepDays)
  }

  /// Whether the receiver has taken a summary that says all of a session but its end. Where the session goes on in another launch, that
  /// would not say which of its parts is meant.
  private func isThere(_ session: SessionTally, of launch: LaunchID) -> Bool {
    guard session.isToldButEnd, session.isTaken, let receiver, session.toldTo == receiver else { return false }
    return !evaluations.contains { $0 != launch && $1.note.sessions.contains { $0.session == session.session } }
  }
}

extension SessionTally {
  /// There is nothing to add to what was told of it but that it has ended, and that without a fault.
  var isToldButEnd: Bool {
    revision > 0 && !isOver && events == toldEvents && memory == toldMemory && end?.isFault != true
  }

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
