import AutoMobileSupport
import CAutoMobile
import Dispatch

/// Decides when what has been recorded is passed on: as soon as about `capacity` events have come, but not again within
/// ``breather``, and once in every interval in which something came. While nothing is recorded, nothing runs.
///
/// Noting an event neither blocks nor allocates, and threads that do it rarely touch the same memory: only the first
/// event after a flush is told at once, by nudging a Dispatch source, and a thread adds its events to the common count
/// several at a time.
final class FlushScheduler: @unchecked Sendable {
  // Unchecked, because a Dispatch source is not declared `Sendable`, though it may be used from any thread.
  // `isTicking`, `isRunning` and `isBreathing` belong to `queue`; the rest is constant or atomic.

  /// 1: something was recorded since the last flush.
  private let news = AtomicWord()
  /// Events since the last flush, as far as the threads have told; a multiple of `stride`.
  private let pending = AtomicWord()
  /// How many events a thread tells of at once: a power of two, much less than the capacity.
  private let stride: UInt64
  private let capacity: UInt64
  private let intervalMs: Int
  private let timer: any TimerScheduling
  private let onFlush: @Sendable () -> Void
  private let source: any DispatchSourceUserDataAdd
  private let queue = BackgroundQueue.make("flush")
  /// The timer runs.
  private var isTicking = false
  private var isRunning = true
  /// A flush at capacity has just been.
  private var isBreathing = false

  /// In a storm of events, each flush would wake a thread after every few microseconds, at the recorders' expense.
  private static let breather = DispatchTimeInterval.milliseconds(10)

  /// - Parameter onFlush: called on a queue of the scheduler's own, one call at a time.
  init(
    capacity: Int, intervalMs: Int, timerFactory: () -> any TimerScheduling, onFlush: @escaping @Sendable () -> Void
  ) {
    let capacity = UInt64(max(1, capacity))
    var stride: UInt64 = 1
    while stride < 16, stride &* 16 <= capacity { stride &*= 2 }
    self.stride = stride
    // Of `capacity` events of one thread, this many are told of for certain.
    self.capacity = capacity / max(1, stride) &* stride
    self.intervalMs = max(1, intervalMs)
    self.onFlush = onFlush
    timer = timerFactory()
    source = DispatchSource.makeUserDataAddSource(queue: queue)
    // A work item: the closure's way in asks for the conformances of an option set, for which a process that starts waits.
    source.setEventHandler(handler: DispatchWorkItem { [weak self] in OwnWork.run { self?.look() } })
    source.activate()
  }

  deinit {
    source.cancel()
    timer.cancel()
  }

  /// An event has been recorded.
  @inline(__always)
  func noteEvent() {
    if news.value == 0, news.exchange(0, for: 1) { source.add(data: 1) }
    guard UInt64(am_thread_tick()) & (stride &- 1) == 0 else { return }
    let before = pending.add(stride)
    if before < capacity, before &+ stride >= capacity { source.add(data: 1) }
  }

  /// Flushes soon, on the scheduler's queue, whether or not there is anything new.
  func flush() { queue.async { [weak self] in self?.perform() } }

  /// Stops or resumes the timer and the flush at capacity. An explicit ``flush()`` works always.
  func setRunning(_ running: Bool) {
    queue.async { [weak self] in
      guard let self else { return }
      isRunning = running
      running ? look() : rest()
    }
  }

  private func look() {
    guard isRunning else { return }
    if pending.value >= capacity, !isBreathing {
      perform()
      breathe()
    }
    if news.value != 0, !isTicking {
      isTicking = true
      timer.schedule(intervalMs: intervalMs) { [weak self] in self?.tick() }
    }
  }

  private func breathe() {
    isBreathing = true
    queue.asyncAfter(deadline: .now() + Self.breather) { [weak self] in
      guard let self else { return }
      isBreathing = false
      look()
    }
  }

  private func tick() {
    queue.async { [weak self] in
      // A call that was on its way when the timer was cancelled finds it at rest.
      guard let self, isTicking else { return }
      // A quiet interval ends with a last flush, too: an event that was being recorded while the one before ran may
      // have been told of before it could be read.
      if news.value == 0 { rest() }
      perform()
    }
  }

  private func perform() {
    // Before the flush: what comes during it is news for the next one.
    news.store(0)
    // Only what was seen is taken off.
    pending.add(0 &- pending.value)
    onFlush()
  }

  private func rest() {
    guard isTicking else { return }
    isTicking = false
    timer.cancel()
  }
}
