/// Words of a command line for a POSIX shell.
///
/// Byte by byte: a quote with a combining mark after it is one character to Swift, and a quote to the shell.
enum ShellWord {
  /// A word that the shell takes as it is, whatever stands in it. NUL cannot be in an argument and is left out.
  ///
  /// Newlines stay newlines: between single quotes they stand for themselves. What a terminal would obey, when the line is
  /// shown or pasted, is not in it: `printf` puts it there when the line runs.
  ///
  ///     'https://a.example/'"$(printf '\033')"'[2J'
  static func quoted(_ text: String) -> String {
    var word: [UInt8] = [UInt8(ascii: "'")]
    var hidden: [UInt8] = []
    func show() {
      guard !hidden.isEmpty else { return }
      word += Array("'\"$(printf \(printfFormat(hidden)))\"'".utf8)
      hidden = []
    }
    for scalar in text.unicodeScalars where scalar.value != 0 {
      if isHidden(scalar) {
        hidden += Array(String(scalar).utf8)
        continue
      }
      show()
      word += scalar == "'" ? Array(#"'\''"#.utf8) : Array(String(scalar).utf8)
    }
    show()
    return String(decoding: word, as: UTF8.self) + "'"
  }

  /// Controls, what changes the direction of the text around it, and what cannot be seen at all; not line ends, which the
  /// command's reader would drop at the end of what `printf` wrote.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  /// The format of a `printf` that writes exactly these bytes: printable ASCII as it is, the rest in octal.
  static func printfFormat(_ bytes: some Sequence<UInt8>) -> String {
    var format: [UInt8] = [UInt8(ascii: "'")]
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "%"): format += Array("%%".utf8)
      // A quote would end the word, a backslash begins what printf replaces.
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): format += octal(byte)
      case 0x20..<0x7F: format.append(byte)
      default: format += octal(byte)
      }
    }
    return String(decoding: format, as: UTF8.self) + "'"
  }

  /// Always three digits, so that a digit that follows is not taken for a part of it.
  private static func octal(_ byte: UInt8) -> [UInt8] {
    let digits = UInt8(ascii: "0")
    return [UInt8(ascii: "\\"), digits | byte >> 6, digits | byte >> 3 & 7, digits | byte & 7]
  }
}
