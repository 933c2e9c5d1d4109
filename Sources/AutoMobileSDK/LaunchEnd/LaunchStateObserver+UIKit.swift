#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Tells a ``LaunchStateWriter`` what `UIApplication` announces.
final class LaunchStateObserver: Sendable {
  private let tokens: Locked<[any NSObjectProtocol]>
  private let center: NotificationCenter

  init(_ writer: LaunchStateWriter, center: NotificationCenter = .default) {
    self.center = center
    func on(_ name: Notification.Name, _ body: @escaping @Sendable (LaunchStateWriter) -> Void) -> any NSObjectProtocol
    {
      center.addObserver(forName: name, object: nil, queue: nil) { [weak writer] _ in
        ErrorBarrier.run(.applicationState) { writer.map(body) }
      }
    }
    tokens = Locked([
      on(UIApplication.didBecomeActiveNotification) { $0.note(stage: .active) },
      on(UIApplication.willResignActiveNotification) { $0.note(stage: .inactive) },
      on(UIApplication.willEnterForegroundNotification) { $0.note(stage: .inactive) },
      on(UIApplication.didEnterBackgroundNotification) { $0.note(stage: .background) },
      on(UIApplication.willTerminateNotification) { $0.note(exit: .announced) },
    ])
    #if canImport(ObjectiveC)
    // Whoever starts the SDK late has missed the notification.
    DispatchQueue.main.async { [weak writer] in
      ErrorBarrier.run(.applicationState) {
        if ApplicationStateObserver.isActive { writer?.note(stage: .active) }
      }
    }
    #endif
  }

  deinit { tokens.withLock { $0 }.forEach(center.removeObserver) }
}
#endif
