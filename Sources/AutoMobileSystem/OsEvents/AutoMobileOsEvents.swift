import AutoMobileRecorder
import AutoMobileSupport

/// Records what the operating system says of the app and of the device: foreground and background, battery, brightness of
/// the screen, network. Each as an `SdkLifecycleEvent`, and so as a breadcrumb:
///
/// | `state` | when | `details` |
/// |---|---|---|
/// | `foreground` | the app became active, or was when recording began | `lowPowerMode`, `thermalState` |
/// | `inactive` | an alert, Control Center, the way to the home screen | the same |
/// | `background` | the app left the screen, or was launched without | the same |
/// | `terminated` | the system ends the app, and lets it know | the same |
/// | `battery` | level or charging changed | `level` (0–100), `charging` (`unplugged`, `charging`, `full`), and the same |
/// | `brightness` | the screen became brighter or darker | `level` (0–100) |
/// | `connectivity` | the network changed; once when recording begins | `status` (`satisfied`, `unsatisfied`, `requires_connection`), `transport` (`wifi`, `cellular`, `wired`, `loopback`, `other`, `none`), `isExpensive`, `isConstrained`, `reason` when there is none |
///
/// `lowPowerMode` is `true` or `false`, `thermalState` one of `nominal`, `fair`, `serious`, `critical`; both are left out where
/// the system has none. A state that has not changed is not told again. Of battery and brightness there is at most one event a
/// second, with the last value.
///
/// Battery monitoring is switched on as long as this is, if nobody else had done so. These events are not the lifecycle events
/// `Application Opened` and so on, which are custom events for analytics. Any thread.
public final class AutoMobileOsEvents: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which has a lock.
  public static let shared = AutoMobileOsEvents()

  private struct State {
    var bundleId: String?
    var buffer: SdkEventBuffer?
    var isEnabled = false
    var tracker: OsEventTracker?
  }

  private let state = Locked(State())
  private let makeSources: @Sendable () -> [any OsEventSource]
  private let makeTimer: @Sendable () -> any TimerScheduling
  private let power: @Sendable () -> PowerState

  init(
    makeSources: @escaping @Sendable () -> [any OsEventSource] = { OsEventSources.system },
    makeTimer: @escaping @Sendable () -> any TimerScheduling = { GCDTimer() },
    power: @escaping @Sendable () -> PowerState = { .current }
  ) {
    self.makeSources = makeSources
    self.makeTimer = makeTimer
    self.power = power
  }

  /// Records into `buffer` from now on.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) {
    start(bundleId: bundleId, buffer: buffer)
    setEnabled(true)
  }

  /// Where events go. Observes nothing yet.
  package func start(bundleId: String?, buffer: SdkEventBuffer) {
    change {
      $0.bundleId = bundleId
      $0.buffer = buffer
    }
  }

  var isEnabled: Bool { state.withLock { $0.isEnabled } }

  package func setEnabled(_ enabled: Bool) { change { $0.isEnabled = enabled } }

  /// Observes nothing any more, and lets go of the buffer.
  func shutdown() { reset() }

  func reset() {
    change {
      $0.bundleId = nil
      $0.buffer = nil
      $0.isEnabled = false
    }
  }

  /// Changes the state, and brings the tracker into line with it.
  private func change(_ body: (inout State) -> Void) {
    let (old, new) = state.withLock { state -> (OsEventTracker?, OsEventTracker?) in
      let before = state
      body(&state)
      guard state.isEnabled != before.isEnabled || state.buffer !== before.buffer else { return (nil, nil) }
      state.tracker = state.isEnabled ? state.buffer.map { tracker($0, state.bundleId) } : nil
      return (before.tracker, state.tracker)
    }
    // Outside the lock: sources call the system.
    old?.stop()
    new?.start()
  }

  private func tracker(_ buffer: SdkEventBuffer, _ bundleId: String?) -> OsEventTracker {
    OsEventTracker(makeSources: makeSources, makeTimer: makeTimer, power: power) { [weak buffer] signal, details in
      buffer?.record(SdkLifecycleEvent(state: signal.state, bundleId: bundleId, details: details))
    }
  }
}
