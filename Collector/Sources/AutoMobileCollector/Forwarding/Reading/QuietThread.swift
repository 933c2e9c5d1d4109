import AutoMobileState
import Foundation

/// A thread that does one thing after another when nothing else wants the processor: reading and encoding what is forwarded must
/// not slow down taking in.
final class QuietThread: @unchecked Sendable {
  // Unchecked because `condition` guards every variable.

  private let condition = NSCondition()
  private var waiting: [@Sendable () -> Void] = []
  private var isStarted = false
  private var isStopping = false
  private var isStopped = false
  private let name: String

  /// - Parameter name: at most 15 characters. The thread begins with the first work.
  init(_ name: String) { self.name = name }

  /// Does it there; returns what it returns.
  ///
  /// - Throws: what `work` throws; `CancellationError` after the end.
  func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = condition.withLock {
        guard !isStopping else { return false }
        if !isStarted {
          isStarted = true
          startThread(name) { [self] in loop() }
        }
        waiting.append { continuation.resume(with: Swift.Result(catching: work)) }
        condition.broadcast()
        return true
      }
      if !isTaken { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Takes nothing more; returns when what waits has been done.
  func stop() {
    condition.lock()
    isStopping = true
    condition.broadcast()
    while isStarted, !isStopped { condition.wait() }
    condition.unlock()
  }

  private func loop() {
    Self.beQuiet()
    while let work = next() { work() }
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isStopping { condition.wait() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  private static func beQuiet() {
    #if os(Linux)
    // There, 0 is the thread that calls, not the process.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    #else
    Thread.current.qualityOfService = .background
    #endif
  }
}
