import AutoMobileSupport
import Dispatch

/// Events kept as objects until a closure takes them: what stands behind an ``SdkEventBuffer`` that was built with
/// `onFlush`.
///
/// At most one drain runs at a time, and no lock is held while it calls the closure: whoever flushes meanwhile leaves
/// the work to the drain that is running, so the closure may use the buffer itself.
final class EventObjectQueue: @unchecked Sendable {
  // Unchecked, because the documented timer factory is not `@Sendable`: it is only called, never changed, and what it
  // captures is the caller's. All else is constant or in `state`.

  typealias Flush = @Sendable ([any SdkEvent]) throws -> Void

  private struct State {
    var events = RingBuffer<any SdkEvent>(capacity: 1)
    var timer: BarredTimer?
    var isEnabled = true
    var isShutDown = false
    /// The closure is being called.
    var isDraining = false
    /// A drain at capacity is on its way.
    var isDrainScheduled = false
  }

  private let state: Locked<State>
  private let flushCount: Int
  private let flushIntervalMs: Int
  private let timerFactory: () -> any TimerScheduling
  private let drops: (any DropCounting)?
  private let onFlush: Flush
  private let queue = BackgroundQueue.make("buffer")

  /// Batches' worth of events that are kept while the closure is busy; then the oldest are dropped.
  static let batchesKept = 8

  init(
    flushCount: Int, flushIntervalMs: Int, timerFactory: @escaping () -> any TimerScheduling,
    drops: (any DropCounting)?, onFlush: @escaping Flush
  ) {
    self.flushCount = max(1, flushCount)
    self.flushIntervalMs = max(1, flushIntervalMs)
    self.timerFactory = timerFactory
    self.drops = drops
    self.onFlush = onFlush
    let (kept, overflow) = self.flushCount.multipliedReportingOverflow(by: Self.batchesKept)
    var initial = State()
    initial.events = RingBuffer(capacity: overflow ? .max : kept)
    state = Locked(initial)
  }

  var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  func add(_ event: any SdkEvent) {
    enum Outcome { case kept, full, dropped(DropReason) }
    let outcome = state.withLock { state -> Outcome in
      if state.isShutDown { return .dropped(.shutdown) }
      if !state.isEnabled { return .dropped(.disabled) }
      let overwrote = state.events.append(event) != nil
      if overwrote { return .dropped(.bufferOverflow) }
      guard state.events.count >= flushCount, !state.isDraining, !state.isDrainScheduled else { return .kept }
      state.isDrainScheduled = true
      return .full
    }
    switch outcome {
    case .kept: break
    case .full: queue.async { self.flush() }
    case .dropped(let reason): countLoss(reason)
    }
  }

  func start() {
    guard state.withLock({ !$0.isShutDown && $0.timer == nil }) else { return }
    let timer = BarredTimer(timerFactory)
    let started = state.withLock { state in
      guard !state.isShutDown, state.timer == nil else { return false }
      state.timer = timer
      return true
    }
    guard started else { return }
    timer.schedule(intervalMs: flushIntervalMs) { [weak self] in self?.flush() }
    if state.withLock({ $0.timer !== timer }) { timer.cancel() }
  }

  func stop() { takeTimer()?.cancel() }

  func shutdown() {
    state.withLock { $0.isShutDown = true }
    stop()
    flush()
  }

  /// Passes on all that is there, on the calling thread, unless somebody else is at it already.
  func flush() {
    while let events = nextBatch() {
      let didFlush = ErrorBarrier.run(.flush, or: false) { (try? onFlush(events)) != nil }
      if !didFlush { countLoss(.flushError, events.count) }
      state.withLock { $0.isDraining = false }
    }
  }

  private func countLoss(_ reason: DropReason, _ count: Int = 1) {
    guard let drops else { return }
    ErrorBarrier.run(.dropCounter) { drops.increment(reason, count: count) }
  }

  private func nextBatch() -> [any SdkEvent]? {
    state.withLock { state in
      guard !state.isDraining, !state.events.isEmpty else { return nil }
      state.isDraining = true
      state.isDrainScheduled = false
      return state.events.removeAll()
    }
  }

  private func takeTimer() -> BarredTimer? {
    state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }
  }
}
