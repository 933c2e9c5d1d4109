/// Turns the clocks of a session into a trace's: microseconds since the session's first event.
///
/// What a trace says has to be in order whatever the device's clock said: nothing before the beginning, and nothing so late that
/// a reader's nanoseconds overflow.
struct TraceClock: Sendable {
  /// In milliseconds since 1970.
  let start: Int64

  /// In microseconds; as nanoseconds this is a number of 64 bits, and as it stands one that JSON's readers have exactly.
  static let latest: Int64 = 9_000_000_000_000_000

  func microseconds(_ milliseconds: Int64) -> Int64 {
    let (since, isTooFar) = milliseconds.subtractingReportingOverflow(start)
    guard !isTooFar, since > 0 else { return isTooFar && milliseconds > 0 ? Self.latest : 0 }
    return since < Self.latest / 1000 ? since * 1000 : Self.latest
  }

  /// Of a duration in milliseconds; none when it is no plausible one.
  static func duration(_ milliseconds: Double?) -> Int64? {
    guard let milliseconds, (0...1e12).contains(milliseconds) else { return nil }
    return Int64((milliseconds * 1000).rounded())
  }

  /// `start` and so long after it, kept within what is allowed.
  static func end(_ start: Int64, _ duration: Int64) -> Int64 { min(start + duration, latest) }
}
