import AutoMobileJournal
import AutoMobileSupport

/// The path that every event takes: checks, encoding, journal. No lock, no allocation, no I/O.
///
/// Every call counts as recorded in the journal's ledger, and either its event is in the journal when the call returns,
/// or the reason why not has been counted.
package final class EventRecorder: Sendable {
  private enum Flag {
    /// The app switched recording off.
    static let disabled: UInt64 = 1
    static let shutDown: UInt64 = 2
    static let processed: UInt64 = 4
    /// The collector switched recording off.
    static let switchedOff: UInt64 = 8
    /// The session is not among those that are recorded.
    static let sampledOut: UInt64 = 16
    /// Somebody looks at breadcrumbs.
    static let trailProcessed: UInt64 = 32
    /// The user has not allowed it.
    static let denied: UInt64 = 64
    static let off = disabled | switchedOff | denied
  }

  let journal: Journal
  private let flags = AtomicWord()
  /// Called with each event that nobody has allowed, on the thread that records it: so it does next to nothing.
  let onDenied = Locked<(@Sendable () -> Void)?>(nil)
  /// Whoever has everything else follow what the app says to the buffer; nil: nobody.
  let owner = Locked<(@Sendable (BufferSwitch) -> Void)?>(nil)
  private let context: ContextWriter
  private let scheduler: FlushScheduler
  private let processors: EventProcessors

  init(journal: Journal, context: ContextWriter, scheduler: FlushScheduler, processors: EventProcessors) {
    self.journal = journal
    self.context = context
    self.scheduler = scheduler
    self.processors = processors
  }

  /// Records an event. Durable when it returns: the bytes are in the journal's mapping. Any thread; returns at once.
  @inline(__always)
  package func record<E: SdkEvent>(_ event: E) {
    guard flags.value == 0 else {
      recordWithFlags(event)
      return
    }
    append(event, as: Self.kind(of: event.eventType))
  }

  /// Records an event that belongs to an earlier launch, which it names, and whose context it carries in full.
  @discardableResult
  package func record(_ event: some SdkEvent, of launch: LaunchID, in context: ContextExpander.Members) -> RecordOutcome
  {
    record(event, ofLaunch: launch, in: context)
  }

  /// - Parameter launch: nil: what the event is about, it says itself.
  func record(_ event: some SdkEvent, ofLaunch launch: LaunchID?, in context: ContextExpander.Members) -> RecordOutcome
  {
    let flags = flags.value
    if flags & Flag.shutDown != 0 {
      journal.countLoss(.shutdown)
      return .off
    }
    if flags & Flag.off != 0 {
      journal.countLoss(.disabled)
      return .off
    }
    guard let processed = processors.process(event) else {
      journal.countLoss(.filtered)
      return .unwanted
    }
    return append(processed, ofLaunch: launch, in: context)
  }

  /// Records an event, for somebody who has to know what became of it.
  func outcome(ofRecording event: some SdkEvent) -> RecordOutcome {
    recordWithFlags(event)
  }

  /// Writes an event for the next launch only: it is neither counted nor delivered.
  func keep(_ event: some SdkEvent, as kind: RecordKind) {
    guard isRecording else { return }
    _ = try? withEncodedEvent(event, contextId: context.currentId) { journal.append(kind, $0) }
  }

  /// The JSON of an event as it would stand in the journal now; nil when none of its type would be recorded.
  func json(of event: some SdkEvent) -> [UInt8]? {
    guard isRecording, !isSampledOut || event.eventType == .crash else { return nil }
    return try? withEncodedEvent(event, contextId: context.currentId) { Array($0) }
  }

  /// Whether events are recorded now, and not only counted.
  var isRecording: Bool { flags.value & (Flag.off | Flag.shutDown) == 0 }

  /// Writes JSON for the next launch only.
  func keep(_ json: [UInt8], as kind: RecordKind) {
    _ = json.withUnsafeBytes { journal.append(kind, $0) }
  }

  /// A breadcrumb is no event, and counted as none.
  func record(_ breadcrumb: Breadcrumb) {
    let flags = flags.value
    guard flags & (Flag.off | Flag.shutDown) == 0 else { return }
    guard flags & Flag.trailProcessed != 0 else { return append(breadcrumb) }
    if let processed = processors.process(breadcrumb) { append(processed) }
  }

  private func append(_ breadcrumb: Breadcrumb) {
    _ = try? withJSONObject { json in
      breadcrumb.encodeFields(into: &json)
    } body: { bytes in
      journal.append(.breadcrumb, bytes)
    }
  }

  /// Whether recording is switched on. Setting it is the app's word only; see ``isAllowed``.
  var isEnabled: Bool {
    get { flags.value & Flag.off == 0 }
    set {
      switchOff(Flag.disabled, !newValue)
    }
  }

  /// What the app says to the buffer is said to the SDK.
  func onSwitch(_ said: BufferSwitch) {
    if let owner = owner.withLock({ $0 }) { return owner(said) }
    switch said {
    case .enabled(let enabled): isEnabled = enabled
    case .shutdown: shutdown()
    }
  }

  /// The app's word, and its user's.
  var isWanted: Bool { flags.value & (Flag.disabled | Flag.denied) == 0 }

  /// The user's word, beside the app's.
  var isDenied: Bool {
    get { flags.value & Flag.denied != 0 }
    set {
      switchOff(Flag.denied, newValue)
    }
  }

  /// The collector's word, beside the app's: only when both say yes is anything recorded.
  var isAllowed: Bool {
    get { flags.value & Flag.switchedOff == 0 }
    set {
      switchOff(Flag.switchedOff, !newValue)
    }
  }

  private func switchOff(_ flag: UInt64, _ off: Bool) {
    // What the app has said meanwhile holds for the first event, and is not written down before there may be one.
    if !off, flags.value & Flag.off & ~flag == 0 { context.goOn() }
    guard flags.set(flag, off) else { return }
    if flags.value & Flag.off != 0 { context.rest() } else { context.goOn() }
    scheduler.setRunning(isEnabled && !isShutDown)
  }

  /// The session is not recorded, but for crashes. What the app calls a breadcrumb is kept, for their sake.
  var isSampledOut: Bool {
    get { flags.value & Flag.sampledOut != 0 }
    set { flags.set(Flag.sampledOut, newValue) }
  }

  var isShutDown: Bool { flags.value & Flag.shutDown != 0 }

  /// What comes from now on is counted as ``DropReason/shutdown``; what is there is flushed.
  ///
  /// - Returns: false when that had happened before.
  @discardableResult
  func shutdown() -> Bool {
    guard flags.set(Flag.shutDown, true) else { return false }
    scheduler.setRunning(false)
    scheduler.flush()
    return true
  }

  /// Stops or resumes the timer and the flush at capacity, not the recording.
  func setFlushing(_ flushing: Bool) { scheduler.setRunning(flushing && isEnabled && !isShutDown) }

  func flush() { scheduler.flush() }

  /// There may be processors now: from here on every event and every breadcrumb goes through them.
  func noteProcessors() {
    if !processors.isEmpty { flags.set(Flag.processed, true) }
    if processors.seesBreadcrumbs { flags.set(Flag.trailProcessed, true) }
  }

  @inline(__always) @discardableResult
  private func append<E: SdkEvent>(_ event: E, as kind: RecordKind) -> RecordOutcome {
    do {
      let position = try withEncodedEvent(event, contextId: context.currentId) { bytes in
        journal.append(kind, bytes)
      }
      guard position != nil else { return .failed }
      scheduler.noteEvent()
      return .recorded
    } catch {
      lose(error)
      return .unwanted
    }
  }

  private func append(
    _ event: some SdkEvent, ofLaunch launch: LaunchID?, in context: ContextExpander.Members
  ) -> RecordOutcome {
    do {
      let position = try withJSONObject { json in
        event.encodeFields(into: &json)
        json.member("ofLaunch", launch?.description)
        if !context.json.isEmpty {
          context.json.withUnsafeBytes { json.raw($0) }
          json.comma()
        }
      } body: { bytes in
        // Never a breadcrumb: what happened there is on no way of this launch's.
        journal.append(.event, bytes)
      }
      guard position != nil else { return .failed }
      scheduler.noteEvent()
      return .recorded
    } catch {
      lose(error)
      return .unwanted
    }
  }

  /// Once for all types of events: it is not the usual way, and three kilobytes for each.
  @_semantics("optimize.sil.specialize.generic.never") @inline(never) @discardableResult
  private func recordWithFlags(_ event: some SdkEvent) -> RecordOutcome {
    let flags = flags.value
    if flags & Flag.shutDown != 0 { return lose(.shutdown, .off) }
    if flags & Flag.off != 0 {
      // Another process may have heard a yes. Nothing else of this one asks: it observes nothing, and flushes nothing.
      if flags & Flag.denied != 0 { onDenied.withLock { $0 }?() }
      return lose(.disabled, .off)
    }
    if flags & Flag.sampledOut != 0, event.eventType != .crash { return lose(.sampledOut, .unwanted) }
    guard let processed = processors.process(event) else { return lose(.filtered, .unwanted) }
    guard flags & Flag.trailProcessed != 0, Self.kind(of: processed.eventType) == .eventAndBreadcrumb else {
      return append(processed, as: Self.kind(of: processed.eventType))
    }
    let trail = processors.trail(of: processed)
    let outcome = append(processed, as: Self.kind(of: trail))
    if case .breadcrumb(let breadcrumb) = trail { append(breadcrumb) }
    return outcome
  }

  private func lose(_ reason: LossReason, _ outcome: RecordOutcome) -> RecordOutcome {
    journal.countLoss(reason)
    return outcome
  }

  @inline(never)
  private func lose(_ error: any Error) {
    journal.countLoss(error as? EventEncodingError == .tooLarge ? .rejected : .flushError)
  }

  /// Whether an event is a breadcrumb as it stands, once processors have looked at it as one.
  private static func kind(of trail: EventProcessors.Trail) -> RecordKind {
    if case .event = trail { return .eventAndBreadcrumb }
    return .event
  }

  /// Navigation, taps, lifecycle, what the system announces, actions of notifications, requests and logs are breadcrumbs as
  /// they are.
  @inline(__always)
  private static func kind(of type: SdkEventType) -> RecordKind {
    switch type {
    case .navigation, .interaction, .lifecycle, .broadcast, .notificationAction, .networkRequest, .log:
      return .eventAndBreadcrumb
    case .handledException, .crash, .hang, .webSocketFrame, .custom, .viewBodySnapshot, .storageChanged, .span,
      .sessionSummary:
      return .event
    }
  }
}

/// What an app may say to the SDK's own buffer.
enum BufferSwitch: Sendable {
  case enabled(Bool), shutdown
}

/// What became of an event.
package enum RecordOutcome: Sendable {
  /// It is in the journal.
  case recorded
  /// It never will be: a processor dropped it, or it cannot be written.
  case unwanted
  /// Recording is switched off.
  case off
  /// There is no room at the moment.
  case failed
}

extension AtomicWord {
  /// Sets or clears bits, without disturbing others that change at the same time; whether that changed anything.
  @discardableResult
  fileprivate func set(_ bits: UInt64, _ on: Bool) -> Bool {
    while true {
      let old = value
      let new = on ? old | bits : old & ~bits
      if old == new { return false }
      if exchange(old, for: new) { return true }
    }
  }
}
