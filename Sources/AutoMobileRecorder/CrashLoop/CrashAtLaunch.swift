import AutoMobileSupport
import CAutoMobile
import Dispatch

/// After a launch that crashed in its first seconds: has the report made and delivered before all else, and before the app can
/// crash again.
///
/// It is done at the priority of what a user waits for. Should the process crash meanwhile, its crash handler lets the other
/// threads go on until the report is out, two seconds at most (`am_crash_set_awaited`); the thread that initializes is held only
/// if the app wants that.
final class CrashAtLaunch: Sendable {
  /// After this, nobody waits for anything, in milliseconds.
  static let longestMs: Int64 = 10_000
  /// The longest that the thread that initializes is held, in milliseconds.
  static let longestHoldMs = 2000

  private struct State {
    var isOver = false
    var onEnd: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let over = DispatchSemaphore(value: 0)

  /// From here on what the SDK does in the background is urgent.
  ///
  /// - Parameter onEnd: called once when that is over, or has taken too long.
  func prepare(onEnd: @escaping @Sendable () -> Void) {
    state.withLock { $0.onEnd = onEnd }
    BackgroundQueue.hurry(milliseconds: Self.longestMs)
    am_crash_set_awaited(true)
  }

  /// Returns at once.
  ///
  /// - Parameters:
  ///   - look: makes the report, and records its event.
  ///   - deliver: sends what has been recorded, and calls back when the receiver has it or cannot be reached.
  func begin(
    look: @escaping @Sendable () -> Void,
    deliver: @escaping @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  ) {
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      look()
      deliver { [self] in end() }
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(Int(Self.longestMs))) {
      [weak self] in self?.end()
    }
  }

  /// Nothing is to be waited for any more. Any thread; the first call does it.
  func end() {
    let (isFirst, onEnd) = state.withLock { state in
      defer {
        state.isOver = true
        state.onEnd = nil
      }
      return (!state.isOver, state.onEnd)
    }
    guard isFirst else { return }
    am_crash_set_awaited(false)
    BackgroundQueue.hurry(milliseconds: 0)
    over.signal()
    onEnd?()
  }

  /// Holds the calling thread until the report has been delivered, or cannot be, or the time is up.
  func wait() {
    guard over.wait(timeout: .now() + .milliseconds(Self.longestHoldMs)) == .success else { return }
    // For whoever else waits.
    over.signal()
  }
}
