import CAutoMobile
import Foundation

/// What really happened, in shared memory of the test's own: it outlives the process, and the journal knows nothing of it.
///
/// Per thread two words: how many records a call returned a position for, and how many calls returned none.
///
/// Sendable: the words are counted up atomically.
struct Witness: @unchecked Sendable {
  static let threads = 8
  static let size = 4096

  private let words: UnsafeMutablePointer<UInt64>

  /// Maps the file, which must be there with ``size`` bytes.
  init?(path: String) {
    let file = open(path, O_RDWR)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), address != MAP_FAILED
    else { return nil }
    words = address.bindMemory(to: UInt64.self, capacity: Self.size / 8)
  }

  func countKept(_ thread: Int) { _ = am_fetch_add_u64(words + thread * 16, 1) }
  func countDropped(_ thread: Int) { _ = am_fetch_add_u64(words + thread * 16 + 1, 1) }
}
