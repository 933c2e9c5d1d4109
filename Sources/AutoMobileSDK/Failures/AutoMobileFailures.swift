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
  }

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

  func start(_ host: SubsystemHost) {
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

  /// Records errors, or does nothing with them.
  func setEnabled(_ enabled: Bool) { state.withLock { $0.isEnabled = enabled } }

  var isEnabled: Bool { state.withLock { $0.isEnabled } }

  func reset() {
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
  /// error. Durable when it returns.
  ///
  /// - Parameters:
  ///   - error: any error. Its description is asked for on this thread.
  ///   - message: what the app has to say about it.
  ///   - currentScreen: the screen, when the app knows better than its last navigation.
  @inline(never)
  public func recordHandledException(_ error: any Error, message: String? = nil, currentScreen: String? = nil) {
    let (buffer, screen, context, bundleId) = state.withLock {
      ($0.isEnabled ? $0.buffer : nil, $0.currentScreen, $0.context, $0.bundleId)
    }
    guard let buffer else { return }
    guard buffer.isRecording else { return buffer.record(Failure.unheard) }
    let addresses = CallerStack.addresses(skipping: 1)
    let failure = Failure(
      error, message: message, screen: currentScreen ?? screen?.name, bundleId: bundleId,
      appVersion: context?.appVersion, addresses: addresses)
    buffer.record(failure.event(images.current(for: addresses)))
    let old = state.withLock { $0.recent.append(failure) }
    withExtendedLifetime(old) {}
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
