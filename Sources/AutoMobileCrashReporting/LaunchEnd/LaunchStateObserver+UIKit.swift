#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import Foundation
import UIKit

/// Tells a ``LaunchStateWriter`` what `UIApplication` announces.
final class LaunchStateObserver: Sendable {
  private let observations: NotificationObservations

  init(_ writer: LaunchStateWriter, center: NotificationCenter = .default) {
    let observations = NotificationObservations(center)
    self.observations = observations
    func on(_ name: Notification.Name, _ body: @escaping @Sendable (LaunchStateWriter) -> Void) {
      observations.add(name, at: .applicationState) { [weak writer] in writer.map(body) }
    }
    on(UIApplication.didBecomeActiveNotification) { $0.note(stage: .active) }
    on(UIApplication.willResignActiveNotification) { $0.note(stage: .inactive) }
    on(UIApplication.willEnterForegroundNotification) { $0.note(stage: .inactive) }
    on(UIApplication.didEnterBackgroundNotification) { $0.note(stage: .background) }
    on(UIApplication.willTerminateNotification) { $0.note(exit: .announced) }
    // Whoever starts the SDK late has missed the notification.
    DispatchQueue.main.async { [weak writer] in
      ErrorBarrier.run(.applicationState) {
        if SharedApplication.current?.applicationState == .active { writer?.note(stage: .active) }
      }
    }
  }
}
#endif
