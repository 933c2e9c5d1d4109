/// Undoes encodings that a name may hide behind: `%70assword`, `\u0070assword`, `&#112;assword`.
enum TextDecoding {
  /// One round of all of them, over the whole text; nil when there is nothing to undo.
  static func decodedOnce(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.contains(where: isEscape) else { return nil }
    let bytes = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    var hasChanged = false
    while index < bytes.count {
      let decoded: (scalar: UInt32, length: Int)? =
        switch bytes[index] {
        case UInt8(ascii: "%"): percent(bytes, index)
        case UInt8(ascii: "\\"): backslash(bytes, index)
        case UInt8(ascii: "&"): entity(bytes, index)
        default: nil
        }
      if let decoded {
        hasChanged = true
        append(decoded.scalar, isByte: bytes[index] == UInt8(ascii: "%"), &result)
        index += decoded.length
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return hasChanged ? result : nil
  }

  /// A name of a query or form without any percent-encoding, however often it was applied; nil when that is too often.
  static func name(_ text: some Collection<UInt8>) -> [UInt8]? {
    var name = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    for _ in 0..<maximumRounds {
      guard let decoded = decodedOnce(name) else { return name }
      name = decoded
    }
    return nil
  }

  /// How often text is decoded before it is given up on.
  static let maximumRounds = 5

  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte & 0x0F)
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte & 0x07) &+ 9
    default: nil
    }
  }

  private static func isEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
  }

  private static func percent(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int)? {
    hex(bytes, index + 1, 2).map { ($0, 3) }
  }

  private static func backslash(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int)? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "u"): return hex(bytes, index + 2, 4).map { ($0, 6) }
    case UInt8(ascii: "x"): return hex(bytes, index + 2, 2).map { ($0, 4) }
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return (0x20, 2)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return (UInt32(bytes[index + 1]), 2)
    default: return nil
    }
  }

  private static func entity(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int)? {
    let rest = bytes[(index + 1)...].prefix(10)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[..<end], as: UTF8.self).lowercased()
    let length = end - index + 1
    switch name {
    case "quot": return (0x22, length)
    case "apos": return (0x27, length)
    case "amp": return (0x26, length)
    case "lt": return (0x3C, length)
    case "gt": return (0x3E, length)
    case "colon": return (0x3A, length)
    case "equals": return (0x3D, length)
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      return number.map { ($0, length) }
    }
  }

  private static func hex(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
    guard start + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<start + count] {
      guard let digit = hexValue(byte) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func append(_ value: UInt32, isByte: Bool, _ result: inout [UInt8]) {
    if isByte { return result.append(UInt8(truncatingIfNeeded: value)) }
    // Half of a surrogate pair is no letter of a name.
    result.append(contentsOf: String(Character(UnicodeScalar(value) ?? "\u{FFFD}")).utf8)
  }
}
