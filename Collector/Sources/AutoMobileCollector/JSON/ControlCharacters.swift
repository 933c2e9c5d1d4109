extension StringProtocol {
  /// Whether a character in it is a control: U+0000 to U+001F and U+007F to U+009F (Unicode's category Cc).
  ///
  /// What rows are named by has none: a database that ends a text at its first NUL would find another row than the one that
  /// was written, and a terminal obeys some of them.
  var hasControlCharacters: Bool { utf8.haveControlCharacters }
}

extension Sequence<UInt8> {
  /// Whether a character in this UTF-8 is a control.
  var haveControlCharacters: Bool {
    var last: UInt8 = 0
    for byte in self {
      // U+0080 to U+009F are C2 80 to C2 9F.
      if byte < 0x20 || byte == 0x7F || (last == 0xC2 && byte < 0xA0) { return true }
      last = byte
    }
    return false
  }
}
