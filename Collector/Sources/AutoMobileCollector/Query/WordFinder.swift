import Foundation

/// Looks for the words of a search in one text, as the full text index would: each as the beginning of a word, whatever
/// its case and its accents.
struct WordFinder {
  private let words: [[UInt8]]
  private let isWhole: [Bool]

  init(_ words: [String]) {
    self.words = words.map { Array(Self.folded($0).utf8) }
    isWhole = words.map { SearchPattern.isShort($0) || SearchPattern.isStatus($0) }
  }

  /// Which words are in the text, by their place among them.
  func find(in text: String) -> [Bool] {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    var found = words.map { _ in false }
    for token in (isPlain ? text : Self.separated(Self.folded(text))).utf8.split(whereSeparator: { !Self.isWord($0) }) {
      for (index, word) in words.enumerated() where !found[index] {
        guard token.count >= word.count, !isWhole[index] || token.count == word.count else { continue }
        found[index] = zip(token, word).allSatisfy { Self.lowercased($0) == $1 }
      }
    }
    return found
  }

  static func folded(_ text: some StringProtocol) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// Beyond ASCII, what stands between words becomes blanks.
  private static func separated(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      let isWord = scalar.isASCII || properties.isAlphabetic || properties.numericType != nil
      result.append(isWord ? scalar : " ")
    }
    return String(result)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch lowercased(byte) {
    case 0x30...0x39, 0x61...0x7a, 0x80...: true
    default: false
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
