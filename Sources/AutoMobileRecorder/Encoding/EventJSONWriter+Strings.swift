/// Strings, escaped as RFC 8259 asks: quote, backslash, and what lies below U+0020. All else is UTF-8 as it is.
extension EventJSONWriter {
  /// Writes a string with its quotes, and what comes after it: a comma, or a colon after a key.
  ///
  /// A native string allocates nothing. One bridged from Objective-C that is not stored as UTF-8 is converted first.
  @inline(__always)
  mutating func value(_ string: String, then separator: UInt8) {
    if string.utf8.withContiguousStorageIfAvailable({ quoted(UnsafeRawBufferPointer($0), then: separator) }) == nil {
      var copy = string
      copy.withUTF8 { quoted(UnsafeRawBufferPointer($0), then: separator) }
    }
  }

  /// Writes an object of strings.
  mutating func value(_ dictionary: [String: String]) {
    guard !dictionary.isEmpty else { return raw("{}") }
    raw("{")
    for (key, value) in dictionary {
      self.value(key, then: UInt8(ascii: ":"))
      self.value(value, then: UInt8(ascii: ","))
    }
    closeFrame(UInt8(ascii: "}"))
  }

  private mutating func quoted(_ utf8: UnsafeRawBufferPointer, then separator: UInt8) {
    let count = utf8.count
    guard reserve(count &+ 3) else { return }
    cursor.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    advance(1)
    if let source = utf8.baseAddress {
      let plain = copyPlain(source, count)
      if plain < count {
        copyEscaped(source, from: plain, count)
        guard reserve(2) else { return }
      }
    }
    let end = UInt16(UInt8(ascii: "\"")) | UInt16(separator) << 8
    cursor.storeBytes(of: end.littleEndian, as: UInt16.self)
    advance(2)
  }

  /// Copies the bytes up to the first block that holds one to be escaped, eight at a time, and returns how many those
  /// are. There must be room for all of them. The last block overlaps the one before.
  @inline(__always)
  private mutating func copyPlain(_ source: UnsafeRawPointer, _ count: Int) -> Int {
    let target = cursor
    if count >= 8 {
      var index = 0
      while index &+ 8 < count {
        let block = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard isPlain(block) else {
          advance(index)
          return index
        }
        target.storeBytes(of: block, toByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      let last = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      guard isPlain(last) else {
        advance(index)
        return index
      }
      target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      let first = source.loadUnaligned(as: UInt32.self)
      let last = source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      guard isPlain(UInt64(first) | UInt64(last) << 32) else { return 0 }
      target.storeBytes(of: first, as: UInt32.self)
      target.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
    } else if count > 0 {
      let first = source.load(as: UInt8.self)
      let middle = source.load(fromByteOffset: count >> 1, as: UInt8.self)
      let last = source.load(fromByteOffset: count &- 1, as: UInt8.self)
      guard isPlain(UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16 | 0x2020_2020_2000_0000) else { return 0 }
      target.storeBytes(of: first, as: UInt8.self)
      target.storeBytes(of: middle, toByteOffset: count >> 1, as: UInt8.self)
      target.storeBytes(of: last, toByteOffset: count &- 1, as: UInt8.self)
    }
    advance(count)
    return count
  }

  /// Whether none of eight bytes needs an escape: below 0x20, quote or backslash.
  @inline(__always)
  private func isPlain(_ block: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // With 0x02 flipped, a quote is 0x20 and a space 0x22, and what was below 0x20 still is: one comparison finds both.
    let controlsAndQuotes = (block ^ (ones &* 0x02)) &- (ones &* 0x21)
    let backslashes = (block ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
    // The highest bit is set in bytes that were found, and in those that had it before: they are not ASCII.
    return (controlsAndQuotes | backslashes) & ~block & (ones &* 0x80) == 0
  }

  /// Copies the bytes from `index` on, escaping those that need it.
  @inline(never)
  private mutating func copyEscaped(_ source: UnsafeRawPointer, from index: Int, _ count: Int) {
    var index = index
    while index < count {
      // Always room for one escape and the rest as it is.
      guard reserve(6 &+ count &- index) else { return }
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      index &+= 1
      switch byte {
      case UInt8(ascii: "\""): raw(#"\""#)
      case UInt8(ascii: "\\"): raw(#"\\"#)
      case 0x08: raw(#"\b"#)
      case 0x09: raw(#"\t"#)
      case 0x0A: raw(#"\n"#)
      case 0x0C: raw(#"\f"#)
      case 0x0D: raw(#"\r"#)
      case 0..<0x20:
        raw(#"\u00"#)
        cursor.storeBytes(of: UInt8(ascii: "0") &+ byte >> 4, as: UInt8.self)
        let low = byte & 15
        (cursor + 1).storeBytes(of: low &+ (low < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10), as: UInt8.self)
        advance(2)
      default:
        cursor.storeBytes(of: byte, as: UInt8.self)
        advance(1)
        index &+= copyPlain(source + index, count &- index)
      }
    }
  }
}
