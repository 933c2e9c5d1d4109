import AutoMobileRecorder
import AutoMobileSupport

#if canImport(UIKit) && !os(watchOS)
/// Reports the screens of a UIKit app to the shared SDK, while it is enabled.
package final class ScreensSubsystem: Sendable {
  static let shared = ScreensSubsystem { AutoMobileSDK.shared.notifyNavigationEvent($0) }

  private let report: @Sendable (NavigationEvent) -> Void
  private let enabled = Locked(false)

  init(report: @escaping @Sendable (NavigationEvent) -> Void) { self.report = report }

  var isEnabled: Bool { enabled.withLock { $0 } }

  func setEnabled(_ enabled: Bool, _ host: SubsystemHost? = nil) {
    // Under the lock, so that of two callers the later one has its way. It only posts to the main queue.
    self.enabled.withLock { current in
      current = enabled
      if let host, enabled { UIKitScreens.begin(host.currentScreen, report) } else { UIKitScreens.end() }
    }
  }
}

extension SdkEnvironment.Subsystem {
  static func screens(_ screens: ScreensSubsystem) -> Self {
    Self(
      name: .screens, setEnabled: { screens.setEnabled($0, $1) }, isEnabled: { screens.isEnabled },
      reset: { screens.setEnabled(false) })
  }
}
#endif
