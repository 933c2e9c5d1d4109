import AutoMobileJournal
import AutoMobileSupport

extension LaunchEvaluation {
  /// - Returns: the index of the session that the event is of.
  func meet(
    session: String?, _ context: UInt64?, _ position: UInt64, _ head: EventHead, _ rules: Rules
  ) -> Int {
    let id = session ?? "launch:" + launch.description
    let before = note.lastAt
    if let known = note.sessions.lastIndex(where: { $0.session == id }) {
      followClock(head)
      if known == note.sessions.count - 1 {
        note.sessions[known].contextId = context ?? note.sessions[known].contextId
      } else if note.sessions[known].isOver {
        // Threads that record while a session changes may still name the one before: what has been told of it holds no more.
        note.sessions[known].isOver = false
        isChanged = true
      }
      return known
    }
    if !note.sessions.isEmpty { note.sessions[note.sessions.count - 1].hasEnded = true }
    for index in note.marks.indices where note.marks[index].to == nil && note.marks[index].until == nil {
      note.marks[index].to = position
      closeReplay(note.marks[index].name, head)
    }
    let isSet = followClock(head)
    // Its first event may have begun in the session before, and may have any time, or none.
    note.sessionSince = isSet ? head.endedAt ?? before : max(head.endedAt ?? before, before)
    if note.sessions.count >= SessionTally.mostSessions { note.sessions.removeFirst() }
    note.sessions.append(
      SessionTally(session: id, contextId: context, at: head.timestamp ?? 0, memory: note.memory))
    for (index, fraction) in rules.compiled.sessionRules where SessionSampling.isSampled(id, rate: fraction) {
      let rule = rules.compiled.rules[index]
      guard rules.allows(rule, launch, position) else { continue }
      note.marks.append(
        UploadMark(
          name: UploadMark.name(of: rule), from: position, to: nil, until: nil, priority: rule.send.priority,
          bodies: rule.send.bodies))
      nameReplay(rule, from: note.sessionSince, to: .max)
    }
    isChanged = true
    return note.sessions.count - 1
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
    isChanged = true
  }

  private static let session = Array("session".utf8)
  private static let revision = Array("revision".utf8)

  /// Changes what is told of the sessions.
  func changeSessions(_ change: (inout [SessionTally]) -> Void) {
    change(&note.sessions)
    isChanged = true
  }
}
