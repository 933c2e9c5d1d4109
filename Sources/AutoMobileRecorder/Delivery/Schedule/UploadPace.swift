/// When a delivery may begin, and when it has done what it began for.
///
/// A delivery is a *round*: it takes along what has been recorded until its first request, in as many requests as that needs, and
/// then waits for the next one, so that an app which records all the time is not sending all the time. Without a policy, for a
/// receiver on the same machine, there is no waiting.
struct UploadPace {
  private let intervalMs: Int64?
  /// Nil: no limits.
  private(set) var budget: HourlyBudget?
  /// When the next round may begin.
  private var nextRound: Int64 = .min
  /// The position in this launch's journal up to which the round goes; nil between rounds.
  private var goal: UInt64?
  /// Somebody does not want to wait for the next round.
  private var isHurried = false
  /// This launch's journal has been delivered up to here.
  private var position: UInt64 = 0
  /// Where not everything is sent: what has been recorded up to here has been looked at.
  private var lookedTo: UInt64 = 0
  /// Since somebody wanted what there is to be sent, nobody has looked at all of it.
  private var isLookDue = true

  init(_ policy: DeliveryPolicy?) {
    intervalMs = policy.map { Int64(clamping: max(1, $0.intervalMs)) }
    budget = policy.map {
      HourlyBudget(maximumRequests: $0.maximumRequestsPerHour, maximumBytes: $0.maximumBytesPerHour)
    }
  }

  /// For how long nothing is sent, in milliseconds; nil when something may be.
  func wait(now: Int64) -> Int64? {
    guard intervalMs != nil, goal == nil, !isHurried, now < nextRound else { return nil }
    let (wait, overflow) = nextRound.subtractingReportingOverflow(now)
    return overflow ? .max : wait
  }

  /// How long a request of so many bytes has to wait for the hour's limits, in milliseconds; nil when it may go.
  mutating func wait(for bytes: Int, now: Int64) -> Int64? { budget?.wait(for: bytes, now: now) }

  /// A request goes out now.
  ///
  /// - Parameter end: where this launch's journal ends.
  mutating func sends(_ bytes: Int, end: UInt64, now: Int64) {
    budget?.spend(bytes, now: now)
    guard let intervalMs, goal == nil else { return }
    goal = end
    isHurried = false
    nextRound = now.addingReportingOverflow(intervalMs).partialValue
  }

  /// What has been recorded by now goes in this round, or in one that begins at once.
  mutating func hurry(end: UInt64) {
    isLookDue = true
    if goal == nil { isHurried = true } else { goal = end }
  }

  /// This launch has been delivered up to a position.
  mutating func reached(_ position: UInt64) {
    self.position = max(self.position, position)
    if let known = goal, position >= known { goal = nil }
  }

  /// Whoever decides what is sent has looked at all that has been recorded up to a position.
  mutating func looked(to position: UInt64) {
    lookedTo = max(lookedTo, position)
    isLookDue = false
  }

  /// What has not been looked at by now goes in the next round.
  var leavesNews: Bool { goal != nil && !isLookDue }

  /// There was nothing left to send, with this launch's journal ending there.
  mutating func ranDry(end: UInt64) {
    position = max(position, leavesNews ? lookedTo : end)
    goal = nil
    isHurried = false
  }

  /// Whether something has come since.
  func hasNews(end: UInt64) -> Bool { end > position }
}
