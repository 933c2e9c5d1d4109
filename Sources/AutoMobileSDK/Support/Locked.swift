import Foundation

/// A value that is only touched while its lock is held. Copies share the value.
///
/// For state that is not on the recording path. Two rules: no foreign code (listener, provider, flush closure) runs
/// inside ``withLock(_:)``, and a closure that is replaced there is handed out, to be released outside.
package struct Locked<Value>: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that the value is reached through the lock only: the one method that
  // touches it holds that.
  private let storage: LockedStorage

  package init(_ value: Value) {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    storage = LockedStorage(pointer) { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.value.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// What copies share. Not generic: the types of generic classes are made while the program runs, and those of the SDK's
/// states took nearly a third of the instructions of `initialize`.
private final class LockedStorage {
  let lock = NSLock()
  let value: UnsafeMutableRawPointer
  private let deinitialize: (UnsafeMutableRawPointer) -> Void

  init(_ value: UnsafeMutableRawPointer, deinitialize: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.value = value
    self.deinitialize = deinitialize
  }

  deinit {
    deinitialize(value)
    value.deallocate()
  }
}
