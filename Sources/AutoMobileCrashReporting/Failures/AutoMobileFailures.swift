import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Records errors that the app caught and dealt with.
///
///     do {
///       try basket.checkOut()
///     } catch {
///       AutoMobileFailures.shared.recordHandledException(error, message: "checkout failed, asking again")
///     }
///
/// Any thread. The call takes the caller's stack without names, some tens of microseconds; the collector, or
/// ``getRecentEvents()``, adds the names.
public final class AutoMobileFailures: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state` and `images`.
  public static let shared = AutoMobileFailures()

  private struct State {
    var bundleId: String?
    var buffer: SdkEventBuffer?
    var context: SdkContext?
    var currentScreen: CurrentScreen?
    var recent = RingBuffer<Failure>(capacity: 100)
    var isEnabled = false
    /// What came before initialization.
    var early: [Failure] = []
    var lostEarly: UInt64 = 0
    var keepsEarly = true
  }

  /// So many errors from before initialization are kept.
  static let mostEarly = 32

  private let state = Locked(State())
  private let images = LoadedImages()

  init() {}

  /// - Parameters:
  ///   - context: knows the app's version.
  ///   - currentScreen: asked when the app names no screen.
  func initialize(
    bundleId: String?, buffer: SdkEventBuffer, context: SdkContext? = nil, currentScreen: CurrentScreen? = nil
  ) {
    prepare(bundleId: bundleId, buffer: buffer, context: context, currentScreen: currentScreen)
    setEnabled(true)
  }

  /// The SDK is initialized, and off: what came before is not kept for later.
  package func rest(_ host: SubsystemHost) {
    let early = state.withLock { state in
      defer { (state.early, state.keepsEarly) = ([], false) }
      return state.early
    }
    for _ in early { host.buffer.lose(.disabled) }
    countLostEarly(host)
  }

  private func countLostEarly(_ host: SubsystemHost) {
    let lost = state.withLock { state in
      defer { state.lostEarly = 0 }
      return state.lostEarly
    }
    if lost > 0 { host.journal.countLoss(.notInitialized, lost) }
  }

  package func start(_ host: SubsystemHost) {
    countLostEarly(host)
    prepare(bundleId: host.bundleId, buffer: host.buffer, context: host.context, currentScreen: host.currentScreen)
  }

  private func prepare(
    bundleId: String?, buffer: SdkEventBuffer, context: SdkContext?, currentScreen: CurrentScreen?
  ) {
    state.withLock { state in
      state.bundleId = bundleId
      state.buffer = buffer
      state.context = context
      state.currentScreen = currentScreen
    }
    images.refresh()
    BackgroundQueue.run { CallerStack.prepare() }
  }

  /// Forgets those of this launch, and those that wait.
  func erase() {
    let before = state.withLock { state in
      defer { state.early = [] }
      return (state.early, state.recent.removeAll())
    }
    withExtendedLifetime(before) {}
  }

  /// Records errors, or does nothing with them.
  package func setEnabled(_ enabled: Bool) {
    // What came before initialization is not kept for later by a subsystem that is off.
    let now = state.withLock { state in
      state.isEnabled = enabled
      defer { (state.early, state.keepsEarly) = ([], false) }
      return state
    }
    guard enabled, let buffer = now.buffer else { return }
    for var failure in now.early {
      (failure.bundleId, failure.appVersion) = (now.bundleId ?? "", now.context?.appVersion)
      record(failure, in: buffer)
    }
  }

  package var isEnabled: Bool { state.withLock { $0.isEnabled } }

  package func reset() {
    let before = state.withLock { state in
      let before = state
      state = State()
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Records an error that the app has caught, with the stack of the caller.
  ///
  /// The errors behind it are recorded, too: the underlying errors of an `NSError`, and those among the values of a Swift
  /// error. Durable when it returns; of errors from before initialization the first 32 are recorded then.
  ///
  /// - Parameters:
  ///   - error: any error. Its description is asked for on this thread.
  ///   - message: what the app has to say about it.
  ///   - currentScreen: the screen, when the app knows better than its last navigation.
  @inline(never)
  public func recordHandledException(_ error: any Error, message: String? = nil, currentScreen: String? = nil) {
    guard let listener = listener() else { return }
    let addresses = CallerStack.addresses(skipping: 1)
    listener.take(
      Failure(
        error, message: message, screen: currentScreen ?? listener.screen?.name, fingerprint: nil,
        bundleId: listener.bundleId, appVersion: listener.context?.appVersion, addresses: addresses), self)
  }

  /// Records an error that the app has caught, and says which problem it is: the collector counts all errors of one fingerprint
  /// as one issue, whatever their types, messages and stacks.
  ///
  /// - Parameters:
  ///   - error: any error. Its description is asked for on this thread.
  ///   - message: what the app has to say about it.
  ///   - currentScreen: the screen, when the app knows better than its last navigation.
  ///   - fingerprint: a name of the app's own, the same for what is the same problem: `"payment-declined"`. Only its first 200
  ///     characters count; an empty one is none.
  @inline(never)
  public func recordHandledException(
    _ error: any Error, message: String? = nil, currentScreen: String? = nil, fingerprint: String
  ) {
    guard let listener = listener() else { return }
    let addresses = CallerStack.addresses(skipping: 1)
    listener.take(
      Failure(
        error, message: message, screen: currentScreen ?? listener.screen?.name, fingerprint: fingerprint,
        bundleId: listener.bundleId, appVersion: listener.context?.appVersion, addresses: addresses), self)
  }

  /// What takes an error, at this moment.
  private struct Listener {
    /// nil before initialization.
    var buffer: SdkEventBuffer?
    var screen: CurrentScreen?
    var context: SdkContext?
    var bundleId: String?

    func take(_ failure: Failure, _ failures: AutoMobileFailures) {
      if let buffer { failures.record(failure, in: buffer) } else { failures.keep(failure) }
    }
  }

  /// - Returns: nil when nobody listens; what is recorded while recording is off is counted here.
  private func listener() -> Listener? {
    let (listener, isEarly) = state.withLock {
      (
        Listener(
          buffer: $0.isEnabled ? $0.buffer : nil, screen: $0.currentScreen, context: $0.context, bundleId: $0.bundleId),
        $0.keepsEarly
      )
    }
    guard listener.buffer != nil || isEarly else { return nil }
    if let buffer = listener.buffer, !buffer.isRecording {
      buffer.record(Failure.unheard)
      return nil
    }
    return listener
  }

  private func record(_ failure: Failure, in buffer: SdkEventBuffer) {
    buffer.record(failure.event(images.current(for: failure.addresses)))
    let old = state.withLock { $0.recent.append(failure) }
    withExtendedLifetime(old) {}
  }

  private func keep(_ failure: Failure) {
    let late = state.withLock { state -> SdkEventBuffer? in
      // It may have come meanwhile.
      guard state.keepsEarly else { return state.isEnabled ? state.buffer : nil }
      if state.early.count < Self.mostEarly { state.early.append(failure) } else { state.lostEarly &+= 1 }
      return nil
    }
    if let late { record(failure, in: late) }
  }

  /// The last 100 errors of this launch, oldest first, their stacks with the names of functions. Reads the symbol tables
  /// of the images: not for the main thread.
  public func getRecentEvents() -> [HandledExceptionEvent] {
    let recent = state.withLock { $0.recent.elements }
    guard !recent.isEmpty else { return [] }
    let unwinder = images.current(for: [])
    return recent.map { $0.recentEvent(unwinder) }
  }

  /// Forgets the recent errors. What was recorded stays recorded.
  public func clearEvents() {
    let old = state.withLock { $0.recent.removeAll() }
    withExtendedLifetime(old) {}
  }

  /// How many errors ``getRecentEvents()`` would give: 100 at most.
  public var eventCount: Int { state.withLock { $0.recent.count } }

  /// The device that this process runs on.
  static func currentDeviceInfo() -> SdkDeviceInfo { .current }
}
