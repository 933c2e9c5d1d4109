#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AutoMobileRecorder
import AppKit

/// Where the app is, as `NSApplication` announces it. A Mac's application has no background: hidden is the nearest to it.
final class ApplicationStageSource: OsEventSource {
  private let observations: NotificationObservations

  init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    for (name, stage) in [
      (NSApplication.didBecomeActiveNotification, ApplicationStage.foreground),
      (NSApplication.didResignActiveNotification, .inactive),
      (NSApplication.didHideNotification, .background),
      (NSApplication.willTerminateNotification, .terminated),
    ] {
      observations.add(name, at: .applicationState) { onSignal(.application(stage)) }
    }
    DispatchQueue.main.async {
      ErrorBarrier.run(.applicationState) {
        // A command-line tool has none, until it asks for one.
        guard let application = NSApp else { return }
        if application.isActive { onSignal(.application(.foreground)) }
      }
    }
  }

  func stop() { observations.end() }
}
#endif
