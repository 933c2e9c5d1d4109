#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Tells a ``SessionTracking`` about the app's way to the foreground and back, by the process-wide notifications of
/// `UIApplication`. Scenes are not told apart.
final class ApplicationStateObserver: Sendable {
  private let observations: NotificationObservations
  private let tracker: any SessionTracking
  private let onForeground: @Sendable () -> Void
  private let onBackground: @Sendable () -> Void

  init(
    tracker: any SessionTracking, center: NotificationCenter = .default, onForeground: @escaping @Sendable () -> Void,
    onBackground: @escaping @Sendable () -> Void
  ) {
    self.tracker = tracker
    observations = NotificationObservations(center)
    self.onForeground = onForeground
    self.onBackground = onBackground
  }

  func start() {
    observations.add(UIApplication.didBecomeActiveNotification, at: .applicationState) {
      [weak tracker, onForeground] in
      tracker?.onForeground()
      onForeground()
    }
    observations.add(UIApplication.didEnterBackgroundNotification, at: .applicationState) {
      [weak tracker, onBackground] in
      tracker?.onBackground()
      onBackground()
    }
    // Whoever starts the SDK late, after a question of consent for example, has missed the notification.
    DispatchQueue.main.async { [weak tracker, onForeground] in
      ErrorBarrier.run(.applicationState) {
        guard SharedApplication.current?.applicationState == .active else { return }
        tracker?.onForeground()
        onForeground()
      }
    }
  }

  func stop() { observations.end() }
}
#endif
