import AutoMobileRecorder
import AutoMobileSupport

#if canImport(UIKit) && !os(watchOS)
/// Watches the display's frames, while it is enabled.
package final class FramesSubsystem: Sendable {
  static let shared = FramesSubsystem()

  private let enabled = Locked(false)

  var isEnabled: Bool { enabled.withLock { $0 } }

  func setEnabled(_ enabled: Bool, _ host: SubsystemHost? = nil) {
    // Under the lock, so that of two callers the later one has its way. It only posts to the main queue.
    self.enabled.withLock { current in
      current = enabled
      if let host, enabled { DisplayFrames.begin(host) } else { DisplayFrames.end() }
    }
  }
}

extension SdkEnvironment.Subsystem {
  static func frames(_ frames: FramesSubsystem) -> Self {
    Self(
      name: .frames, setEnabled: { frames.setEnabled($0, $1) }, isEnabled: { frames.isEnabled },
      reset: { frames.setEnabled(false) })
  }
}
#endif
