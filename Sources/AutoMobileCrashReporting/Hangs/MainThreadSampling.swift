/// What the main thread was doing at one moment.
struct MainThreadSample: Sendable {
  /// The thread's number, as the system knows it.
  var thread: UInt64
  /// Its calls, with names where they are known.
  var stack: UnwoundStack
  /// What the frames' images are.
  var unwinder: StackUnwinder
}

/// Finds out what the main thread is doing, while it hangs with whatever it holds.
protocol MainThreadSampling: AnyObject, Sendable {
  /// Called by the watchdog's thread. Stops the main thread for no longer than a copy of its stack takes, and does
  /// nothing meanwhile that could wait for it.
  ///
  /// - Parameter isFirst: of a hang; images may have come or gone since the last.
  func sample(isFirst: Bool) -> MainThreadSample?
  /// The hang is over: what was opened for it can be closed.
  func finish()
}
