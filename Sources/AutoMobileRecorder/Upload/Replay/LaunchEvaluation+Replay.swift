import AutoMobileJournal
import AutoMobileSupport

/// What of a replay goes with what is marked: the same minutes, by the same word.
extension LaunchEvaluation {
  /// - Parameter to: the greatest number: to the end of the session, or of the launch.
  func nameReplay(_ rule: UploadRule, from: Int64, to: Int64) {
    guard rule.send.replay else { return }
    name(UploadMark.name(of: rule), from, max(from, to))
  }

  /// An ask brings a replay in any case: between two events that it is about, one after the other, too, where nothing happened but on
  /// the screen.
  ///
  /// - Parameters:
  ///   - time: when the event was recorded.
  ///   - next: the position after the event.
  ///   - last: the same of the one before it.
  func nameReplay(_ ask: UploadAsk, at time: Int64, next: UInt64, after last: UInt64) {
    let name = UploadMark.name(of: ask)
    let known = note.runs.firstIndex { $0.name == name }
    var from = time
    if let known, note.runs[known].next == last { from = min(from, note.runs[known].end) }
    let to = max(from, time)
    let run = ReplayRun(name: name, end: to, next: next)
    if let known { note.runs[known] = run } else { note.runs.append(run) }
    self.name(name, from, to)
  }

  /// A mark that went to the end of its session goes no further than to a time.
  func closeReplay(_ name: String, before time: Int64) {
    replay.append(
      .close(name: name, from: note.sessionSince, before: time, last: note.lastAt, clock: note.clock.number))
  }

  /// What goes on ends where the clock is set back, and begins again by the new one: else it would name what was on the screen when these
  /// times came first.
  ///
  /// - Returns: whether another clock holds from this event on.
  @discardableResult
  func followClock(_ head: EventHead) -> Bool {
    let (before, last) = (note.clock.number, note.lastAt)
    guard let time = head.endedAt, note.clock.meet(time) else { return false }
    replay.append(.turn(from: before, to: note.clock.number, last: last, at: time))
    note.sessionSince = time
    note.runs = []
    isChanged = true
    return true
  }

  /// The same for what is looked at once more, where nothing goes on.
  func followClockAgain(_ head: EventHead) {
    guard let time = head.endedAt, note.askClock.meet(time) else { return }
    note.runs = []
  }

  /// Of what has been named since, so much is looked at: more than there are rules and asks.
  private static let mostRecent = 128

  private func name(_ name: String, _ from: Int64, _ to: Int64) {
    let clock = isAgain ? note.askClock.number : note.clock.number
    // Others name theirs in between, some of them with every event. What was named by another clock stays alone.
    let known = replay.indices.suffix(Self.mostRecent).last { replay[$0].name == name || replay[$0].isTurn }
    if let known, case .add(_, let first, let last, let same) = replay[known], same == clock, first <= to,
      from <= last, to != .max, last != .max
    {
      replay[known] = .add(name: name, from: min(first, from), to: max(last, to), clock: clock)
    } else {
      replay.append(.add(name: name, from: from, to: to, clock: clock))
    }
  }
}

/// Where an ask goes on: with the event after its last one.
struct ReplayRun: Sendable, Equatable {
  /// Whose word it is: see ``UploadMark``.
  var name: String
  /// The time of the last event, in milliseconds since 1970.
  var end: Int64
  /// The position after it.
  var next: UInt64
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ReplayRun: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    name = members.value("name")
    end = members.value("end")
    next = members.value("next")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("end", end)
    members.add("next", next)
    try members.end()
  }
}
