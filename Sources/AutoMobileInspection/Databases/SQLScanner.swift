/// Looks at what stands around a statement.
enum SQLScanner {
  /// Whether nothing is there but blanks, semicolons and comments.
  static func isEmpty(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    while let byte = rest.first {
      switch byte {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20, UInt8(ascii: ";"): rest = rest.dropFirst()
      case UInt8(ascii: "-"):
        guard rest.dropFirst().first == UInt8(ascii: "-") else { return false }
        rest = rest.drop { $0 != 0x0A }
      case UInt8(ascii: "/"):
        guard rest.dropFirst().first == UInt8(ascii: "*") else { return false }
        rest = afterComment(rest.dropFirst(2))
      default: return false
      }
    }
    return true
  }

  /// One that nobody closes goes on to the end, as SQLite has it.
  private static func afterComment<Bytes: Collection<UInt8>>(_ text: Bytes) -> Bytes where Bytes.SubSequence == Bytes {
    var rest = text
    while let star = rest.firstIndex(of: UInt8(ascii: "*")) {
      rest = rest[star...].dropFirst()
      if rest.first == UInt8(ascii: "/") { return rest.dropFirst() }
    }
    return rest.dropFirst(rest.count)
  }
}
