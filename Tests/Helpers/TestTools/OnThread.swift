import Foundation

/// Waits for what blocks on a thread of its own: there are only as many threads for tests as processors, and whoever blocks
/// one of them holds all other tests up.
public func onThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
    let thread = Thread {
      do throws(Failure) {
        continuation.resume(returning: .success(try body()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
  }
  return try result.get()
}
