import AutoMobileRecorder
import AutoMobileSupport

/// Puts the times of this process's launch together, and tells them once.
///
/// Begun when the SDK is initialized. In an app with a screen the event comes with the first frame; when the app is in
/// the background by then, at once, and somebody who opens it later has not waited for the launch. Any thread.
final class LaunchTimer: Sendable {
  private enum State {
    case waiting(LaunchTimes)
    case told
  }

  private let state: Locked<State>
  private let processStart: @Sendable () -> Int64?
  private let record: @Sendable (SdkCustomEvent) -> Void

  /// - Parameter processStart: asked when the event is made, because asking the kernel takes time.
  init(
    processStart: @escaping @Sendable () -> Int64? = ProcessBirth.start, main: Int64 = ProcessBirth.main,
    initialize: Int64 = Clocks.continuousMilliseconds(), isPrewarmed: Bool = ProcessBirth.isPrewarmed,
    record: @escaping @Sendable (SdkCustomEvent) -> Void
  ) {
    state = Locked(
      .waiting(LaunchTimes(kind: isPrewarmed ? .prewarmed : .cold, main: main, initialize: initialize)))
    self.processStart = processStart
    self.record = record
  }

  /// The first frame was shown. Later ones change nothing.
  func noteFirstFrame(at time: Int64 = Clocks.continuousMilliseconds()) { tell { $0.firstFrame = time } }

  /// The process runs without a screen that anybody waits for.
  func noteBackground() { tell { $0.kind = .background } }

  /// The process has no screen at all: a tool, a server.
  func noteNoScreen() { tell { _ in } }

  private func tell(_ complete: (inout LaunchTimes) -> Void) {
    var times = state.withLock { state -> LaunchTimes? in
      guard case .waiting(var times) = state else { return nil }
      complete(&times)
      state = .told
      return times
    }
    times?.processStart = processStart()
    if let event = times?.event { record(event) }
  }
}
