import AutoMobileSupport
import Dispatch
import Foundation

/// A ``TimerScheduling`` on a Dispatch source, at utility priority.
///
/// Safe from any thread. It does not keep itself alive: when the last reference goes, the timer stops.
public final class GCDTimer: TimerScheduling, @unchecked Sendable {
  // Unchecked only because a class must say so to keep the documented conformance: all state is in `running`.
  private let running = Locked<Running?>(nil)

  /// Unchecked, because a Dispatch source is not declared `Sendable`, though it may be used from any thread.
  private final class Running: @unchecked Sendable {
    let source: any DispatchSourceTimer
    init(_ source: any DispatchSourceTimer) { self.source = source }
  }

  /// A queue of its own, so that a block that takes its time holds up no other timer.
  private let queue = BackgroundQueue.make("timer")
  /// Longer intervals are cut to this, so that no arithmetic on deadlines overflows: 30 days.
  private static let longestInterval = 30 * 24 * 60 * 60 * 1000

  public init() {}

  deinit { running.withLock { $0 }?.source.cancel() }

  public func schedule(intervalMs: Int, block: @escaping @Sendable () -> Void) {
    let interval = min(max(1, intervalMs), Self.longestInterval)
    let new = DispatchSource.makeTimerSource(queue: queue)
    new.schedule(
      deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval),
      leeway: .milliseconds(interval / 10))
    new.setEventHandler { OwnWork.run(block) }
    let old = running.withLock { running in
      defer { running = Running(new) }
      return running
    }
    old?.source.cancel()
    new.resume()
  }

  public func cancel() {
    let old = running.withLock { running in
      defer { running = nil }
      return running
    }
    old?.source.cancel()
  }
}
