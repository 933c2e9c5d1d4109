/// What names a build of a program or library: an ELF build id, or a Mach-O UUID. Lower-case hexadecimal digits, nothing
/// else, so that it can be the name of a file.
package struct SymbolID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Reads hexadecimal digits, dashes left out; nil when it is not 4 to 64 bytes.
  package init?(_ text: some StringProtocol) {
    var digits = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        digits.unicodeScalars.append(UnicodeScalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.unicodeScalars.append(UnicodeScalar(byte | 0x20))
      case UInt8(ascii: "-"): continue
      default: return nil
      }
      if digits.utf8.count > 128 { return nil }
    }
    guard digits.utf8.count >= 8, digits.utf8.count.isMultiple(of: 2) else { return nil }
    self.text = digits
  }

  init?(bytes: some Sequence<UInt8>) {
    self.init(bytes.hexText)
  }

  package var description: String { text }

  /// A UUID as Apple's tools write it; other lengths as they are.
  package var formatted: String {
    guard text.utf8.count == 32 else { return text }
    var parts: [Substring] = []
    var rest = text.uppercased()[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}
