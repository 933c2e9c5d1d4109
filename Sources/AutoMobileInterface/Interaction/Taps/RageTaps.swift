/// Notices taps that follow each other on one spot: somebody is annoyed.
struct RageTaps {
  /// So many taps …
  static let count = 3
  /// … within so many milliseconds …
  static let milliseconds: Int64 = 1000
  /// … and so many points.
  static let distance = 50.0

  private struct Tap {
    var place: ScreenPoint
    var time: Int64
  }
  private var taps: [Tap] = []
  /// A burst is told of once, however long it goes on.
  private var isTold = false

  /// - Parameter time: in milliseconds, on a clock that never jumps.
  /// - Returns: whether this tap makes a burst of those before.
  mutating func note(_ place: ScreenPoint, at time: Int64) -> Bool {
    taps.removeAll { tap in
      time < tap.time || time &- tap.time > Self.milliseconds || tap.place.distance(to: place) > Self.distance
    }
    if taps.isEmpty { isTold = false }
    taps.append(Tap(place: place, time: time))
    guard taps.count >= Self.count, !isTold else { return false }
    isTold = true
    return true
  }
}
