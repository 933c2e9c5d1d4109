/// Which stretches of one launch rules would send, from its events in the order in which they were recorded: as the SDK marks them.
///
/// Of an event no more is kept than four numbers, so that a rule can look back for the minutes before it.
struct LaunchStretches {
  /// A stretch that goes on.
  private struct Open {
    var from: Int
    /// When it ends, by the events' times; nil: with its session.
    var until: Int64?
  }

  /// What some events come to.
  struct Sum: Equatable {
    var events: Int64 = 0
    var bytes: Int64 = 0
    /// Of these, what bodies of requests have, as far as a rule leaves them out.
    var bodies: Int64 = 0

    static func += (sum: inout Sum, other: Sum) {
      sum.events += other.events
      sum.bytes += other.bytes
      sum.bodies += other.bodies
    }
  }

  private let rules: [UploadRule]
  /// By rule.
  private var open: [Open?]
  private var closed: [[Range<Int>]]
  private var closedCount = 0
  /// By rule: where the stretch that was marked last ends. Looking back for minutes ends there.
  private var lastEnds: [Int]
  private static let mostClosed = 200_000

  /// When each was over: that is when it was recorded.
  private var times: [Int64] = []
  /// What is before each event, and after the last one.
  private var sums: [Sum] = [Sum()]
  /// Of each event, the index of its session.
  private var sessionOf: [Int32] = []
  private var sessions: [Int64] = []
  private var sessionIndexes: [Int64: Int32] = [:]
  private var always: [Range<Int>] = []
  /// Events that are earlier than all after them, in their order: those at which looking back may end.
  private var earliest: [Int] = []
  /// Sessions as the SDK remembers them.
  private var met: [Int64] = []
  private static let mostMet = 16

  init(_ rules: [UploadRule]) {
    self.rules = rules
    open = Array(repeating: nil, count: rules.count)
    closed = Array(repeating: [], count: rules.count)
    lastEnds = Array(repeating: 0, count: rules.count)
  }

  var count: Int { times.count }
  /// When the last event of the launch's own was over.
  private var lastOwn: Int64 = 0

  /// There are more stretches than are remembered: what comes adds none.
  var isFull: Bool { closedCount >= Self.mostClosed }

  // MARK: Events, one after the other

  /// A record comes: an event, or a breadcrumb, which is sent with what is around it and does nothing else.
  ///
  /// - Parameter endedAt: requests, spans and hangs have the time at which they began.
  /// - Returns: its index.
  mutating func add(_ endedAt: Int64, bytes: Int64, bodies: Int64 = 0, session: Int64, isEvent: Bool) -> Int {
    let index = count
    if isEvent {
      for rule in open.indices {
        if let until = open[rule]?.until, endedAt > until { close(rule, at: index) }
      }
    }
    times.append(endedAt)
    var sum = sums[index]
    sum += Sum(events: isEvent ? 1 : 0, bytes: bytes, bodies: bodies)
    sums.append(sum)
    sessionOf.append(number(of: session))
    return index
  }

  private mutating func number(of session: Int64) -> Int32 {
    if let last = sessionOf.last, sessions[Int(last)] == session { return last }
    if let known = sessionIndexes[session] { return known }
    let number = Int32(sessions.count)
    sessions.append(session)
    sessionIndexes[session] = number
    return number
  }

  /// The event at an index is one of this launch, not one that tells of another: minutes before a later one may begin after it.
  ///
  /// - Parameter isTold: it only tells what a session was like.
  mutating func isOwn(_ index: Int, isTold: Bool) {
    if !isTold { lastOwn = times[index] }
    while let last = earliest.last, times[last] >= times[index] { earliest.removeLast() }
    earliest.append(index)
  }

  /// It goes at once, whatever rules say.
  mutating func isAlwaysSent(_ index: Int) { always.append(index..<index + 1) }

  /// The event at an index is of a session.
  ///
  /// - Returns: whether this session has just begun.
  mutating func meet(_ session: Int64, at index: Int) -> Bool {
    if met.contains(session) { return false }
    for rule in open.indices {
      if let stretch = open[rule], stretch.until == nil { close(rule, at: index) }
    }
    if met.count >= Self.mostMet { met.removeFirst() }
    met.append(session)
    return true
  }

  /// A rule names the session that begins at an index.
  mutating func takeSession(_ rule: Int, at index: Int) { open[rule] = Open(from: index, until: nil) }

  /// A rule applies in the middle of what it has marked before: that goes on for longer, and nothing is counted.
  mutating func prolong(_ rule: Int, at index: Int) -> Bool {
    guard let stretch = open[rule] else { return false }
    let until = times[index].addingReportingOverflow(rules[rule].send.afterMs).partialValue
    open[rule]?.until = stretch.until.map { max($0, until) }
    return true
  }

  /// A rule applies to the event at an index, which began at a time.
  mutating func take(_ rule: Int, at index: Int, since began: Int64) {
    let send = rules[rule].send
    let since = began.subtractingReportingOverflow(send.beforeMs).partialValue
    open[rule] = Open(
      from: max(start(since, before: index), lastEnds[rule]),
      until: times[index].addingReportingOverflow(send.afterMs).partialValue)
  }

  /// A later launch tells of this one, which is over.
  ///
  /// - Parameter time: when it happened; nil: at its end.
  mutating func takeEnd(_ rule: Int, at time: Int64?) {
    let at = time ?? lastOwn
    let since = at.subtractingReportingOverflow(rules[rule].send.beforeMs).partialValue
    keep(start(since, before: count)..<count, of: rule)
  }

  /// Nothing comes after this.
  mutating func end() {
    for rule in open.indices where open[rule] != nil { close(rule, at: count) }
  }

  private mutating func close(_ rule: Int, at index: Int) {
    guard let stretch = open[rule] else { return }
    open[rule] = nil
    lastEnds[rule] = index
    if stretch.from < index { keep(stretch.from..<index, of: rule) }
  }

  /// Stretches of one rule that touch are one.
  private mutating func keep(_ stretch: Range<Int>, of rule: Int) {
    var stretch = stretch
    while let last = closed[rule].last, stretch.lowerBound <= last.upperBound, last.lowerBound <= stretch.upperBound {
      stretch = min(last.lowerBound, stretch.lowerBound)..<max(last.upperBound, stretch.upperBound)
      closed[rule].removeLast()
      closedCount -= 1
    }
    guard !isFull else { return }
    closed[rule].append(stretch)
    closedCount += 1
  }

  /// The index after the last event before another one that is too early.
  private func start(_ since: Int64, before end: Int) -> Int {
    // Their times grow as their indexes do.
    var (low, high) = (0, earliest.count)
    while low < high {
      let middle = (low + high) / 2
      if earliest[middle] < end, times[earliest[middle]] < since { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : earliest[low - 1] + 1
  }

  // MARK: What came of it

  /// The stretches of a rule: disjoint and in order.
  func stretches(of rule: Int) -> [Range<Int>] { Self.joined(closed[rule]) }

  /// Those of all rules, and what goes anyway.
  var allStretches: [Range<Int>] { Self.joined(closed.flatMap(\.self) + always) }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  func sum(of stretches: [Range<Int>]) -> Sum {
    stretches.reduce(into: Sum()) { sum, range in
      sum.events += sums[range.upperBound].events - sums[range.lowerBound].events
      sum.bytes += sums[range.upperBound].bytes - sums[range.lowerBound].bytes
      sum.bodies += sums[range.upperBound].bodies - sums[range.lowerBound].bodies
    }
  }

  /// What a rule alone would have sent: without bodies when it leaves them out.
  func sent(by rule: Int) -> Sum {
    var sent = sum(of: stretches(of: rule))
    if !rules[rule].send.bodies { sent.bytes -= sent.bodies }
    return sent
  }

  /// What all of them would have sent, with what goes anyway: without bodies where no rule that names it wants them.
  var sent: Sum {
    let whole = Self.joined(rules.indices.filter { rules[$0].send.bodies }.flatMap { closed[$0] } + always)
    var sent = sum(of: allStretches)
    sent.bytes -= sent.bodies - sum(of: whole).bodies
    return sent
  }

  var everything: Sum { sums[count] }
  var alwaysSent: Sum { sum(of: always) }

  /// The sessions of which something is in them.
  func sessions(in stretches: [Range<Int>]) -> Set<Int64> {
    var found = Set<Int32>()
    for range in stretches where found.count < sessions.count { found.formUnion(sessionOf[range]) }
    return Set(found.map { sessions[Int($0)] })
  }
}
