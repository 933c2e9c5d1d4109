import Foundation

/// A value that is only touched while its lock is held. No code of others runs inside.
final class ReplayLock<Value>: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `value` is reached through `lock` only.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
