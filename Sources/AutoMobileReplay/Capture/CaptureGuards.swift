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

  mutating func keyboardBegins(at now: UInt64) { keyboardUntil = now.adding(saturating: Self.longestMovement) }
  mutating func keyboardEnded(at now: UInt64) { keyboardUntil = now.adding(saturating: Self.keyboardRest) }
  /// A map on the screen is moving.
  mutating func mapMoves(at now: UInt64) { mapUntil = now.adding(saturating: Self.mapRest) }

  /// Whether pixels may be read. A transition between screens is told by who asks: it has no end to wait for.
  func allowsPixels(at now: UInt64, isInTransition: Bool) -> Bool {
    now >= keyboardUntil && now >= mapUntil && !isInTransition
  }

  /// While a map moves the tree of views is as costly.
  func allowsHierarchy(at now: UInt64) -> Bool { now >= mapUntil }
}
