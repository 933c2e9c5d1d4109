/// Where JSON values end.
enum JSONBytes {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
  }

  /// Whether the inside of a string has escapes.
  @inline(never)
  static func hasEscape(_ bytes: UnsafeRawBufferPointer, _ inside: Range<Int>) -> Bool {
    var at = inside.lowerBound
    while at + 8 <= inside.upperBound {
      if zeros(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ backslashes) != 0 { return true }
      at += 8
    }
    while at < inside.upperBound {
      if bytes[at] == UInt8(ascii: "\\") { return true }
      at += 1
    }
    return false
  }

  /// The index after a string's closing quote; nil when there is none.
  @inline(never)
  static func end(ofString bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
    var at = start + 1
    while at < end {
      // Eight at a time, up to the first that is a quote or a backslash.
      while at + 8 <= end {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        let special = Self.zeros(word ^ Self.quotes) | Self.zeros(word ^ Self.backslashes)
        guard special == 0 else {
          at += special.trailingZeroBitCount / 8
          break
        }
        at += 8
      }
      guard at < end else { return nil }
      switch bytes[at] {
      case UInt8(ascii: "\""): return at + 1
      case UInt8(ascii: "\\"): at += 2
      default: at += 1
      }
    }
    return nil
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let quotes = ones &* UInt64(UInt8(ascii: "\""))
  private static let backslashes = ones &* UInt64(UInt8(ascii: "\\"))

  /// The highest bit of each byte that is zero. Behind the first such byte others may be told, too.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones << 7) }

  /// The index after a value. What is inside of an object or array is not checked, only its brackets and strings.
  static func end(ofValue bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
    guard start < end else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return self.end(ofString: bytes, start, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    default:
      var at = start
      while at < end, !isEnd(bytes[at]) { at += 1 }
      return at > start ? at : nil
    }
    var depth = 0
    var at = start
    while at < end {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        guard let next = self.end(ofString: bytes, at, end) else { return nil }
        at = next
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }

  /// What ends a number, a truth or null.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || isSpace(byte)
  }
}
