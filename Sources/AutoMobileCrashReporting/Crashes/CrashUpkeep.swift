import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Dispatch

/// Keeps what a crash handler must not find out by itself up to date: which images are loaded, and what the app calls
/// the screen that it is on.
final class CrashUpkeep: Sendable {
  private static let intervalMs = 1000

  private let queue: DispatchQueue
  private let timer: any TimerScheduling
  private let question: ScreenQuestion
  private let isResting = Locked(false)
  /// The timer runs.
  private let isScheduled = Locked(false)
  /// Lives as long as the handler may look at it.
  private let screen: CurrentScreen

  init(screen: CurrentScreen, timer: any TimerScheduling = GCDTimer()) {
    self.screen = screen
    self.timer = timer
    let queue = BackgroundQueue.make("crashes")
    self.queue = queue
    question = ScreenQuestion { name in queue.async { am_crash_set_screen(name) } }
  }

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
      self?.schedule()
    }
  }

  func setScreenProvider(_ provider: (@Sendable () -> String?)?) {
    question.setProvider(provider)
    question.ask()
    scheduleSoon()
  }

  /// Looks at nothing and asks nobody, or goes on.
  func setResting(_ rests: Bool) {
    isResting.withLock { $0 = rests }
    question.setResting(rests)
    question.ask()
    scheduleSoon()
  }

  /// Not on the thread that initializes: a timer wakes the thread that waits for all timers, or begins it.
  private func scheduleSoon() { queue.async { [weak self] in self?.schedule() } }

  private func schedule() {
    #if canImport(Darwin)
    // The loader tells by itself what it loads.
    let isNeeded = question.isWanted
    #else
    let isNeeded = !isResting.withLock { $0 }
    #endif
    let isChanged = isScheduled.withLock { isScheduled in
      defer { isScheduled = isNeeded }
      return isScheduled != isNeeded
    }
    guard isChanged else { return }
    guard isNeeded else { return timer.cancel() }
    timer.schedule(intervalMs: Self.intervalMs) { [weak self] in self?.refreshSoon() }
  }

  private func refreshSoon() { queue.async { [weak self] in self?.refresh() } }

  private func refresh() {
    am_crash_images_refresh()
    question.ask()
  }
}
