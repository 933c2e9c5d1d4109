/// Reads little-endian numbers one after the other out of bytes that nobody vouches for. Beyond the end there is nil.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var offset: Int
  let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  /// - Parameter range: cut to what there is.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    offset = min(max(0, range.lowerBound), bytes.count)
    end = min(max(offset, range.upperBound), bytes.count)
  }

  var remaining: Int { end - offset }
  var isAtEnd: Bool { offset >= end }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { return nil }
    defer { offset += size }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
  }

  mutating func byte() -> UInt8? { number(UInt8.self) }
  mutating func u16() -> UInt16? { number(UInt16.self) }
  mutating func u32() -> UInt32? { number(UInt32.self) }
  mutating func u64() -> UInt64? { number(UInt64.self) }

  mutating func uleb128() -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while let next = byte() {
      if shift < 64 { result |= UInt64(next & 0x7F) << shift }
      if next & 0x80 == 0 { return result }
      shift &+= 7
      guard shift < 140 else { return nil }
    }
    return nil
  }

  mutating func sleb128() -> Int64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while let next = byte() {
      if shift < 64 { result |= UInt64(next & 0x7F) << shift }
      shift &+= 7
      if next & 0x80 == 0 {
        if next & 0x40 != 0, shift < 64 { result |= ~0 << shift }
        return Int64(bitPattern: result)
      }
      guard shift < 140 else { return nil }
    }
    return nil
  }

  /// The range of the next `count` bytes, which are passed over.
  mutating func take(_ count: UInt64) -> Range<Int>? {
    guard count <= UInt64(clamping: remaining) else { return nil }
    defer { offset &+= Int(clamping: count) }
    return offset..<offset &+ Int(clamping: count)
  }

  /// The text up to the next zero byte, at most `limit` bytes long.
  mutating func text(limit: Int) -> String? {
    guard let zero = bytes[offset..<min(end, offset + limit + 1)].firstIndex(of: 0) else { return nil }
    defer { offset = zero + 1 }
    return String(decoding: bytes[offset..<zero], as: UTF8.self)
  }

  /// Goes on at an offset, if that is within the bytes.
  mutating func seek(_ target: Int) -> Bool {
    guard target >= 0, target <= end else { return false }
    offset = target
    return true
  }
}
