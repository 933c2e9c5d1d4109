import CAutoMobile
import Dispatch

/// Keeps what a crash handler must not find out by itself up to date: which images are loaded, and what the app calls
/// the screen that it is on.
final class CrashUpkeep: Sendable {
  private static let intervalMs = 1000

  private let queue = BackgroundQueue.make("crashes")
  private let timer: any TimerScheduling = GCDTimer()
  private let screenProvider = Locked<(@Sendable () -> String?)?>(nil)
  /// Lives as long as the handler may look at it.
  private let screen: CurrentScreen

  init(screen: CurrentScreen) { self.screen = screen }

  deinit { timer.cancel() }

  /// Makes the lane, and all that a handler would meet for the first time, off the caller's thread.
  ///
  /// - Parameter onFailure: called, on the queue, with the reason why there is no lane.
  func start(onFailure: @escaping @Sendable (Int32) -> Void) {
    queue.async { [weak self] in
      let code = CrashLaneFile.open()
      guard code == 0 else { return onFailure(code) }
      am_crash_lane_touch()
      am_crash_images_refresh()
      #if !canImport(Darwin)
      // Apple's loader tells by itself what it loads.
      self?.startTimer()
      #endif
    }
  }

  private func startTimer() {
    timer.schedule(intervalMs: Self.intervalMs) { [weak self] in self?.refreshSoon() }
  }

  func setScreenProvider(_ provider: (@Sendable () -> String?)?) {
    let before = screenProvider.withLock { current in
      defer { current = provider }
      return current
    }
    if provider == nil, before != nil { queue.async { am_crash_set_screen(nil) } }
    if provider != nil {
      queue.async { [weak self] in self?.noteScreen() }
      startTimer()
    }
    withExtendedLifetime(before) {}
  }

  private func refreshSoon() { queue.async { [weak self] in self?.refresh() } }

  private func refresh() {
    am_crash_images_refresh()
    noteScreen()
  }

  private func noteScreen() {
    guard let provider = screenProvider.withLock({ $0 }) else { return }
    am_crash_set_screen(ErrorBarrier.run(.currentScreenProvider, or: nil, provider))
  }
}
