#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import UIKit

extension ScreenQuestion {
  /// Asked on the main thread. What has no application, as an extension, is seen.
  static var isInForeground: Bool {
    var isInForeground = false
    MainThread.run { isInForeground = SharedApplication.current?.applicationState != .background }
    return isInForeground
  }
}
#endif
