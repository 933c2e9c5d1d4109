#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import Foundation
import UIKit

/// Where the app is, as `UIApplication` announces it. Scenes are not told apart; an extension has no application.
final class ApplicationStageSource: OsEventSource {
  private let observations: NotificationObservations

  init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    for (name, stage) in [
      (UIApplication.didBecomeActiveNotification, ApplicationStage.foreground),
      (UIApplication.willResignActiveNotification, .inactive),
      (UIApplication.didEnterBackgroundNotification, .background),
      (UIApplication.willTerminateNotification, .terminated),
    ] {
      observations.add(name, at: .applicationState) { onSignal(.application(stage)) }
    }
    // Whoever starts late has missed the notification.
    DispatchQueue.main.async {
      ErrorBarrier.run(.applicationState) {
        switch SharedApplication.current?.applicationState {
        case .active: onSignal(.application(.foreground))
        case .background: onSignal(.application(.background))
        default: break
        }
      }
    }
  }

  func stop() { observations.end() }
}
#endif
