import Foundation

/// Waits for what blocks on a thread of its own: there are only as many threads for tests as processors, and whoever blocks
/// one of them holds all other tests up.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
