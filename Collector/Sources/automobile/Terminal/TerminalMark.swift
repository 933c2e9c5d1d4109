/// What this program itself tells a terminal: colours, and where to go on writing.
///
/// Lines are put together of our words, colours, and what apps recorded. The one place that writes them lets no escape
/// sequence through, so ours are not written as such but as marks, which become sequences there. Nobody can have
/// recorded a mark: it begins with characters that are drawn when the process starts.
enum TerminalMark {
  /// A line's beginning, and the clearing of what stands there.
  static let lineBegins = mark(100)
  static let restOfLineCleared = mark(101)

  /// A colour or face, by its number (ECMA-48, “select graphic rendition”); 0 ends all.
  static func rendition(_ code: UInt32) -> String { mark(code) }

  /// The sequence for the mark that `text` begins with, and how many characters that takes.
  static func sequence(at text: ArraySlice<Unicode.Scalar>) -> (text: String, length: Int)? {
    guard text.count > secret.count, text.starts(with: secret) else { return nil }
    let code = text[text.startIndex + secret.count].value &- base
    let sequence: String? =
      switch code {
      case 0..<100: "\u{1B}[\(code)m"
      case 100: "\r"
      case 101: "\u{1B}[K"
      default: nil
      }
    return sequence.map { ($0, secret.count + 1) }
  }

  /// For private use: text does not have them, and nothing combines with them.
  private static let base: UInt32 = 0xF0000

  private static let secret: [Unicode.Scalar] = (0..<5).map { _ in
    Unicode.Scalar(UInt32.random(in: base + 1000...base + 65000)) ?? "\u{F0FFF}"
  }

  /// Whether a mark may begin here; nearly always not.
  static func mayBegin(_ scalar: Unicode.Scalar) -> Bool { scalar == secret[0] }

  private static func mark(_ code: UInt32) -> String {
    var text = String.UnicodeScalarView(secret)
    if let scalar = Unicode.Scalar(base + code) { text.append(scalar) }
    return String(text)
  }
}
