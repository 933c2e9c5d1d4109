import CAutoMobile
import Foundation

/// The clocks of the SDK, each for what it is good for. One that cannot be read stands at 0.
package enum Clocks {
  /// Wall clock, milliseconds since 1970: what an event says about when it happened. May jump either way.
  package static func millisecondsSince1970() -> Int64 { am_wall_now() }

  /// Milliseconds on a clock that never jumps and goes on while the device sleeps: for how long something took.
  package static func continuousMilliseconds() -> Int64 {
    #if canImport(Darwin)
    milliseconds(of: CLOCK_MONOTONIC_RAW)
    #else
    milliseconds(of: CLOCK_BOOTTIME)
    #endif
  }

  /// Milliseconds on a clock that never jumps and stands still while the device sleeps: for how long somebody has been
  /// kept waiting.
  package static func uptimeMilliseconds() -> Int64 { milliseconds(of: uptime) }

  /// The same in nanoseconds: for how long something short took.
  package static func uptimeNanoseconds() -> UInt64 {
    let time = read(uptime)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  /// Milliseconds on a clock that never jumps, behind by some of them, and read in a few nanoseconds: for what happens often.
  package static func approximateMilliseconds() -> Int {
    #if canImport(Darwin)
    let time = read(CLOCK_MONOTONIC_RAW_APPROX)
    #else
    let time = read(CLOCK_MONOTONIC_COARSE)
    #endif
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  @inline(__always)
  private static var uptime: clockid_t {
    #if canImport(Darwin)
    CLOCK_UPTIME_RAW
    #else
    CLOCK_MONOTONIC
    #endif
  }

  @inline(__always)
  private static func milliseconds(of clock: clockid_t) -> Int64 {
    let time = read(clock)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  @inline(__always)
  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    return clock_gettime(clock, &time) == 0 ? time : timespec()
  }
}
