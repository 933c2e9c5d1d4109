/// What happens to the recorder. Whatever answers something that was asked for carries the generation that asked.
package enum ReplayEvent: Sendable, Hashable {
  // The app.
  case start
  case stop
  /// The SDK is off from now on, or on again.
  case switched(on: Bool)

  // Its life.
  case enteredForeground
  case enteredBackground
  case willTerminate

  // Answers.
  case configured(generation: UInt64, ReplayDecision)
  case credentialed(generation: UInt64, ReplayGrant)
  /// There is a network, and it is time to try again.
  case networkAvailable(generation: UInt64)
  /// A session's end has been told to the collector, or is kept for a later launch.
  case concluded(sessionId: String)
  /// The collector takes nothing more of a session.
  case refused(sessionId: String, ReplayRefusal)

  // Timers.
  case startTimeout(generation: UInt64)
  case graceTimeout(generation: UInt64)
  case capReached(sessionId: String)
}

/// What the remote configuration says about this launch.
package enum ReplayDecision: Sendable, Hashable {
  case record(ReplayPlan)
  /// `access_denied_<status>`, or another reason in that form.
  case denied(String)
  /// This launch is not among those that are recorded.
  case sampledOut
}

package enum ReplayGrant: Sendable, Hashable {
  /// Everything that a session needs is there; this is its id.
  case granted(sessionId: String)
  case failed(String)
  /// Nobody could be asked: it may be different when there is another network, or later.
  case unreachable(String)
}

package enum ReplayRefusal: Sendable, Hashable {
  /// There is no quota for frames: events only, from now on.
  case quota
  /// The session is closed, or this device is not wanted.
  case closed
}
