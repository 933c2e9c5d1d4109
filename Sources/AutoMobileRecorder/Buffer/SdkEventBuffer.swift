import AutoMobileJournal

/// Where events go in: the SDK's own stands on the journal and keeps nothing; one that is built with `onFlush` keeps
/// the events as objects until that closure takes them.
///
/// Safe from any thread. The closure is called by one thread at a time, and never while a lock is held.
public final class SdkEventBuffer: EventBuffering, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: there is no state beside `storage`, which is constant.
  private enum Storage {
    case objects(EventObjectQueue)
    case journal(EventRecorder)
  }
  private let storage: Storage

  /// A buffer that keeps objects.
  ///
  /// - Parameters:
  ///   - maxBufferSize: events after which a flush happens, on a queue of the buffer's own. While the closure is busy,
  ///     eight times as many are kept; then the oldest are dropped and counted as ``DropReason/bufferOverflow``.
  ///   - flushIntervalMs: the timer's interval in milliseconds; it runs between ``start()`` and ``stop()``.
  ///   - timerFactory: makes the timer.
  ///   - dropCounter: told of every event that is lost.
  ///   - onFlush: takes the events. When it throws, they are lost and counted as ``DropReason/flushError``.
  public init(
    maxBufferSize: Int = 50, flushIntervalMs: Int = 500,
    timerFactory: @escaping () -> any TimerScheduling = { GCDTimer() }, dropCounter: (any DropCounting)? = nil,
    onFlush: @escaping @Sendable ([any SdkEvent]) throws -> Void
  ) {
    storage = .objects(
      EventObjectQueue(
        flushCount: maxBufferSize, flushIntervalMs: flushIntervalMs, timerFactory: timerFactory, drops: dropCounter,
        onFlush: onFlush))
  }

  /// The SDK's own.
  init(recorder: EventRecorder) { storage = .journal(recorder) }

  public var isBufferEnabled: Bool {
    get {
      switch storage {
      case .objects(let queue): return queue.isEnabled
      case .journal(let recorder): return recorder.isEnabled
      }
    }
    set {
      switch storage {
      case .objects(let queue): queue.isEnabled = newValue
      case .journal(let recorder): recorder.onSwitch(.enabled(newValue))
      }
    }
  }

  public func add(_ event: any SdkEvent) { record(event) }

  /// The same as ``add(_:)`` without the box around the event.
  @inline(__always)
  public func record<E: SdkEvent>(_ event: E) {
    switch storage {
    case .objects(let queue): queue.add(event)
    case .journal(let recorder): recorder.record(event)
    }
  }

  /// Records an event that belongs to an earlier launch, under the context that held there. Durable when it returns.
  /// Reads the disk: not for the caller's thread.
  ///
  /// - Parameter contextId: the number of that context; the launch's last one when nil.
  package func record(_ event: some SdkEvent, of launch: LaunchID, contextId: UInt64? = nil) {
    switch storage {
    case .objects(let queue): queue.add(event)
    case .journal(let recorder): recorder.record(event, of: launch, contextId: contextId)
    }
  }

  /// Writes an event for the next launch only: it is neither counted nor delivered.
  package func keep(_ event: some SdkEvent, as kind: RecordKind) {
    if case .journal(let recorder) = storage { recorder.keep(event, as: kind) }
  }

  /// Counts an event that could not even be tried.
  package func lose(_ reason: LossReason) {
    if case .journal(let recorder) = storage { recorder.journal.countLoss(reason) }
  }

  /// The JSON of an event as it would stand in the journal now; nil when none of its type would be recorded.
  package func json(of event: some SdkEvent) -> [UInt8]? {
    if case .journal(let recorder) = storage { return recorder.json(of: event) }
    return nil
  }

  /// Whether events are recorded now, and not only counted.
  package var isRecording: Bool {
    switch storage {
    case .objects(let queue): return queue.isEnabled
    case .journal(let recorder): return recorder.isRecording
    }
  }

  /// Writes JSON for the next launch only.
  package func keep(_ json: [UInt8], as kind: RecordKind) {
    if case .journal(let recorder) = storage { recorder.keep(json, as: kind) }
  }

  public func start() {
    switch storage {
    case .objects(let queue): queue.start()
    case .journal(let recorder): recorder.setFlushing(true)
    }
  }

  public func stop() {
    switch storage {
    case .objects(let queue): queue.stop()
    case .journal(let recorder): recorder.setFlushing(false)
    }
  }

  /// Passes on what is there. An object buffer calls its closure on this thread, before it returns, unless another
  /// thread is at it already; the SDK's own has it done in the background.
  public func flush() {
    switch storage {
    case .objects(let queue): queue.flush()
    case .journal(let recorder): recorder.flush()
    }
  }

  public func shutdown() {
    switch storage {
    case .objects(let queue): queue.shutdown()
    case .journal(let recorder): recorder.onSwitch(.shutdown)
    }
  }
}
