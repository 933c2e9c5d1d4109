import AutoMobileJournal

/// A session that has begun: what its end is computed from.
package struct ReplaySession: Sendable, Hashable {
  package let id: String
  package let clock: ReplayClock
  /// Events and no frames: recording is switched off remotely, or there is no quota for it.
  package var isTelemetryOnly: Bool
  /// How long it may last, in milliseconds.
  package let maximumMs: Int64
  /// In milliseconds since 1970, by the session's own clock; nil: the app was in the foreground since it began.
  package private(set) var lastForegroundAt: Int64?
  package private(set) var lastBackgroundAt: Int64?
  /// Of all times in the background together, in milliseconds.
  package private(set) var totalBackgroundMs: Int64 = 0

  package init(id: String, start: ReplayMoment, isTelemetryOnly: Bool, maximumMs: Int64 = 600_000) {
    self.id = id
    self.maximumMs = maximumMs
    clock = ReplayClock(start: start)
    self.isTelemetryOnly = isTelemetryOnly
  }

  package mutating func enterBackground(at moment: ReplayMoment) { lastBackgroundAt = clock.time(at: moment) }

  package mutating func enterForeground(at moment: ReplayMoment, backgroundMs: Int64) {
    lastForegroundAt = clock.time(at: moment)
    totalBackgroundMs = totalBackgroundMs.adding(saturating: backgroundMs)
  }
}

/// Why a session is over, as `endReason` names it.
package enum ReplayEndReason: String, Sendable, Hashable, CaseIterable, Codable {
  case userStop = "user_stop"
  case backgroundTimeout = "background_timeout"
  case recordingCap = "recording_cap"
  case recoveryFinalize = "recovery_finalize"
  /// The collector takes no more of this session.
  case refused
}

/// How a session ended: everything that its conclusion says about time. It is complete when it is made; nothing is read later,
/// when a foreground may have cleared it.
package struct ReplayEnding: Sendable, Hashable, Codable {
  package var reason: ReplayEndReason
  /// In milliseconds since 1970, as all times here.
  package var endedAt: Int64
  /// Where the session's timeline stops.
  package var closeAnchorAt: Int64
  package var totalBackgroundMs: Int64
}

extension ReplaySession {
  /// The ending at a moment at which the app is in the foreground, or which nobody can know better.
  package func ending(_ reason: ReplayEndReason, at moment: ReplayMoment) -> ReplayEnding {
    let end = clock.time(at: moment)
    return ReplayEnding(reason: reason, endedAt: end, closeAnchorAt: end, totalBackgroundMs: totalBackgroundMs)
  }

  /// The ending of a session that had gone to the background and was not come back to in time: there.
  package func endingInBackground(_ reason: ReplayEndReason, enteredAt moment: ReplayMoment) -> ReplayEnding {
    ending(reason, at: moment)
  }
}
