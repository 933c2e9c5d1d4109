import CAutoMobile

/// A number that many threads change without a lock.
///
/// It has a cache line of its own, so that two of them do not slow each other down.
public final class AtomicWord: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that the word behind the pointer is only accessed by atomic
  // instructions. The pointer itself never changes, and lives as long as this object.
  private let line: UnsafeMutableRawPointer
  @usableFromInline let word: UnsafeMutablePointer<UInt64>
  private static let cacheLine = 128

  public init(_ value: UInt64 = 0) {
    line = .allocate(byteCount: Self.cacheLine, alignment: Self.cacheLine)
    word = line.bindMemory(to: UInt64.self, capacity: 1)
    word.initialize(to: value)
  }

  deinit { line.deallocate() }

  /// Sees what was written before the value was stored.
  @inline(__always) @inlinable public var value: UInt64 {
    get { am_load_acquire_u64(word) }
  }

  @inline(__always) @inlinable public func store(_ value: UInt64) { am_store_release_u64(word, value) }

  /// Adds and returns the value from before. Wraps around.
  @inline(__always) @discardableResult
  @inlinable public func add(_ amount: UInt64) -> UInt64 { am_fetch_add_u64(word, amount) }

  /// Stores `desired` when the value is `expected`; whether it did.
  @inline(__always)
  @inlinable public func exchange(_ expected: UInt64, for desired: UInt64) -> Bool {
    am_compare_exchange_u64(word, expected, desired)
  }
}
