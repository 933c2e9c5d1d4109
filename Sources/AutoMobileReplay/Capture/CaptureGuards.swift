import AutoMobileJournal

/// Moments in which the screen must not be read: reading it while the keyboard or a map moves holds up the main thread.
/// Times are nanoseconds of a clock that does not jump.
struct CaptureGuards: Equatable, Sendable {
  /// From will-show or will-hide until so long after did-show or did-hide.
  static let keyboardRest: UInt64 = 450_000_000
  static let mapRest: UInt64 = 300_000_000
  /// A movement whose end nobody told is over by then.
  static let longestMovement: UInt64 = 3_000_000_000

  private var keyboardUntil: UInt64 = 0
  private var mapUntil: UInt64 = 0
  /// When the first picture was held up of those that have been since.
  private var heldUpSince: UInt64?

  mutating func keyboardBegins(at now: UInt64) { keyboardUntil = now.adding(saturating: Self.longestMovement) }
  mutating func keyboardEnded(at now: UInt64) { keyboardUntil = now.adding(saturating: Self.keyboardRest) }
  /// A map on the screen is moving.
  mutating func mapMoves(at now: UInt64) { mapUntil = now.adding(saturating: Self.mapRest) }

  /// Whether pixels may be read. A transition between screens is told by who asks: it has no end to wait for.
  func allowsPixels(at now: UInt64, isInTransition: Bool) -> Bool {
    now >= keyboardUntil && now >= mapUntil && !isInTransition
  }

  /// Notes whether pixels may be read.
  ///
  /// - Returns: whether somebody who looks at the replay should know that they may not: no movement lasts as long as this one.
  mutating func isHeldUp(at now: UInt64, _ isHeldUp: Bool) -> Bool {
    guard isHeldUp else {
      heldUpSince = nil
      return false
    }
    let since = heldUpSince ?? now
    heldUpSince = since
    return now.subtracting(saturating: since) > Self.longestMovement
  }

  /// While a map moves the tree of views is as costly.
  func allowsHierarchy(at now: UInt64) -> Bool { now >= mapUntil }
}
