import Foundation

/// The clocks of the SDK, each for what it is good for.
enum Clocks {
  /// Wall clock, milliseconds since 1970: what an event says about when it happened. May jump either way.
  static func millisecondsSince1970() -> Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds on a clock that never jumps and goes on while the device sleeps: for how long something took.
  static func continuousMilliseconds() -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
    let clock = CLOCK_MONOTONIC_RAW
    #else
    let clock = CLOCK_BOOTTIME
    #endif
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds on a clock that never jumps and stands still while the device sleeps: for how long somebody has been
  /// kept waiting.
  static func uptimeMilliseconds() -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
    let clock = CLOCK_UPTIME_RAW
    #else
    let clock = CLOCK_MONOTONIC
    #endif
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  /// The same in nanoseconds: for how long something short took.
  static func uptimeNanoseconds() -> UInt64 {
    var time = timespec()
    #if canImport(Darwin)
    let clock = CLOCK_UPTIME_RAW
    #else
    let clock = CLOCK_MONOTONIC
    #endif
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  /// Milliseconds on a clock that never jumps, behind by some of them, and read in a few nanoseconds: for what happens often.
  static func approximateMilliseconds() -> Int {
    var time = timespec()
    #if canImport(Darwin)
    let clock = CLOCK_MONOTONIC_RAW_APPROX
    #else
    let clock = CLOCK_MONOTONIC_COARSE
    #endif
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
