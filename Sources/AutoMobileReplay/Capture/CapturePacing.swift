import AutoMobileJournal

/// When the next picture is due: at the rate that was asked for, or as much more slowly as the main thread, the
/// battery and the heat want. Times are nanoseconds of a clock that does not jump.
struct CapturePacing: Equatable, Sendable {
  /// How the device is doing.
  struct Conditions: Equatable, Sendable {
    enum Heat: Int, Equatable, Sendable, Comparable {
      case nominal, fair, serious, critical
      static func < (left: Heat, right: Heat) -> Bool { left.rawValue < right.rawValue }
    }

    var heat = Heat.nominal
    var isLowPower = false
    /// Frames of the app's own that came late since the last picture.
    var slowFrames = 0
  }

  /// Of the main thread, pictures may take this part.
  static let share = 0.05
  /// However much a picture costs, one comes in this time, unless the device is too hot.
  static let longestInterval: UInt64 = 10_000_000_000
  private static let fastest = 30.0

  private let baseInterval: UInt64
  private var lastStart: UInt64?
  /// What a picture costs the main thread, as of late.
  private(set) var cost: UInt64 = 0

  /// - Parameter framesPerSecond: cut to what a phone can do; what is no rate is one picture each 10 s.
  init(framesPerSecond: Double) {
    let rate = framesPerSecond.isFinite && framesPerSecond > 0.1 ? min(framesPerSecond, Self.fastest) : 0.1
    baseInterval = UInt64(saturating: 1_000_000_000 / rate)
  }

  /// From one picture to the next; nil: none at all, for now.
  func interval(_ conditions: Conditions) -> UInt64? {
    guard conditions.heat < .critical else { return nil }
    var interval = max(baseInterval, UInt64(saturating: Double(cost) / Self.share))
    if conditions.heat == .serious { interval = interval.multiplied(saturating: 2) }
    if conditions.isLowPower { interval = interval.multiplied(saturating: 2) }
    if conditions.slowFrames > 0 { interval = interval.multiplied(saturating: 2) }
    return min(interval, max(Self.longestInterval, baseInterval))
  }

  func isDue(at now: UInt64, _ conditions: Conditions) -> Bool {
    guard let interval = interval(conditions) else { return false }
    guard let lastStart, now >= lastStart else { return true }
    // Timers are early by a little; a picture more or less exactly on time is on time.
    return now &- lastStart >= interval &- interval / 16
  }

  /// A picture was taken.
  mutating func took(from start: UInt64, to end: UInt64) {
    took(from: start, spending: end >= start ? end &- start : 0)
  }

  /// - Parameter spent: of the main thread, when that did something else meanwhile.
  mutating func took(from start: UInt64, spending spent: UInt64) {
    lastStart = start
    // Rises at once with a picture that cost much, and falls slowly.
    cost = spent > cost ? spent / 2 &+ cost / 2 : cost &- (cost &- spent) / 8
  }
}
