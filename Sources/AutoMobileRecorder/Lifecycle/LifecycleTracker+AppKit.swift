#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit

/// What `NSApplication` says. A Mac's application has no background: hidden is the nearest to it, and one that others are in
/// front of is merely inactive.
package final class AppKitLifecycle: ApplicationLifecycle {
  private let observations: NotificationObservations

  package init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  package func start(
    onLaunch: @escaping @Sendable (ApplicationState) -> Void, onSignal: @escaping @Sendable (ApplicationSignal) -> Void
  ) {
    for (name, signal) in [
      (NSApplication.didBecomeActiveNotification, ApplicationSignal.becameActive),
      (NSApplication.didHideNotification, .enteredBackground),
      (NSApplication.willTerminateNotification, .willTerminate),
    ] {
      observations.add(name, at: .applicationState) { onSignal(signal) }
    }
    DispatchQueue.main.async {
      ErrorBarrier.run(.applicationState) {
        // A command-line tool has none, until it asks for one.
        guard let application = NSApp else { return }
        onLaunch(application.isActive ? .active : application.isHidden ? .background : .inactive)
      }
    }
  }

  package func stop() { observations.end() }
}
#endif
