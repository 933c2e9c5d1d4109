import AutoMobileJournal

/// A moment on two clocks: the wall's, which may be set, and one that never jumps and goes on while the device sleeps.
package struct ReplayMoment: Sendable, Hashable {
  /// Milliseconds since 1970.
  package var wall: Int64
  /// Milliseconds, from an arbitrary beginning.
  package var steady: Int64

  package init(wall: Int64, steady: Int64) {
    self.wall = wall
    self.steady = steady
  }

  /// Milliseconds from another moment to this one; never negative.
  package func since(_ earlier: ReplayMoment) -> Int64 { max(0, steady.subtracting(saturating: earlier.steady)) }
}

/// The time of one session: it begins by the wall clock and goes on by the one that does not jump, so that a clock that is set
/// meanwhile makes no session longer, shorter or negative.
package struct ReplayClock: Sendable, Hashable {
  package let start: ReplayMoment

  package init(start: ReplayMoment) { self.start = start }

  /// Milliseconds since 1970, as this session counts them; never before its start.
  package func time(at moment: ReplayMoment) -> Int64 { start.wall.adding(saturating: moment.since(start)) }

  /// The session's time of what was stamped with the wall clock a moment ago: as it was stamped, unless the clock has been
  /// set since the session began.
  ///
  /// - Parameter now: when the stamp is looked at.
  package func time(ofStamp stamp: Int64, now: ReplayMoment) -> Int64 {
    let jump = now.wall.subtracting(saturating: time(at: now))
    guard jump.magnitude > Self.tolerance else { return max(start.wall, stamp) }
    return max(start.wall, stamp.subtracting(saturating: jump))
  }

  /// Clocks that are corrected a little at a time are left alone, in milliseconds.
  static let tolerance: UInt64 = 500
}
