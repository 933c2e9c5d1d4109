/// Takes events from whoever has some to record.
public protocol EventBuffering: AnyObject, Sendable {
  /// While false, events are dropped and counted as ``DropReason/disabled``.
  var isBufferEnabled: Bool { get set }
  /// Takes an event. Returns at once.
  func add(_ event: any SdkEvent)
  /// Starts the timer.
  func start()
  /// Stops the timer; what has been taken stays.
  func stop()
  /// Flushes what is left, and takes nothing more.
  func shutdown()
  /// Passes on what has been taken. Calls nobody when that is nothing.
  func flush()
}
