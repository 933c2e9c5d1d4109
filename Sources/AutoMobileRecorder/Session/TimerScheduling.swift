/// A repeating timer that can be replaced in tests.
public protocol TimerScheduling: AnyObject, Sendable {
  /// Calls `block` every `intervalMs` milliseconds, the first time after one interval, until ``cancel()``.
  /// Scheduling again replaces what was scheduled before. The block runs on a thread of the timer's choice.
  func schedule(intervalMs: Int, block: @escaping @Sendable () -> Void)

  /// Stops. A call of the block that is already on its way may still arrive.
  func cancel()
}
