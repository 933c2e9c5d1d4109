/// Words of a command line for a POSIX shell.
///
/// Byte by byte: a quote with a combining mark after it is one character to Swift, and a quote to the shell.
enum ShellWord {
  /// A word that the shell takes as it is, whatever stands in it. NUL cannot be in an argument and is left out.
  ///
  /// Newlines stay newlines: between single quotes they stand for themselves.
  static func quoted(_ text: String) -> String {
    var word: [UInt8] = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      switch byte {
      case 0: continue
      case UInt8(ascii: "'"): word += Array(#"'\''"#.utf8)
      default: word.append(byte)
      }
    }
    return String(decoding: word, as: UTF8.self) + "'"
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
