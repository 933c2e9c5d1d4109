#if canImport(UIKit) && !os(watchOS)
import AutoMobileSDK
import Foundation

extension ScreenCapture {
  /// Capture of this app's windows. `screenName` tells the name of the screen that is shown.
  package static func live(screenName: @escaping @MainActor () -> String? = { nil }) -> ScreenCapture {
    ScreenCapture(
      source: UIKitScreen(screenName: screenName), codec: PictureCodecs.system, timers: MainTimers(), clock: .system)
  }
}
#endif
