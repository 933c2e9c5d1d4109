import CAutoMobile
import Foundation
import Testing

/// How many calls of each of the victim's threads have returned, in memory that outlives it.
final class Witness: @unchecked Sendable {
  // Unchecked: the words are read by atomic loads, and the pointer never changes.
  let url: URL
  private let words: UnsafeMutablePointer<UInt64>

  init(_ url: URL) throws {
    self.url = url
    try Data(count: 64).write(to: url)
    let file = open(url.path, O_RDWR)
    defer { close(file) }
    let mapping = mmap(nil, 64, PROT_READ, MAP_SHARED, file, 0)
    words = try #require(mapping == MAP_FAILED ? nil : mapping).bindMemory(to: UInt64.self, capacity: 8)
  }

  deinit { munmap(words, 64) }

  func returned(_ thread: Int) -> Int { Int(am_load_acquire_u64(words + thread)) }
  var total: Int { (0..<4).reduce(0) { $0 + returned($1) } }
}
