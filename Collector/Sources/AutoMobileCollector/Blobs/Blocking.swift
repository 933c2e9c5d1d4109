import Foundation
import NIOConcurrencyHelpers

/// Waits for something asynchronous, on a thread of one's own: never on an event loop or one of Swift's threads.
package func waitFor<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  let done = DispatchSemaphore(value: 0)
  let result = NIOLockedValueBox<Swift.Result<Result, any Error>?>(nil)
  Task.detached {
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLockedValue { $0 = outcome }
    done.signal()
  }
  done.wait()
  guard let outcome = result.withLockedValue({ $0 }) else { throw CancellationError() }
  return try outcome.get()
}
