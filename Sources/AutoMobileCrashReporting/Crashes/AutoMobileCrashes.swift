import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Dispatch
import Foundation

/// Reports the app's crashes: what happened, on which thread, and where all the others were.
///
/// Exceptions that nobody catches are reported once the SDK is initialized. Signals are reported when the app asks for it,
/// before or after:
///
///     AutoMobileCrashes.shared.enableSignalHandlers([.standard, .trap])
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app")
///
/// The report is written while the app dies and becomes an `SdkCrashEvent` at the next launch, beside the breadcrumbs that
/// led to it. Handlers that were installed before are called in their turn, with what they expect, and the process ends
/// as it would have ended without the SDK. See <doc:CrashLane>.
///
/// Any thread.
public final class AutoMobileCrashes: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which locks.
  public static let shared = AutoMobileCrashes()

  private struct State {
    var isInitialized = false
    var screenProvider: (@Sendable () -> String?)?
    var upkeep: CrashUpkeep?
    var failure: String?
    var previous: PreviousCrashes?
    /// What the app has asked for.
    var signals: CrashSignals = []
    /// Crashes are passed on unreported.
    var isOff = false
    /// This launch's lane has been given up.
    var hasNoLane = false
  }

  private let state = Locked(State())

  private init() {}

  /// Asked on the main thread for the name of the screen that the app is on, which a crash report then names: once a second at most,
  /// while the app is in the foreground and the SDK records, for a crash handler cannot ask. Nil: the screen that was navigated
  /// to last.
  public var currentScreenProvider: (@Sendable () -> String?)? {
    get { state.withLock { $0.screenProvider } }
    set {
      let (before, upkeep) = state.withLock { state in
        defer { state.screenProvider = newValue }
        return (state.screenProvider, state.upkeep)
      }
      upkeep?.setScreenProvider(newValue)
      withExtendedLifetime(before) {}
    }
  }

  public var isInitialized: Bool { state.withLock { $0.isInitialized } }

  /// The crash of an earlier launch that this launch found: its event, with the report. Nil when there was none, and until
  /// its report is made, which takes a fraction of a second after initialization.
  public var previousCrash: SdkCrashEvent? { state.withLock { $0.previous }?.latest }

  /// Why crashes of this launch cannot be reported; nil when they can.
  package var failure: String? { state.withLock { $0.failure } }

  // MARK: Signals

  /// Handles the signals of ``CrashSignals/standard``. Does nothing when it has been done.
  public func enableSignalHandlers() { enableSignalHandlers(.standard) }

  /// Handles signals, besides those that are handled already. Before initialization, what crashes until then is passed on.
  public func enableSignalHandlers(_ signals: CrashSignals) {
    // The lock keeps two callers apart; what is done inside takes microseconds and calls nobody.
    let isOff = state.withLock { state in
      state.signals.formUnion(signals)
      if !state.isOff { Self.install(state.signals) }
      return state.isOff
    }
    guard !isOff else { return }
    am_crash_prepare_threads_to_come()
    // The main thread's stack is the one that most often overflows, and its own thread is the only one to prepare it.
    if !Thread.isMainThread { DispatchQueue.main.async { _ = am_crash_prepare_thread() } }
  }

  private static func install(_ signals: CrashSignals) {
    _ = am_crash_prepare_thread()
    _ = am_crash_signals_enable(signals.rawValue)
    _ = am_crash_mach_enable(signals.rawValue)
  }

  /// Gives the signals back to whoever had them before. A handler that was installed later stays.
  public func disableSignalHandlers() {
    state.withLock { state in
      state.signals = []
      am_crash_signals_disable()
      am_crash_mach_disable()
    }
  }

  /// Gives the calling thread a small stack for signal handlers, so that an overflow of its own stack is reported as well.
  ///
  /// On Apple platforms there is no need to call it: every thread that starts after ``enableSignalHandlers()`` has one.
  /// On Linux the thread that calls that, the main thread and the SDK's own have one; on others, those of Dispatch among
  /// them, an overflow ends the process unreported, as the kernel has no room to call a handler.
  ///
  /// - Returns: whether the thread has such a stack now. It goes when the thread ends.
  @discardableResult
  public func prepareCurrentThread() -> Bool { am_crash_prepare_thread() }

  /// Whether each of ``CrashSignals/standard`` would leave a report now.
  var capturesSignals: Bool {
    state.withLock { state in
      let enabled = CrashSignals(rawValue: am_crash_signals_enable(0))
      return state.isInitialized && state.failure == nil && enabled.isSuperset(of: .standard)
    }
  }

  // MARK: Life

  /// Begins to report exceptions that nobody catches.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) {
    let isFirst = state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
    guard isFirst else { return }
    #if canImport(ObjectiveC)
    UncaughtExceptions.install()
    #endif
    _ = am_crash_terminate_enable()
  }

  /// Reports what crashes, or passes it on as if the SDK were not there.
  func setEnabled(_ enabled: Bool) {
    state.withLock { $0.upkeep }?.setResting(!enabled)
    state.withLock { state in
      guard state.isOff == enabled else { return }
      state.isOff = !enabled
      if enabled {
        _ = am_crash_terminate_enable()
        if !state.signals.isEmpty { Self.install(state.signals) }
      } else {
        am_crash_terminate_disable()
        am_crash_signals_disable()
        am_crash_mach_disable()
      }
    }
    #if canImport(ObjectiveC)
    UncaughtExceptions.setReporting(enabled)
    #endif
  }

  package var isEnabled: Bool { state.withLock { $0.isInitialized && !$0.isOff } }

  /// As above, with a lane for the reports: from here on a crash is told by the next launch.
  package func start(_ host: SubsystemHost) {
    state.withLock { $0.previous = (host.postMortem as? LaunchHistory)?.crashes }
    setupSignalCrashFile(for: host.journal, in: host.directory, screen: host.currentScreen)
    initialize(bundleId: host.bundleId, buffer: host.buffer)
  }

  /// Plans this launch's crash lane, and has it made in the background.
  func setupSignalCrashFile(for journal: Journal, in directory: URL, screen: CurrentScreen) {
    let code = CrashLaneFile.plan(launch: journal.launch, in: directory)
    am_crash_set_navigated(screen.address)
    let upkeep = code == 0 ? CrashUpkeep(screen: screen) : nil
    let (provider, isOff) = state.withLock { state in
      state.upkeep = upkeep
      state.failure = code == 0 ? nil : Self.explanation(code)
      return (state.screenProvider, state.isOff)
    }
    upkeep?.start { [weak upkeep] code in
      self.state.withLock { state in
        // Unless another start has come since.
        if let upkeep, state.upkeep === upkeep { state.failure = Self.explanation(code) }
      }
    }
    if isOff { upkeep?.setResting(true) }
    upkeep?.setScreenProvider(provider)
  }

  /// Has no file for a report any more. Only while crashes are not reported.
  func giveUpLane() {
    let upkeep = state.withLock { state in
      state.hasNoLane = true
      defer { state.upkeep = nil }
      return state.upkeep
    }
    withExtendedLifetime(upkeep) {}
    am_crash_lane_close()
  }

  /// Plans another one after that.
  func restoreLane(_ host: SubsystemHost) {
    let isNeeded = state.withLock { state in
      defer { state.hasNoLane = false }
      return state.hasNoLane
    }
    if isNeeded { setupSignalCrashFile(for: host.journal, in: host.directory, screen: host.currentScreen) }
  }

  private static func explanation(_ code: Int32) -> String {
    StorageError("make the crash lane", code: code).description
  }

  /// For tests: as if nothing had been started.
  func reset() {
    disableSignalHandlers()
    am_crash_terminate_disable()
    am_crash_lane_close()
    am_crash_set_navigated(nil)
    let before = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(before) {}
  }
}
