#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import UIKit

/// Tells a ``LaunchTimer`` when the display shows the app's first frame.
@MainActor final class FirstFrame {
  private static var current: FirstFrame?

  private let timer: LaunchTimer
  private var link: DisplayLink?

  private init(_ timer: LaunchTimer) {
    self.timer = timer
    // The first frame of the link shows what was there before; what the app has drawn since is shown with the next.
    var isFirst = true
    link = DisplayLink { [weak self] _, _ in
      guard SharedApplication.current?.applicationState != .background else { return }
      if !isFirst { self?.shown() }
      isFirst = false
    }
  }

  /// An app with scenes calls itself in the background until the first of them is connected. Longer than this, in
  /// milliseconds, and it is.
  nonisolated static let connectionMs = 1000

  /// Waits for the frame. Any thread.
  ///
  /// - Parameter after: calls a closure later, on the main queue.
  nonisolated static func begin(
    _ timer: LaunchTimer,
    after: @escaping @Sendable (Int, @escaping @MainActor @Sendable () -> Void) -> Void = { milliseconds, body in
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { body() }
    }
  ) {
    DispatchQueue.main.async {
      ErrorBarrier.run(.displayFrame) {
        // An extension has no application, and no launch that anybody looks at.
        guard SharedApplication.current != nil else { return }
        current = FirstFrame(timer)
        after(connectionMs) {
          ErrorBarrier.run(.displayFrame) { current?.noteIfInBackground() }
        }
      }
    }
  }

  /// Waits no more.
  nonisolated static func end() {
    DispatchQueue.main.async {
      ErrorBarrier.run(.displayFrame) { current?.stop() }
    }
  }

  private func noteIfInBackground() {
    guard SharedApplication.current?.applicationState == .background else { return }
    timer.noteBackground()
    stop()
  }

  private func shown() {
    timer.noteFirstFrame()
    stop()
  }

  private func stop() {
    link?.end()
    link = nil
    Self.current = nil
  }
}
#endif
