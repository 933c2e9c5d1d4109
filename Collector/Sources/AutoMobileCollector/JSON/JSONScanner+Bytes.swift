/// The scanner's inner loops.
extension JSONScanner {
  /// The first offset at or after `start` whose byte a string cannot simply contain: a quote, a backslash, a control
  /// character, or a byte outside ASCII.
  static func plainEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var offset = start
    // Eight bytes at once: a byte's top bit in `special` is set when it is one of those (borrows can set more, never
    // fewer; the slow loop decides).
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let special = (quote &- ones) | (backslash &- ones) | (word &- (ones &* 0x20)) | word
      if special & tops != 0 { break }
      offset += 8
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { return offset }
      offset += 1
    }
    return offset
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Reads an optional minus and digits; nil when the value does not fit.
  static func integer(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
    var rest = digits[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var value: Int64 = 0
    for digit in rest {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.subtractingReportingOverflow(Int64(digit &- UInt8(ascii: "0")))
      if overflow || carry { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// A string's value, with its escapes resolved.
  func decode(_ text: Text) -> String {
    let raw = UnsafeRawBufferPointer(rebasing: bytes[text.range])
    guard text.isEscaped else { return String(decoding: raw, as: UTF8.self) }
    return String(decoding: unescape(text), as: UTF8.self)
  }

  /// A string's value as UTF-8.
  func unescape(_ text: Text) -> [UInt8] {
    let raw = bytes[text.range]
    guard text.isEscaped else { return Array(raw) }
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var units: [UInt16] = []
    func flush() {
      guard !units.isEmpty else { return }
      result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
      units.removeAll(keepingCapacity: true)
    }
    var offset = raw.startIndex
    while offset < raw.endIndex {
      guard raw[offset] == UInt8(ascii: "\\") else {
        flush()
        result.append(raw[offset])
        offset += 1
        continue
      }
      let letter = raw[offset + 1]
      if letter == UInt8(ascii: "u") {
        units.append(raw[offset + 2..<offset + 6].reduce(0) { $0 << 4 | UInt16(Self.hexValue($1) ?? 0) })
        offset += 6
        continue
      }
      flush()
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      default: result.append(letter)
      }
      offset += 2
    }
    flush()
    return result
  }

  /// Whether a string's value is `name`.
  func matches(_ text: Text, _ name: StaticString) -> Bool {
    if text.isEscaped { return decode(text) == "\(name)" }
    return text.range.count == name.utf8CodeUnitCount
      && name.withUTF8Buffer { zip($0, bytes[text.range]).allSatisfy(==) }
  }
}

/// Well-formed UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
  /// The length of the sequence at `offset`; nil when it is malformed or cut off.
  static func length(of bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let lead = bytes[offset]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
    for index in offset + 2..<max(offset + length, offset + 2) where bytes[index] & 0xC0 != 0x80 { return nil }
    return length
  }
}
