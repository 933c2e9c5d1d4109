/// Where the recorder is. A value: two are equal when they will do the same.
package struct ReplayState: Sendable, Hashable {
  package enum Phase: Sendable, Hashable {
    case idle
    case starting(ReplayAttempt)
    case active(ReplaySession)
    case paused(ReplaySession, backgroundedAt: ReplayMoment)
    /// The process is about to end.
    case terminated
  }

  package var phase = Phase.idle
  package var isInForeground: Bool
  /// Nothing may be recorded or sent.
  package var isOff = false
  /// The app has started a replay, and has not stopped: what ends it otherwise ends it until the app comes to the foreground again.
  package var isWanted = false
  /// Grows with each attempt to start. What comes in for another one than the current is late, and is ignored.
  package var generation: UInt64 = 0
  /// Callers of `start` who have no answer yet, and callers of `stop`.
  package var waitingStarts = 0
  package var waitingStops = 0
  /// The session whose conclusion the callers of `stop` wait for.
  package var stoppingSession: String?

  package init(isInForeground: Bool = true) { self.isInForeground = isInForeground }

  /// The session that is recorded, or would be if the app were in the foreground.
  package var session: ReplaySession? {
    switch phase {
    case .active(let session), .paused(let session, _): session
    case .idle, .starting, .terminated: nil
    }
  }
}

/// A session that is about to begin.
package struct ReplayAttempt: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// The session before is being concluded; at the latest after the grace time this one goes on without waiting.
    case awaitingConclusion(of: String)
    case fetchingConfiguration
    /// Waits for the credential, for no longer than the start poll.
    case obtainingCredential(ReplayPlan)
    /// The configuration is asked for again when there is a network. Nobody waits for this: whoever started has been answered.
    case awaitingNetwork
    /// All is there, but the app is in the background.
    case awaitingForeground(sessionId: String, ReplayPlan)
  }

  package let generation: UInt64
  /// By which it is known until it has an id.
  package let pendingId: String
  /// A session follows the one before in this process: what that had is used again where it is still good.
  package let isWarm: Bool
  package var step: Step
  /// How often it has waited for the network.
  package var waits = 0
}

/// What the remote configuration comes to for one session.
package struct ReplayPlan: Sendable, Hashable {
  package var isTelemetryOnly = false
  package var maximumMs: Int64 = 600_000
  /// The remote frame rate; nil: the local one.
  package var framesPerSecond: Double?
  /// Nil: as configured locally.
  package var masksTextInput: Bool?
  package var masksImages: Bool?

  package init() {}
}
