import AutoMobileSupport
import Foundation

/// The SDK, from the app's side.
///
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app")
///     AutoMobileSDK.shared.trackEvent(name: "purchase", properties: ["plan": "pro"])
///
/// Every method may be called from any thread, before `initialize(bundleId:configuration:)` as well as after; none
/// throws, waits for I/O or for a lock that I/O can hold. What goes wrong inside is counted and told by
/// ``diagnostics``.
///
/// What is said before is kept in memory, with its time, and holds from initialization on, in its order: events, breadcrumbs,
/// user and tags, addresses that opened the app. At most 256 events and breadcrumbs with 128 KiB together, and 256 of the others;
/// what is over is counted as ``DropReason/notInitialized``.
public final class AutoMobileSDK: AutoMobileAPI, @unchecked Sendable {
  // Unchecked, because the compiler cannot see what `recorder` points to. It is set under `state`'s lock, to the
  // recorder of a runtime that `runtimes` keeps for as long as this object lives, so whoever loads it may use it.

  /// For app code.
  public static let shared = AutoMobileSDK()

  struct State {
    enum Phase { case idle, initializing, initialized, off }
    var phase = Phase.idle
    /// The one in use.
    var runtime: SdkRuntime?
    /// All there have been: more than one only after ``reset()``.
    var runtimes: [SdkRuntime] = []
    /// Also what the app asked for before initialization.
    var isEnabled = true
    /// What the app has said about consent in this launch.
    var consent: Consent?
    var lastError: String?
    /// Why the SDK stays off in this process.
    var offReason: String?
    /// What is left of it then.
    var off: SdkThatStaysOff?
    /// What it has to be told of what was said before initialization; as bounded as ``EarlyCalls``.
    var toTellOff: [@Sendable (SdkThatStaysOff) -> Void] = []
    /// Who waits for a decision that was said while the SDK was initialized on another thread.
    var awaitConsent: [@Sendable () -> Void] = []
    /// What the app has switched on and off.
    var switches = SubsystemSwitches()

    /// The switches, as the app has set them until now.
    func apply(to runtime: SdkRuntime) {
      runtime.recorder.isEnabled = isEnabled
      if let consent, consent != runtime.consent.current { runtime.setConsent(consent) }
      runtime.setWanted(switches)
    }
  }

  let state = Locked(State())
  let navigationListeners = NavigationListeners()
  let processors = EventProcessors()
  let observers = BatchObservers()
  let currentScreen = CurrentScreen()
  let earlyCalls = EarlyCalls()
  let launchEndAnnouncement = LaunchEndAnnouncement()
  package let presenceObservers = PresenceObservers()
  package let uploadObservers = PresenceObservers()
  package let erasers = Erasers()
  /// The recorder in use, for the paths that may not take a lock; 0 when there is none.
  private let recorderSlot = AtomicWord()
  private let makeEnvironment: @Sendable () -> SdkEnvironment

  /// - Parameter makeEnvironment: called by ``initialize(bundleId:configuration:integrations:)``.
  init(environment makeEnvironment: @escaping @Sendable () -> SdkEnvironment = { .live() }) {
    self.makeEnvironment = makeEnvironment
  }

  // MARK: Life

  /// Starts the SDK with the modules that an app has chosen. Does nothing when it has been started.
  ///
  /// An app that imports `AutoMobileSDK` has them all, and calls `initialize(bundleId:configuration:)`.
  ///
  /// - Parameters:
  ///   - bundleId: the main bundle's when nil.
  ///   - configuration: what is recorded, where it is kept, and where it goes.
  ///   - integrations: what is recorded beside what the app records itself; see ``AutoMobileIntegration``.
  public func initialize(
    bundleId: String? = nil, configuration: AutoMobileConfiguration = .default, integrations: [AutoMobileIntegration]
  ) {
    let isFirst = state.withLock { state in
      guard state.phase == .idle else { return false }
      state.phase = .initializing
      return true
    }
    guard isFirst else { return }
    OwnWork.run { BackgroundQueue.hold { begin(bundleId, configuration, integrations) } }
    settleConsent()
    if configuration.waitsForCrashAtLaunch { runtime?.waitForCrashAtLaunch() }
  }

  private func begin(
    _ bundleId: String?, _ configuration: AutoMobileConfiguration, _ integrations: [AutoMobileIntegration]
  ) {
    var environment = makeEnvironment()
    if environment.takesIntegrations { environment.add(integrations) }
    let place = RecordingPlace(bundleId: bundleId, configuration: configuration, environment: environment)
    let (isEnabled, said) = state.withLock { ($0.isEnabled, $0.consent) }
    let consent = ConsentKeeper(
      ConsentFile(place, configuration.storage), said: said, configured: configuration.consent)
    // Whoever does nothing cannot die of it, and leaves no file that says so.
    let crashLoopGuard = isEnabled && consent.current != .denied ? CrashLoopGuard(place, environment) : nil
    if let crashLoopGuard, crashLoopGuard.mode == .off, let reason = crashLoopGuard.reason {
      return stayOff(reason, SdkThatStaysOff(place, environment, consent: consent, erasers: erasers))
    }
    let runtime: SdkRuntime
    do {
      runtime = try SdkRuntime(
        place: place, configuration: configuration, environment: environment, processors: processors,
        observers: observers, currentScreen: currentScreen, crashLoopGuard: crashLoopGuard,
        launchEndAnnouncement: launchEndAnnouncement,
        presenceObservers: presenceObservers, uploadObservers: uploadObservers, erasers: erasers, consent: consent,
        isEnabled: isEnabled)
    } catch {
      crashLoopGuard?.abandon()
      state.withLock { state in
        state.phase = .idle
        state.lastError = "initialize: \(error)"
      }
      return
    }
    guard install(runtime) else { return runtime.shutdown() }
    // After the recorder can be seen, so that a processor that is added right now is noticed by one side or the other.
    runtime.recorder.noteProcessors()
    tellOff()
    earlyCalls.credit(runtime.recorder)
    runtime.start()
  }

  /// Says to the runtime what has been said before there was one, and has everybody else see it then.
  ///
  /// - Returns: false when a reset has come in between.
  private func install(_ runtime: SdkRuntime) -> Bool {
    state.withLock { state in
      state.runtimes.append(runtime)
      state.apply(to: runtime)
    }
    runtime.recorder.noteProcessors()
    while true {
      earlyCalls.tell(self, runtime)
      let isCurrent = state.withLock { state -> Bool? in
        guard state.phase == .initializing else { return false }
        // Somebody was quicker: first things first.
        guard earlyCalls.close() else { return nil }
        state.phase = .initialized
        state.runtime = runtime
        // From here on it is said to the runtime.
        state.apply(to: runtime)
        recorderSlot.store(UInt64(UInt(bitPattern: Unmanaged.passUnretained(runtime.recorder).toOpaque())))
        return true
      }
      if let isCurrent { return isCurrent }
    }
  }

  /// This process records nothing; calls return at once.
  private func stayOff(_ reason: String, _ off: SdkThatStaysOff) {
    state.withLock { state in
      guard state.phase == .initializing else { return }
      state.phase = .off
      state.off = off
      state.offReason = reason
      // It may have been said since the decision was looked at; and nobody has written down what was said before.
      if let consent = state.consent, consent != off.consent || off.isUnkept { off.setConsent(consent) {} }
    }
    earlyCalls.giveUp()
    tellOff()
    launchEndAnnouncement.decide(nil)
  }

  public var isInitialized: Bool { runtime != nil }

  /// Whether recording is switched on, as it is unless ``setEnabled(_:)`` said otherwise.
  public var isEnabled: Bool { state.withLock { $0.runtime?.recorder.isEnabled ?? $0.isEnabled } }

  /// Whether anything may be observed and kept at this moment: on, and not shut down. Before initialization as the app has said.
  package var isObserving: Bool { state.withLock { $0.runtime?.recorder.isRecording ?? $0.isEnabled } }

  /// Switches the SDK off or on, also before initialization. Returns at once.
  ///
  /// While it is off, events are counted as ``DropReason/disabled``; nothing is observed, nothing new is kept, and nothing is
  /// sent, neither what was recorded before nor a question for a configuration. Off before `initialize(bundleId:configuration:)`,
  /// it makes no file and no ``anonymousId`` before it is switched on.
  public func setEnabled(_ enabled: Bool) {
    state.withLock { state in
      state.isEnabled = enabled
      // Under the lock, so that of two callers the later one has its way. It only sets a flag and posts to a queue.
      state.runtime?.setEnabled(enabled)
    }
  }

  /// Ends recording for the rest of the process: what is there is still delivered, what comes is counted as
  /// ``DropReason/shutdown``. Returns at once. There is no need to call it: nothing is lost when the process just ends.
  public func shutdown() { runtime?.shutdown() }

  /// Ends recording as ``shutdown()`` does, and returns when what there is has been delivered, at the latest after 5 s.
  ///
  ///     await AutoMobileSDK.shared.shutdownAndDeliver()
  ///     exit(0)
  ///
  /// For programs that end by themselves and may not come back soon: command-line tools, tests, some extensions. What
  /// cannot be delivered in that time is kept for the next launch, as always.
  public func shutdownAndDeliver() async {
    guard let runtime else { return }
    for subsystem in runtime.subsystems { await subsystem.settle() }
    await withCheckedContinuation { continuation in runtime.shutdown { continuation.resume() } }
  }

  /// For tests: as if the process had just started.
  func reset() {
    let runtime = state.withLock { state in
      defer {
        state.runtime = nil
        state.phase = .idle
        state.isEnabled = true
        state.consent = nil
        state.lastError = nil
        state.offReason = nil
        state.off = nil
        state.toTellOff = []
        state.switches = SubsystemSwitches()
      }
      recorderSlot.store(0)
      return state.runtime
    }
    runtime?.reset()
    navigationListeners.removeAll()
    processors.removeAll()
    observers.removeAll()
    currentScreen.reset()
    earlyCalls.reset()
    launchEndAnnouncement.reset()
  }

  // MARK: What there is

  public var configuration: AutoMobileConfiguration? { runtime?.configuration }
  public var bundleId: String? { runtime?.bundleId }
  public var sdkContext: SdkContext? { runtime?.context }
  public var dropCounter: (any DropCounting)? { runtime?.drops }
  /// The buffer that every probe records into.
  public func getEventBuffer() -> SdkEventBuffer? { runtime?.buffer }

  var runtime: SdkRuntime? { state.withLock { $0.runtime } }

  /// Calls `body` with the recorder in use, if there is one: without a lock, and without counting references, since
  /// threads that count on one object slow each other down.
  @inline(__always)
  func withRecorder(_ body: (EventRecorder) -> Void) {
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(recorderSlot.value)) else { return }
    Unmanaged<EventRecorder>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
  }

  /// The same for a call that records something: `early` is called instead while there is no recorder.
  @inline(__always)
  func withRecorder(_ body: (EventRecorder) -> Void, before early: () -> Void) {
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(recorderSlot.value)) else { return early() }
    Unmanaged<EventRecorder>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
  }
}
