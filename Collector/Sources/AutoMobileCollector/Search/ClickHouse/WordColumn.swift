import Foundation

/// The column `words` of events: the words of an event as SQLite's full text index takes them (its tokenizer unicode61, without
/// diacritics), in lower case, a blank before and behind each. So the beginning of a word is a blank and some letters, and a whole
/// word has a blank behind it as well: both are parts of one text.
enum WordColumn {
  /// - Parameter text: what ``SearchText`` collects of an event.
  static func text(of text: [UInt8]) -> [UInt8] {
    if text.allSatisfy({ $0 < 0x80 }) { return joined(text) }
    return joined(Array(separated(folded(String(decoding: text, as: UTF8.self))).utf8))
  }

  /// Letters of either case and with accents of any kind are one.
  static func folded(_ text: some StringProtocol) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// Beyond ASCII, what stands between words becomes blanks.
  private static func separated(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(SearchPattern.isOfWord(scalar) ? scalar : " ") }
    return String(result)
  }

  private static func joined(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 2)
    var isInside = false
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x61...0x7A, 0x80...:
        if !isInside { result.append(0x20) }
        result.append(byte)
        isInside = true
      case 0x41...0x5A:
        if !isInside { result.append(0x20) }
        result.append(byte | 0x20)
        isInside = true
      default: isInside = false
      }
    }
    if !result.isEmpty { result.append(0x20) }
    return result
  }
}
