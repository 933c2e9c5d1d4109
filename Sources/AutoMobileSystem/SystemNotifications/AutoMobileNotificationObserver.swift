import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Records what the system announces to every app: another locale or time zone, low-power mode, a memory warning, a significant
/// change of the time, a screenshot. Each as an `SdkBroadcastEvent` with the notification's name, and a breadcrumb.
///
/// Of a notification's `userInfo` only the keys and the types of the values are recorded, never a value. An event is recorded on
/// the thread that posts the notification.
public final class AutoMobileNotificationObserver: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which has a lock.
  public static let shared = AutoMobileNotificationObserver()

  private struct State {
    var buffer: SdkEventBuffer?
    var isEnabled = false
    var observations: NotificationObservations?
  }

  private let state = Locked(State())
  private let names: [Notification.Name]
  private let center: @Sendable () -> NotificationCenter

  init(
    names: [Notification.Name] = SystemNotificationNames.all,
    center: @escaping @Sendable () -> NotificationCenter = { .default }
  ) {
    self.names = names
    self.center = center
  }

  /// Records into `buffer` from now on.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) {
    start(buffer: buffer)
    setEnabled(true)
  }

  /// Where events go. Observes nothing yet.
  func start(buffer: SdkEventBuffer) { change { $0.buffer = buffer } }

  package var isEnabled: Bool { state.withLock { $0.isEnabled } }

  package func setEnabled(_ enabled: Bool) { change { $0.isEnabled = enabled } }

  /// Observes nothing any more, and lets go of the buffer.
  func shutdown() { reset() }

  func reset() {
    change {
      $0.buffer = nil
      $0.isEnabled = false
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let old = state.withLock { state -> NotificationObservations? in
      let before = state
      body(&state)
      guard state.isEnabled != before.isEnabled || state.buffer !== before.buffer else { return nil }
      state.observations = state.isEnabled ? state.buffer.map(observe) : nil
      return before.observations
    }
    old?.end()
  }

  private func observe(_ buffer: SdkEventBuffer) -> NotificationObservations {
    let observations = NotificationObservations(center())
    for name in names {
      // On the thread that posts, so that the event is there before whatever the app does next.
      observations.add(name, at: .systemNotification) { [weak buffer] (notification: Notification) in
        buffer?.record(
          SdkBroadcastEvent(action: name.rawValue, infoKeyTypes: InfoKeyTypes.of(notification.userInfo)))
      }
    }
    return observations
  }
}
