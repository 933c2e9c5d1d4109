/// What is to be done after an event, in this order. None waits.
package enum ReplayEffect: Sendable, Hashable {
  case fetchConfiguration(generation: UInt64)
  /// - Parameter isWarm: one that is kept may be used without asking anybody.
  case obtainCredential(generation: UInt64, isWarm: Bool)
  /// Says when there is a network; when there is one already, after so long.
  case awaitNetwork(generation: UInt64, milliseconds: Int64)
  case setStartTimer(generation: UInt64)
  case setGraceTimer(generation: UInt64)
  case setCapTimer(sessionId: String, milliseconds: Int64)
  /// Nobody waits for what this attempt has asked for.
  case abandon(generation: UInt64)

  /// Everything of a session begins: its files, its mark on events, interception, capture.
  case begin(ReplaySession, ReplayPlan)
  case pause(ReplaySession)
  case resume(ReplaySession)
  /// No frames any more; the session goes on with events.
  case stopFrames(ReplaySession)
  /// Everything that ``begin(_:_:)`` began is over when this returns, capture first.
  case end(ReplaySession)
  /// Uploads what is left of a session that has ended, and tells its end: once for each session.
  case conclude(ReplaySession, ReplayEnding)
  /// The process ends: the next launch concludes this session.
  case leaveToRecovery(ReplaySession)

  /// Nothing is uploaded or asked any more, until somebody starts again.
  case standDown

  /// To all who wait for one.
  case answerStarts(ReplayStartResult)
  case answerStops(ReplayStopResult)
}
