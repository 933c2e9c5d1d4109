import AutoMobileRecorder
import AutoMobileSupport

/// Measures the launch that the SDK is initialized in.
package final class LaunchTimeSubsystem: Sendable {
  package static let shared = LaunchTimeSubsystem()

  private enum State {
    case idle
    case started(LaunchTimer)
    case enabled
    /// Not wanted: a launch happens once.
    case over
  }
  private let state = Locked(State.idle)

  var isEnabled: Bool {
    if case .enabled = state.withLock({ $0 }) { true } else { false }
  }

  func start(_ host: SubsystemHost) {
    let buffer = host.buffer
    let timer = LaunchTimer { buffer.record($0) }
    state.withLock { $0 = .started(timer) }
  }

  /// Switched on with the initialization, it waits for the first frame; later it is too late.
  func setEnabled(_ enabled: Bool, _ host: SubsystemHost) {
    let timer = state.withLock { state -> LaunchTimer? in
      let before = state
      if !enabled { state = .over }
      guard enabled, case .started(let timer) = before else { return nil }
      state = .enabled
      return timer
    }
    guard enabled else { return stop() }
    if let timer { wait(timer, host) }
  }

  func reset() {
    stop()
    state.withLock { $0 = .idle }
  }

  #if canImport(UIKit) && !os(watchOS)
  private func wait(_ timer: LaunchTimer, _ host: SubsystemHost) { FirstFrame.begin(timer) }
  private func stop() { FirstFrame.end() }
  #else
  // Nobody tells of frames here.
  private func wait(_ timer: LaunchTimer, _ host: SubsystemHost) {
    host.startWork.add("launch time") { timer.noteNoScreen() }
  }
  private func stop() {}
  #endif
}

extension SdkEnvironment.Subsystem {
  static func launchTime(_ launchTime: LaunchTimeSubsystem) -> Self {
    Self(
      name: .launchTime, start: { launchTime.start($0) }, setEnabled: { launchTime.setEnabled($0, $1) },
      isEnabled: { launchTime.isEnabled }, reset: { launchTime.reset() })
  }
}
