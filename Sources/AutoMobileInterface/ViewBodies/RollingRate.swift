/// How often something happened within the last second: counted in sixteenths of a second, so that noting it costs the
/// same however often it happens.
struct RollingRate: Sendable {
  private var counts = SIMD16<UInt32>()
  /// The sixteenth of a second that was noted last, counted from the clock's beginning.
  private var newest = 0

  private static let slots = 16

  /// It has happened. A time before the last one counts as that.
  mutating func note(at milliseconds: Int) {
    advance(to: milliseconds)
    let slot = newest % 16
    counts[slot] = counts[slot] &+ 1
  }

  /// How often in the second until then.
  func perSecond(at milliseconds: Int) -> Double {
    var rate = self
    rate.advance(to: milliseconds)
    var sum: UInt64 = 0
    for slot in 0..<Self.slots { sum = sum &+ UInt64(rate.counts[slot]) }
    return Double(sum)
  }

  private mutating func advance(to milliseconds: Int) {
    let now = max(0, milliseconds) / 1000 * Self.slots + max(0, milliseconds) % 1000 * Self.slots / 1000
    guard now > newest else { return }
    if now - newest >= Self.slots {
      counts = SIMD16()
    } else {
      for slot in newest + 1...now { counts[slot % 16] = 0 }
    }
    newest = now
  }
}
