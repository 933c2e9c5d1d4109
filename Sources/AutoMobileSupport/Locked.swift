import Foundation

/// A value that is only touched while its lock is held. Copies share the value.
///
/// For state that is not on the recording path. Two rules: no foreign code (listener, provider, flush closure) runs
/// inside ``withLock(_:)``, and a closure that is replaced there is handed out, to be released outside.
///
/// Public, because nothing else is inlined into other modules: without that, each state's first use makes types while the program runs,
/// a third of the instructions of `initialize`. No product has this module, and none exports it.
public struct Locked<Value>: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that the value is reached through the lock only: the one method that
  // touches it holds that.
  @usableFromInline let storage: LockedStorage

  @inlinable public init(_ value: Value) {
    storage = LockedStorage(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) {
      $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    storage.value.initializeMemory(as: Value.self, to: value)
  }

  @inlinable public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(storage.lock)
    defer { pthread_mutex_unlock(storage.lock) }
    return try body(&storage.value.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// What copies share. Not generic: the types of generic classes are made while the program runs, and those of the SDK's
/// states took nearly a third of the instructions of `initialize`. Lock and value share one piece of memory for the same reason:
/// an `NSLock` is an object with a mutex elsewhere, and there are some eighty of these.
@usableFromInline final class LockedStorage {
  @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// Behind the lock.
  @usableFromInline let value: UnsafeMutableRawPointer
  private let deinitialize: (UnsafeMutableRawPointer) -> Void

  /// - Parameter deinitialize: gets ``value``, which has been initialized until then.
  @usableFromInline init(size: Int, alignment: Int, deinitialize: @escaping (UnsafeMutableRawPointer) -> Void) {
    let alignment = max(alignment, MemoryLayout<pthread_mutex_t>.alignment)
    let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) & ~(alignment - 1)
    // bounded: the sizes of a type
    let memory = UnsafeMutableRawPointer.allocate(byteCount: offset + size, alignment: alignment)
    lock = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    value = memory + offset
    self.deinitialize = deinitialize
  }

  deinit {
    deinitialize(value)
    pthread_mutex_destroy(lock)
    UnsafeMutableRawPointer(lock).deallocate()
  }
}
