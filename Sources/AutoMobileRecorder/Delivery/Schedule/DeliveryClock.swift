import Dispatch

/// The time as delivery sees it; tests have one of their own.
struct DeliveryClock: Sendable {
  /// Milliseconds on a clock that never goes back.
  var now: @Sendable () -> Int64
  /// Milliseconds since 1970.
  var wall: @Sendable () -> Int64
  /// Runs a block on a queue after some milliseconds.
  var after: @Sendable (_ milliseconds: Int64, _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) -> Void

  static let system = DeliveryClock(
    now: Clocks.continuousMilliseconds, wall: Clocks.millisecondsSince1970,
    after: { milliseconds, queue, block in
      // Not wall time, which may be set back by a year. After a sleep the next flush finds that the wait is over.
      queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: max(0, milliseconds))), execute: block)
    })
}
