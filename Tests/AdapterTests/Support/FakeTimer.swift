import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A timer that fires when the test says so.
final class FakeTimer: TimerScheduling {
  private let block = Locked<(@Sendable () -> Void)?>(nil)

  func schedule(intervalMs: Int, block: @escaping @Sendable () -> Void) { self.block.withLock { $0 = block } }
  func cancel() { block.withLock { $0 = nil } }

  /// One interval passes.
  func fire() { block.withLock { $0 }?() }
}
