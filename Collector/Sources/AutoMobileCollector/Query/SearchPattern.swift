/// What somebody typed into a search field, as the database wants it.
struct SearchPattern: Equatable, Sendable {
  let text: String
  let words: [String]
  /// `%like this%`, for `LIKE … ESCAPE '\'`.
  let like: String
  /// Whether beginnings of words are not enough: asked for when too many words begin like this.
  var isWholeWords = false

  /// nil when there is nothing to search for.
  init?(_ text: String) {
    let trimmed = Self.beginning(of: text).trimmingPrefix { $0.isWhitespace }
    guard !trimmed.isEmpty else { return nil }
    self.text = String(trimmed)
    // By scalars: a quotation mark can be part of a character that is a letter.
    words = trimmed.unicodeScalars.split { !Self.isOfWord($0) }.prefix(16).map { String($0) }
    var escaped = String.UnicodeScalarView()
    for scalar in trimmed.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { escaped.append("\\") }
      escaped.append(scalar)
    }
    like = "%\(String(escaped))%"
  }

  /// What the tokenizer of the full text takes for a part of a word.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber,
      .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .privateUse:
      true
    default: false
    }
  }

  /// In bytes as well: a character can be as long as one likes, and where a text almost has the pattern everywhere, SQLite
  /// compares all of it at each place, and cannot be stopped while it does.
  private static func beginning(of text: String) -> Substring {
    var bytes = 0
    return text.prefix(256).prefix { character in
      bytes += character.utf8.count
      return bytes <= 512
    }
  }

  /// All words, each as the beginning of a word in the text; nil when there is no letter or digit to look for. One or two
  /// letters are a whole word: half of the index begins with them.
  var fullText: String? { fullText(wholeWords: isWholeWords ? Set(words) : []) }

  /// - Parameter wholeWords: those that are not looked for as beginnings.
  func fullText(wholeWords: Set<String>) -> String? {
    guard !words.isEmpty else { return nil }
    return words.map { Self.isShort($0) || Self.isStatus($0) || wholeWords.contains($0) ? "\"\($0)\"" : "\"\($0)\"*" }
      .joined(separator: " ")
  }

  /// A status: many an identifier begins with these digits, and none of them is what failed.
  static func isStatus(_ word: String) -> Bool {
    word.count == 3 && Int(word).map { (100...599).contains($0) } ?? false
  }

  static func isShort(_ word: String) -> Bool { word.count < 3 }
}
