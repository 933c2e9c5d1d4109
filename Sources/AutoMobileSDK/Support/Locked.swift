import Foundation

/// A value that is only touched while its lock is held.
///
/// For state that is not on the recording path. Two rules: no foreign code (listener, provider, flush closure) runs
/// inside ``withLock(_:)``, and a closure that is replaced there is handed out, to be released outside.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `value` is reached through `lock` only: it is private, and the one
  // method that touches it holds the lock.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
