/// Numbers as reports write them.
enum HexDigits {
  /// Two lower-case digits a byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `0x7f0123`.
  static func text(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  /// Reads what ``text(_:)`` wrote.
  static func number(_ text: String) -> UInt64? { text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 &+ value : 87 &+ value }
}
