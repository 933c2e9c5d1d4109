import Dispatch

/// Decides when what has been recorded is passed on: as soon as `capacity` events have come, or when the first of them
/// has waited for one interval. While nothing is recorded, nothing runs.
///
/// Noting an event is one atomic add; every `capacity` events, and at the first after a flush, a Dispatch source is
/// nudged, which neither blocks nor allocates.
final class FlushScheduler: @unchecked Sendable {
  // Unchecked, because a Dispatch source is not declared `Sendable`, though it may be used from any thread, and because
  // the timer factory is not: it is called once, by `init`. `isArmed` and `isRunning` belong to `queue`.

  private let pending = AtomicWord()
  private let capacity: UInt64
  private let intervalMs: Int
  private let timer: any TimerScheduling
  private let onFlush: @Sendable () -> Void
  private let source: any DispatchSourceUserDataAdd
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.flush", qos: .utility)
  private var isArmed = false
  private var isRunning = true

  /// - Parameter onFlush: called on a queue of the scheduler's own, one call at a time.
  init(
    capacity: Int, intervalMs: Int, timerFactory: () -> any TimerScheduling, onFlush: @escaping @Sendable () -> Void
  ) {
    self.capacity = UInt64(max(1, capacity))
    self.intervalMs = max(1, intervalMs)
    self.onFlush = onFlush
    timer = timerFactory()
    source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { [weak self] in self?.look() }
    source.activate()
  }

  deinit {
    source.cancel()
    timer.cancel()
  }

  /// An event has been recorded.
  @inline(__always)
  func noteEvent() {
    let before = pending.add(1)
    if before == 0 || before &+ 1 == capacity { source.add(data: 1) }
  }

  /// Flushes soon, on the scheduler's queue, whether or not there is anything new.
  func flush() { queue.async { [weak self] in self?.perform() } }

  /// Stops or resumes the timer and the flush at capacity. An explicit ``flush()`` works always.
  func setRunning(_ running: Bool) {
    queue.async { [weak self] in
      guard let self else { return }
      isRunning = running
      running ? look() : disarm()
    }
  }

  private func look() {
    guard isRunning else { return }
    let count = pending.value
    if count >= capacity {
      perform()
    } else if count > 0, !isArmed {
      isArmed = true
      timer.schedule(intervalMs: intervalMs) { [weak self] in self?.timerFired() }
    }
  }

  private func timerFired() {
    queue.async { [weak self] in
      // A call that was on its way when the timer was cancelled finds it disarmed.
      guard let self, isArmed else { return }
      perform()
    }
  }

  private func perform() {
    disarm()
    // Only what was seen is taken off, before the flush: what comes during it waits for the next.
    let seen = pending.value
    let before = pending.add(0 &- seen)
    onFlush()
    if before != seen { look() }
  }

  private func disarm() {
    guard isArmed else { return }
    isArmed = false
    timer.cancel()
  }
}
