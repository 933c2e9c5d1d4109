import Foundation

/// What a developer wrote, without what varies from one report to the next: numbers, ids, quoted values, addresses.
///
/// `Order 4711 of “Mira” was refused after 2.5 s` becomes `Order … of “…” was refused after … s`. It is what an issue is called,
/// and what tells issues apart that have the same type and the same functions.
enum MessageTemplate {
  /// Characters that are looked at; a title has no more.
  static let longest = 200
  private static let gap: Character = "…"

  /// - Returns: nil when nothing is left that says what happened.
  static func make(_ message: String?) -> String? {
    guard let message else { return nil }
    let line = message.prefix(500).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var result: [Character] = []
    for piece in withoutQuoted(Array(line)).split(separator: " ", omittingEmptySubsequences: true) {
      if !result.isEmpty { result.append(" ") }
      result += word(Array(piece))
    }
    let text = String(joined(result).prefix(longest)).trimmingCharacters(in: .whitespaces)
    return text.contains(where: \.isLetter) ? text : nil
  }

  // MARK: Quoted values

  private static let quotes: [Character: Character] = [
    "\"": "\"", "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "`": "`", "‹": "›",
  ]

  /// A quotation begins a word and ends one: an apostrophe does neither.
  private static func withoutQuoted(_ text: [Character]) -> [Character] {
    var result: [Character] = []
    var index = 0
    while index < text.count {
      let begins = index == 0 || !isWordLike(text[index - 1])
      if begins, let close = quotes[text[index]],
        let end = (index + 1..<text.count).first(where: { at in
          text[at] == close && (at + 1 == text.count || !isWordLike(text[at + 1]))
        })
      {
        result += end == index + 1 ? [text[index], close] : [text[index], gap, close]
        index = end + 1
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func isWordLike(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  // MARK: Words

  private static func word(_ word: [Character]) -> [Character] {
    let text = String(word)
    if text.contains("://") { return Array(url(text)) }
    if isAddress(word) { return [gap] }
    var result: [Character] = []
    var index = 0
    while index < word.count {
      guard isPartOfName(word[index]) else {
        result.append(word[index])
        index += 1
        continue
      }
      let end = word[index...].firstIndex { !isPartOfName($0) } ?? word.count
      result += name(word[index..<end])
      index = end
    }
    return result
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    isWordLike(character) || character == "-" || character == "_"
  }

  /// A run of letters, digits, hyphens and underscores: an id as a whole, or a word with numbers in it.
  private static func name(_ name: ArraySlice<Character>) -> [Character] {
    let digits = name.count { $0.isNumber }
    guard digits > 0 else { return Array(name) }
    let hexadecimal = name.allSatisfy { $0.isHexDigit || $0 == "-" }
    if hexadecimal && name.count >= 8 || name.count >= 16 && digits >= 3 { return [gap] }
    var result: [Character] = []
    var index = name.startIndex
    while index < name.endIndex {
      guard name[index].isNumber else {
        result.append(name[index])
        index += 1
        continue
      }
      var end = name[index...].firstIndex { !$0.isNumber } ?? name.endIndex
      // Also the hour of 2024-11-24T10:00.
      let isFirst = index == name.startIndex || !name[index - 1].isLetter || result.dropLast().last == gap
      // 0x1f, 1a2b: what a number begins goes on as far as it can be one.
      if isFirst, end < name.endIndex, name[end] == "x" || hexadecimal && name[end].isLetter {
        end = name[(end + 1)...].firstIndex { !$0.isHexDigit } ?? name.endIndex
      }
      // utf8, iOS 18: few digits behind letters are part of the word.
      result += isFirst || end - index >= 3 ? [gap] : Array(name[index..<end])
      index = end
    }
    return result
  }

  private static func isAddress(_ word: [Character]) -> Bool {
    guard let at = word.firstIndex(of: "@"), at > 0 else { return false }
    return word[(at + 1)...].contains(".")
  }

  /// Scheme and host say where to; of the path the names of single things go, and the query goes.
  private static func url(_ text: String) -> String {
    let closing: [Character] = text.reversed().prefix { ")],.;:!?>".contains($0) }.reversed()
    let body = text.dropLast(closing.count)
    guard let mark = body.range(of: "://") else { return text }
    let address = RequestAddress(url: String(body))
    let path = address.pattern.replacingOccurrences(of: ":id", with: String(gap))
    return "\(body[..<mark.lowerBound])://\(address.host)\(path == "/" ? "" : path)\(String(closing))"
  }

  /// `…:…:…`, `…-…`, `….…`: a time, a date, a version, an address is one thing that varies.
  private static func joined(_ text: [Character]) -> [Character] {
    var result: [Character] = []
    for (index, character) in text.enumerated() {
      if character == gap {
        if result.last == gap { continue }
        if let last = result.last, ".,:/-+TZ".contains(last), result.dropLast().last == gap {
          result[result.count - 1] = gap
          result.remove(at: result.count - 2)
          continue
        }
      }
      // The sign of a number is part of it.
      if character == "-" || character == "+", index + 1 < text.count, text[index + 1] == gap, result.last ?? " " == " "
      {
        continue
      }
      result.append(character)
    }
    return result
  }
}
