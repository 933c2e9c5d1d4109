/// Numbers as reports write them.
package enum HexDigits {
  /// Two lower-case digits a byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `0x7f0123`.
  static func text(_ number: UInt64) -> String { "0x" + digits(number) }

  /// `7f0123`. The standard library's way makes types, for which a process that starts would wait.
  package static func digits(_ number: UInt64) -> String {
    let count = max(1, (64 - number.leadingZeroBitCount + 3) / 4)
    return String(unsafeUninitializedCapacity: count) { text in
      var rest = number
      var place = count
      while place > 0 {
        place -= 1
        text[place] = digit(UInt8(truncatingIfNeeded: rest & 15))
        rest >>= 4
      }
      return count
    }
  }

  /// Reads what ``text(_:)`` wrote.
  static func number(_ text: String) -> UInt64? { text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 &+ value : 87 &+ value }
}
