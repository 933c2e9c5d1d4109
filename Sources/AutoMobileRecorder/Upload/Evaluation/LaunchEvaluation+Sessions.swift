import AutoMobileJournal
import AutoMobileSupport

extension LaunchEvaluation {
  /// Rules come to an event of a session.
  ///
  /// - Parameter isAhead: sessions have been counted further than this.
  func meet(_ session: String, _ position: UInt64, _ head: EventHead, _ rules: Rules, isAhead: Bool) {
    let before = note.lastAt
    let isKnown =
      isAhead ? note.met.contains(session) : note.sessions.lastIndex { $0.session == session } != nil
    guard !isKnown else {
      followClock(head)
      return
    }
    if isAhead { note.met = note.met.suffix(SessionTally.mostSessions - 1) + [session] }
    for index in note.marks.indices where note.marks[index].to == nil && note.marks[index].until == nil {
      note.marks[index].to = position
      closeReplay(note.marks[index].name, before: head.endedAt ?? note.lastAt)
    }
    let isSet = followClock(head)
    // Its first event may have begun in the session before, and may have any time, or none.
    note.sessionSince = isSet ? head.endedAt ?? before : max(head.endedAt ?? before, before)
    for (index, fraction) in rules.compiled.sessionRules where SessionSampling.isSampled(session, rate: fraction) {
      let rule = rules.compiled.rules[index]
      guard rules.allows(rule, launch, position) else { continue }
      note.marks.append(
        UploadMark(
          name: UploadMark.name(of: rule), from: position, to: nil, until: nil, priority: rule.send.priority,
          bodies: rule.send.bodies))
      nameReplay(rule, from: note.sessionSince, to: .max)
    }
    isChanged = true
  }

  /// What goes to the end of its session ends where rules have looked, unless a rule still names sessions that says so: what has not been
  /// looked at is for the rules of now.
  func endSessions(but rules: CompiledRules) {
    for index in note.marks.indices where note.marks[index].to == nil && note.marks[index].until == nil {
      let name = note.marks[index].name
      guard !rules.sessionRules.contains(where: { UploadMark.name(of: rules.rules[$0.index]) == name }) else {
        continue
      }
      note.marks[index].to = note.evaluated
      closeReplay(name, before: note.lastAt.adding(saturating: 1))
      isChanged = true
    }
  }

  /// Counts an event in its session.
  func count(_ event: EventBytes, _ head: EventHead, in session: String, _ context: UInt64?) {
    if let time = head.endedAt { note.countedAt = time }
    if let known = note.sessions.lastIndex(where: { $0.session == session }) {
      if known == note.sessions.count - 1 {
        note.sessions[known].contextId = context ?? note.sessions[known].contextId
      } else if note.sessions[known].isOver {
        // Threads that record while a session changes may still name the one before: what has been told of it holds no more.
        note.sessions[known].isOver = false
        isChanged = true
      }
      note.sessions[known].add(event, head)
      return
    }
    if !note.sessions.isEmpty { note.sessions[note.sessions.count - 1].hasEnded = true }
    if note.sessions.count >= SessionTally.mostSessions { note.sessions.removeFirst() }
    var tally = SessionTally(session: session, contextId: context, at: head.timestamp ?? 0, memory: note.memory)
    tally.add(event, head)
    note.sessions.append(tally)
    isChanged = true
  }

  /// A summary of a session of this launch stands there. Without a context it only says how one ended.
  func noteTold(_ summary: EventBytes, _ position: UInt64) {
    guard let place = summary.member(Self.session),
      let revision = summary.member(Self.revision).flatMap(summary.integer),
      let index = note.sessions.lastIndex(where: {
        Int64(clamping: $0.revision) == revision && !$0.isOver && summary.isText(place, Array($0.session.utf8))
      })
    else { return }
    note.sessions[index].toldAt = position
    note.sessions[index].isTaken = false
    isChanged = true
  }

  /// A receiver has taken what stands at some positions.
  ///
  /// - Returns: whether that is news of a summary.
  func noteTaken(_ positions: [UInt64]) -> Bool {
    var isNews = false
    for index in note.sessions.indices where !note.sessions[index].isTaken {
      guard let position = note.sessions[index].toldAt, positions.contains(position) else { continue }
      note.sessions[index].isTaken = true
      isNews = true
    }
    isChanged = isChanged || isNews
    return isNews
  }

  private static let session = Array("session".utf8)
  private static let revision = Array("revision".utf8)

  /// Changes what is told of the sessions.
  func changeSessions(_ change: (inout [SessionTally]) -> Void) {
    change(&note.sessions)
    isChanged = true
  }
}
