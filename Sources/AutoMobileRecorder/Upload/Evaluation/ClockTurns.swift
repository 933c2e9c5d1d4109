import AutoMobileSupport

/// Which of a launch's clocks an event's time is by: the number of times that the wall clock had been set back by then, as far as the
/// order of events shows it. Times that come twice are told apart by it.
///
/// The replay counts by a clock that does not jump, and may come to another number: where the clock was set back while nothing happened
/// for longer, or an app gives events times of its own. A stretch means what was on the screen by the clock of the same number, so that
/// less is sent then, and not what somebody else saw.
struct ClockTurns: Sendable, Equatable {
  /// Threads that record at the same time come in any order, and clocks that are corrected a little at a time are left alone, in
  /// milliseconds.
  static let tolerance: Int64 = 10_000

  private(set) var number = 0
  /// The time of the last event; 0: there was none.
  private var last: Int64 = 0
  /// The times of the last event before it was last set back, and of the first after it; 0: never, or that time has come again.
  private var before: Int64 = 0
  private var since: Int64 = 0

  /// - Returns: whether another clock holds from this event on.
  mutating func meet(_ time: Int64) -> Bool {
    defer { last = time }
    guard last != 0 else { return false }
    if time < last.subtracting(saturating: Self.tolerance) {
      (before, since) = (last, time)
      number += 1
      return true
    }
    guard before != 0, time >= before.subtracting(saturating: Self.tolerance) else { return false }
    // In one leap: some events had times of their own, or the clock was set right. Else the time has come a second time, as it does.
    let isLeap = time.subtracting(saturating: last) >= before.subtracting(saturating: since) / 2
    before = 0
    guard isLeap else { return false }
    number = max(0, number - 1)
    return true
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ClockTurns: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    number = members.value("number")
    last = members.value("last")
    before = members.value("before")
    since = members.value("since")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("number", number)
    members.add("last", last)
    members.add("before", before)
    members.add("since", since)
    try members.end()
  }
}
