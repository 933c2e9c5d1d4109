#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
#if canImport(AutoMobileErrorBarrier)
import AutoMobileErrorBarrier
#endif
import QuartzCore
import UIKit

/// Has a ``FrameMonitor`` hear of every frame, while the app is in the foreground.
@MainActor final class DisplayFrames {
  private static var current: DisplayFrames?

  private let monitor: FrameMonitor
  private let observations: NotificationObservations
  private var link: DisplayLink?

  private init(_ host: SubsystemHost, center: NotificationCenter = .default) {
    let buffer = host.buffer
    monitor = FrameMonitor(currentScreen: host.currentScreen) { buffer.record($0) }
    observations = NotificationObservations(center)
    observations.add(UIApplication.didEnterBackgroundNotification, at: .displayFrame) {
      MainThread.run { DisplayFrames.current?.pause() }
    }
    // The second for an app with scenes, which may call itself in the background at first.
    for name in [UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification] {
      observations.add(name, at: .displayFrame) { MainThread.run { DisplayFrames.current?.resume() } }
    }
    if SharedApplication.current?.applicationState != .background { resume() }
  }

  /// Begins to watch, soon. Any thread; a second time changes nothing.
  nonisolated static func begin(_ host: SubsystemHost) {
    DispatchQueue.main.async {
      ErrorBarrier.run(.displayFrame) {
        guard current == nil else { return }
        current = DisplayFrames(host)
      }
    }
  }

  /// Watches no more, and tells of the screen until now.
  nonisolated static func end() {
    DispatchQueue.main.async {
      ErrorBarrier.run(.displayFrame) {
        current?.pause()
        current = nil
      }
    }
  }

  private func resume() {
    guard link == nil else { return }
    let monitor = monitor
    link = DisplayLink { time, nominal in monitor.frame(at: time, nominal: nominal) }
  }

  private func pause() {
    link?.end()
    link = nil
    monitor.pause()
  }
}

/// A display link with a closure, in all modes of the main run loop: also while somebody scrolls.
@MainActor final class DisplayLink {
  private let link: CADisplayLink

  /// - Parameter body: called at every frame, with when the last one was shown and how long the next one is to be
  /// shown.
  init(_ body: @escaping @MainActor (_ time: Double, _ nominal: Double) -> Void) {
    link = CADisplayLink(target: Self.target(body), selector: AMBlockTarget.action)
    link.add(to: .main, forMode: .common)
  }

  func end() { link.invalidate() }

  nonisolated private static func target(_ body: @escaping @MainActor (Double, Double) -> Void) -> Any {
    AMBlockTarget { link in
      ErrorBarrier.run(.displayFrame) {
        guard let link = link as? CADisplayLink else { return }
        let (time, nominal) = (link.timestamp, link.targetTimestamp - link.timestamp)
        MainThread.run { body(time, nominal) }
      }
    }
  }
}
#endif
