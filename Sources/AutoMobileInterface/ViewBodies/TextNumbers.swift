import CAutoMobile
import Foundation

/// Numbers texts in the order in which they come, and finds them by their bytes.
///
/// Finding one neither normalizes nor allocates, whatever is in it. The hash is the processor's own checksum: the texts are the
/// app's, and so few that there is nothing to be gained by choosing them badly.
struct TextNumbers: Sendable {
  /// The hash above, the number from 1 on below; 0 where there is none. Searched from the hash's place on.
  private var places: [UInt64] = []
  private var texts: [[UInt8]] = []
  private let capacity: Int

  /// - Parameter capacity: how many there may be.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { texts.count }

  @inline(__always)
  func number(of text: String) -> Int? {
    let found = text.utf8.withContiguousStorageIfAvailable { find(UnsafeRawBufferPointer($0)) }
    // One that is not in one piece.
    return found ?? Array(text.utf8).withUnsafeBytes { find($0) }
  }

  /// Gives a text the next number; nil when there are as many as there may be.
  mutating func add(_ text: String) -> Int? {
    guard texts.count < capacity else { return nil }
    if places.isEmpty { places = Array(repeating: 0, count: Self.size(for: capacity)) }
    let bytes = Array(text.utf8)
    let hash = bytes.withUnsafeBytes { Self.hash($0) }
    texts.append(bytes)
    var place = Int(hash) & (places.count - 1)
    // At most half of them are taken.
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = UInt64(hash) << 32 | UInt64(clamping: texts.count)
    return texts.count - 1
  }

  private func find(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard !places.isEmpty else { return nil }
    let hash = Self.hash(bytes)
    let mask = places.count - 1
    var place = Int(hash) & mask
    while true {
      let entry = places[place]
      if entry == 0 { return nil }
      if entry >> 32 == UInt64(hash) {
        let number = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1
        if isEqual(number, bytes) { return number }
      }
      place = (place + 1) & mask
    }
  }

  @inline(__always)
  private func isEqual(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    texts[number].withUnsafeBytes { text in
      guard text.count == bytes.count else { return false }
      guard let one = text.baseAddress, let other = bytes.baseAddress else { return true }
      return memcmp(one, other, text.count) == 0
    }
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 { am_crc32c(0, bytes.baseAddress, bytes.count) }

  /// A power of two, and at least twice as many.
  private static func size(for capacity: Int) -> Int {
    var size = 16
    while size < capacity.adding(saturating: capacity), size < 1 << 20 { size *= 2 }
    return size
  }
}
