/// A finger on the screen, at one moment.
struct TouchSample: Sendable {
  enum Phase: Sendable { case began, moved, stationary, ended, cancelled }

  /// The same for a finger from its beginning to its end.
  var finger: ObjectIdentifier
  var phase: Phase
  /// In points, in the window.
  var place: ScreenPoint
  /// In seconds, on a clock that never jumps.
  var time: Double

  var isFinite: Bool { place.x.isFinite && place.y.isFinite && time.isFinite }
}

/// A place in a window, in points.
struct ScreenPoint: Equatable, Sendable {
  var x: Double
  var y: Double

  /// In points; not a number when either place is none.
  func distance(to other: ScreenPoint) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }
}
