/// So much a second, and what was not used for ten of them. It can be overdrawn: what is under way when it runs out is taken, and
/// paid for before anything else is.
struct TokenBucket: Sendable {
  private static let burst = 10.0

  private let rate: Double
  private var level: Double
  /// In seconds, of a clock that does not go back.
  private var time: Double

  /// - Parameter rate: a second; more than 0.
  init(rate: Double, at time: Double) {
    self.rate = rate
    self.time = time
    level = rate * Self.burst
  }

  /// Seconds until there is something in it; nil when there is.
  mutating func wait(at now: Double) -> Double? {
    level = min(rate * Self.burst, level + max(0, now - time) * rate)
    time = max(time, now)
    return level >= 1 ? nil : (1 - level) / rate
  }

  mutating func take(_ amount: Double) { level -= amount }
}
