import Foundation

/// Counts the recording calls that returned, in a file of its own that knows nothing of the SDK.
///
/// The file is mapped, so the counts survive SIGKILL as the journal does. Each thread has a counter of its own, on a cache
/// line of its own, and is the only one to write it: that needs no atomics. The demo compares the sum with the ledger: a
/// call that returned must have been recorded.
///
/// `@unchecked Sendable`: the pointer never changes, and each counter has a single writer.
final class Witness: @unchecked Sendable {
  static let counters = 16
  private static let stride = 64
  private let memory: UnsafeMutableRawPointer

  /// Makes the file.
  ///
  /// - Returns: nil when that fails.
  init?(_ file: URL) {
    let size = Self.counters * Self.stride
    let descriptor = open(file.path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(size)) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    self.memory = memory
  }

  /// To be called right after a recording call has returned, by the one thread that owns `counter`.
  func returned(_ counter: Int) { add(1, to: counter) }

  /// Only by the one thread that owns `counter`.
  func set(_ counter: Int, to number: Int) {
    memory.storeBytes(of: UInt64(number), toByteOffset: counter % Self.counters * Self.stride, as: UInt64.self)
  }

  /// Only by the one thread that owns `counter`.
  func add(_ number: Int, to counter: Int) {
    let offset = counter % Self.counters * Self.stride
    let count = memory.load(fromByteOffset: offset, as: UInt64.self)
    memory.storeBytes(of: count &+ UInt64(number), toByteOffset: offset, as: UInt64.self)
  }
}
