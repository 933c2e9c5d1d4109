import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Notices when the main thread hangs, and records what it was doing.
///
/// A thread of its own asks the main queue a question in every ``pollIntervalMs``. When there is no answer within
/// ``hangThresholdMs``, it takes samples of the main thread's stack until there is one, and then records one
/// `SdkHangEvent` with the duration: from the question to its answer, so up to one interval less than the whole. An app
/// that is killed meanwhile has its event in the next launch. A hang of five seconds and more is marked as one at which
/// people give up (`report.anr`).
///
/// What stops the whole process is no hang: a debugger, the system that suspends an app or sleeps. A program whose main
/// queue has never been served, such as a command-line tool without a run loop, has none either.
///
/// Monitoring begins with the SDK's initialization, unless `AutoMobileConfiguration.subsystems` is without
/// `AutoMobileSubsystems.hangs`.
public final class AutoMobileHangs: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state` and `freezes`.
  public static let shared = AutoMobileHangs()

  private struct State {
    var thresholdMs = 2000.0
    var pollIntervalMs = 500.0
    var isMonitoring = false
    var bundleId = ""
    var buffer: SdkEventBuffer?
    var currentScreen: CurrentScreen?
    var watch: Watch?
  }

  /// A watchdog, and the buffer that it records for.
  private struct Watch {
    let watchdog: HangWatchdog
    let buffer: SdkEventBuffer
  }

  private let state = Locked(State())
  private let freezes = FreezeObservers()

  init() {}

  /// How long the main thread has to be silent for a hang, in milliseconds. 20 to 3 600 000; takes effect at once.
  public var hangThresholdMs: Double {
    get { state.withLock { $0.thresholdMs } }
    set { change { $0.thresholdMs = newValue } }
  }

  /// From one question to the next, in milliseconds. 10 to 60 000; takes effect at once.
  public var pollIntervalMs: Double {
    get { state.withLock { $0.pollIntervalMs } }
    set { change { $0.pollIntervalMs = newValue } }
  }

  /// Begins to watch the main thread. Any thread; does nothing while it is watched.
  public func startMonitoring() { change { $0.isMonitoring = true } }

  /// Watches no more. A hang that is going on is recorded with the time that it has lasted until now.
  public func stopMonitoring() { change { $0.isMonitoring = false } }

  /// Whether the main thread is watched, or will be as soon as the SDK is initialized.
  public var isMonitoring: Bool { state.withLock { $0.isMonitoring } }

  /// The main queue has answered: from now on its silence means something.
  var isServed: Bool { state.withLock { $0.watch }?.watchdog.isServed ?? false }

  func initialize(bundleId: String?, buffer: SdkEventBuffer) {
    change {
      $0.bundleId = bundleId ?? ""
      $0.buffer = buffer
    }
  }

  /// Also tells of the hangs in which earlier launches ended.
  func initialize(_ host: SubsystemHost) {
    let unfinished = UnfinishedHangs(journal: host.journal, buffer: host.buffer)
    host.earlierLaunches.add(.hangs) { unfinished.tell(of: $0) }
    change {
      $0.bundleId = host.bundleId ?? ""
      $0.buffer = host.buffer
      $0.currentScreen = host.currentScreen
    }
  }

  func reset() {
    change {
      let watch = $0.watch
      $0 = State()
      // Ended by what follows.
      $0.watch = watch
    }
  }

  // MARK: For session replay

  /// Calls `observer` when a hang passes five seconds, and when it is over. The main thread is watched for that as long
  /// as there is an observer, with one question in two seconds when hangs are not monitored.
  package func observeFreezes(_ observer: @escaping FreezeObservers.Observer) -> FreezeObservation {
    let number = freezes.add(observer)
    change { _ in }
    return FreezeObservation { [weak self] in
      self?.freezes.remove(number)
      self?.change { _ in }
    }
  }

  // MARK: The watch

  /// Changes the state, and brings the watch into line with it. To begin one takes a moment, and is done in the background.
  private func change(_ body: (inout State) -> Void) {
    // What was there before is released outside the lock.
    let (buffer, screen, isWatching, mayWatch) = state.withLock { state in
      let (buffer, screen) = (state.buffer, state.currentScreen)
      body(&state)
      return (buffer, screen, state.watch != nil, state.buffer != nil)
    }
    if isWatching { align() } else if mayWatch { BackgroundQueue.run { [weak self] in self?.align() } }
    withExtendedLifetime((buffer, screen)) {}
  }

  private func align() {
    let before = state.withLock { state in
      let before = state.watch
      let isWanted = state.isMonitoring || !freezes.isEmpty
      if let watch = before, isWanted, watch.buffer === state.buffer {
        watch.watchdog.noteSettings()
      } else {
        before?.watchdog.stop()
        state.watch = isWanted ? state.buffer.map { Watch(watchdog: watchdog(state, $0), buffer: $0) } : nil
        state.watch?.watchdog.start()
      }
      return before
    }
    withExtendedLifetime(before) {}
  }

  private func watchdog(_ state: State, _ buffer: SdkEventBuffer) -> HangWatchdog {
    let reporter = HangReporter(
      bundleId: state.bundleId, buffer: buffer, currentScreen: state.currentScreen, freezes: freezes)
    let probe = MainQueueProbe()
    return HangWatchdog(probe: probe, sampler: MainThreadSampler(probe), reporter: reporter) {
      [weak self, weak buffer] in
      guard let buffer, buffer.isRecording else { return nil }
      return self?.settings
    }
  }

  private var settings: HangSettings {
    let (settings, isMonitoring) = state.withLock {
      (HangSettings(thresholdMs: $0.thresholdMs, pollIntervalMs: $0.pollIntervalMs), $0.isMonitoring)
    }
    guard isMonitoring else { return .replay }
    return freezes.isEmpty ? settings : settings.combined(with: .replay)
  }
}

/// Ends the observation of freezes when it is cancelled or released.
package final class FreezeObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
