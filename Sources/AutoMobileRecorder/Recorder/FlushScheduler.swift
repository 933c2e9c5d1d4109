import AutoMobileSupport
import CAutoMobile
import Dispatch

/// Decides when what has been recorded is passed on: as soon as about `capacity` events have come, but not again within
/// ``breather``, and once in every interval in which something came. While nothing is recorded, nothing runs.
///
/// Noting an event neither blocks nor allocates, and threads that do it rarely touch the same memory: a thread adds its events to
/// the common count several at a time, and nudges the queue, through a Dispatch source, only when that would not look by itself. It
/// does while the timer ticks, and at the end of a breather.
///
/// **Why no nudge is missing.** Whether the queue will look by itself stands in the same word as what it will look for: ticking
/// beside news, breathing beside the count. All changes of one word, by whatever thread, have one order, and each change knows the
/// value that it found. A thread's news come before the timer's rest in that order, and then the rest finds them; or after it, and
/// then the thread finds the timer at rest, and nudges. So with the count and the end of a breather. Two words would need a full
/// fence on either side.
///
/// A thread whose event comes while there is news already changes nothing, so nothing says that its event can be read by the flush
/// that takes that news away. For this one the timer ticks on: it runs since before the news were taken, and rests only after an
/// interval without any, with a last flush.
final class FlushScheduler: @unchecked Sendable {
  // Unchecked, because a Dispatch source is not declared `Sendable`, though it may be used from any thread.
  // `isRunning` belongs to `queue`; the rest is constant or atomic.

  /// ``hasNews`` and ``ticks``. Threads set the first; everything else is the queue's to do.
  private let state = AtomicWord()
  /// Something was recorded since the last flush.
  private static let hasNews: UInt64 = 1
  /// The timer runs.
  private static let ticks: UInt64 = 2
  /// Events since the last flush, as far as the threads have told, a multiple of `stride`; and ``breathes``.
  private let pending = AtomicWord()
  /// A flush at capacity has just been. More than any capacity, so that nobody reaches one meanwhile.
  private static let breathes: UInt64 = 1 << 63
  /// How many events a thread tells of at once: a power of two, much less than the capacity.
  private let stride: UInt64
  private let capacity: UInt64
  private let intervalMs: Int
  private let breather: DispatchTimeInterval
  private let timer: any TimerScheduling
  private let onFlush: @Sendable () -> Void
  private let source: any DispatchSourceUserDataAdd
  private let queue = BackgroundQueue.make("flush")
  private var isRunning = true
  /// How often threads have nudged the queue.
  let nudges = AtomicWord()

  /// In a storm of events, each flush would wake a thread after every few microseconds, at the recorders' expense.
  static let breather = DispatchTimeInterval.milliseconds(10)

  /// - Parameter onFlush: called on a queue of the scheduler's own, one call at a time.
  init(
    capacity: Int, intervalMs: Int, breather: DispatchTimeInterval = FlushScheduler.breather,
    timerFactory: () -> any TimerScheduling, onFlush: @escaping @Sendable () -> Void
  ) {
    let capacity = UInt64(max(1, capacity))
    var stride: UInt64 = 1
    while stride < 16, stride &* 16 <= capacity { stride &*= 2 }
    self.stride = stride
    // Of `capacity` events of one thread, this many are told of for certain.
    self.capacity = capacity / max(1, stride) &* stride
    self.intervalMs = max(1, intervalMs)
    self.breather = breather
    self.onFlush = onFlush
    timer = timerFactory()
    source = DispatchSource.makeUserDataAddSource(queue: queue)
    // A work item: the closure's way in asks for the conformances of an option set, for which a process that starts waits.
    source.setEventHandler(handler: DispatchWorkItem { [weak self] in OwnWork.run { self?.nudged() } })
    source.activate()
  }

  deinit {
    source.cancel()
    timer.cancel()
  }

  /// An event has been recorded.
  @inline(__always)
  func noteEvent() {
    if state.value & Self.hasNews == 0 { noteNews() }
    guard UInt64(am_thread_tick()) & (stride &- 1) == 0 else { return }
    let before = pending.add(stride)
    if before < capacity, before &+ stride >= capacity { source.add(data: 1) }
  }

  /// The first event since a flush.
  @inline(never)
  private func noteNews() {
    var before = state.value
    // Again only when somebody else has changed the word meanwhile.
    while before & Self.hasNews == 0 {
      if state.exchange(before, for: before | Self.hasNews) {
        if before & Self.ticks == 0 { source.add(data: 1) }
        return
      }
      before = state.value
    }
  }

  /// Flushes soon, on the scheduler's queue, whether or not there is anything new.
  func flush() {
    queue.async { [weak self] in
      self?.startTicking()
      self?.perform()
    }
  }

  /// Stops or resumes the timer and the flush at capacity. An explicit ``flush()`` works always.
  func setRunning(_ running: Bool) {
    queue.async { [weak self] in
      guard let self else { return }
      isRunning = running
      running ? look() : rest()
    }
  }

  private func nudged() {
    nudges.add(UInt64(clamping: source.data))
    look()
  }

  private func look() {
    guard isRunning else { return }
    startTicking()
    let told = pending.value
    if told >= capacity, told < Self.breathes {
      pending.add(Self.breathes)
      perform()
      breathe()
    }
  }

  private func breathe() {
    queue.asyncAfter(deadline: .now() + breather) { [weak self] in
      guard let self else { return }
      // Added twice, it is gone.
      pending.add(Self.breathes)
      look()
    }
  }

  private func startTicking() {
    guard isRunning, state.value & (Self.hasNews | Self.ticks) == Self.hasNews else { return }
    state.add(Self.ticks)
    timer.schedule(intervalMs: intervalMs) { [weak self] in self?.tick() }
  }

  private func tick() {
    queue.async { [weak self] in
      // A call that was on its way when the timer was cancelled finds it at rest.
      guard let self, state.value & Self.ticks != 0 else { return }
      if state.value & Self.hasNews == 0 { rest() }
      perform()
    }
  }

  private func perform() {
    // Before the flush: what comes during it is news for the next one. Only the queue takes news away, so they are still there.
    if state.value & Self.hasNews != 0 { state.add(0 &- Self.hasNews) }
    // Only what was seen is taken off.
    pending.add(0 &- (pending.value & ~Self.breathes))
    onFlush()
  }

  private func rest() {
    guard state.value & Self.ticks != 0 else { return }
    timer.cancel()
    let before = state.add(0 &- Self.ticks)
    // Whose news came at the last moment has not nudged.
    if before & Self.hasNews != 0 { look() }
  }
}
