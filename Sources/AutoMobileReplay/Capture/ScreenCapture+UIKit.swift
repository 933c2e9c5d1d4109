#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import Foundation

extension ScreenCapture {
  /// Capture of this app's windows. `screenName` tells the name of the screen that is shown. The rest is what a test or a
  /// benchmark replaces.
  package static func live(
    screenName: @escaping @MainActor () -> String? = { nil }, codec: (any PictureCodec)? = PictureCodecs.system,
    timers: any CaptureTimers = MainTimers(), clock: CaptureClock = .system, queue: DispatchQueue = newQueue()
  ) -> ScreenCapture {
    ScreenCapture(
      source: UIKitScreen(screenName: screenName), codec: codec, timers: timers, clock: clock, queue: queue)
  }
}
#endif
