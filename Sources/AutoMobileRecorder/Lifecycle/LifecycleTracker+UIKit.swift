#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// What `UIApplication` says. An app extension has no application, and no lifecycle events.
package final class UIKitLifecycle: ApplicationLifecycle {
  private let observations: NotificationObservations

  package init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  package func start(
    onLaunch: @escaping @Sendable (ApplicationState) -> Void, onSignal: @escaping @Sendable (ApplicationSignal) -> Void
  ) {
    for (name, signal) in [
      (UIApplication.didBecomeActiveNotification, ApplicationSignal.becameActive),
      (UIApplication.didEnterBackgroundNotification, .enteredBackground),
      (UIApplication.willTerminateNotification, .willTerminate),
    ] {
      observations.add(name, at: .applicationState) { onSignal(signal) }
    }
    observations.add(UIApplication.protectedDataDidBecomeAvailableNotification, at: .applicationState) {
      Self.tell(onLaunch)
    }
    Self.tell(onLaunch)
  }

  package func stop() { observations.end() }

  private static func tell(_ onLaunch: @escaping @Sendable (ApplicationState) -> Void) {
    DispatchQueue.main.async {
      ErrorBarrier.run(.applicationState) {
        guard let application = SharedApplication.current, application.isProtectedDataAvailable else { return }
        switch application.applicationState {
        case .active: onLaunch(.active)
        case .inactive: onLaunch(.inactive)
        default: onLaunch(.background)
        }
      }
    }
  }
}
#endif
