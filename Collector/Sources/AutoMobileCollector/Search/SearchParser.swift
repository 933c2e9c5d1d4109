/// Reads the query language: `mira "card declined" app:coffee version:2.4,2.5 -has:crash duration:>1s`.
///
/// One pass over the text, without going back; what it takes is bounded before it begins.
struct SearchParser {
  private let text: [Character]
  private let domain: SearchDomain
  private var at = 0
  private var values = 0

  init(_ text: String, _ domain: SearchDomain) throws {
    // A character can be as long as one likes.
    guard text.utf8.count <= 4 * SearchQuery.longest else { throw Self.tooLong }
    self.text = Array(text)
    self.domain = domain
    guard self.text.count <= SearchQuery.longest else { throw Self.tooLong }
  }

  mutating func terms() throws -> [SearchTerm] {
    var terms: [SearchTerm] = []
    while true {
      skipBlanks()
      guard at < text.count else { return terms }
      let start = at
      if let term = try term() { terms.append(term) }
      guard terms.count <= SearchQuery.mostTerms else {
        throw error(start, "a search has \(SearchQuery.mostTerms) terms at most")
      }
    }
  }

  private mutating func term() throws -> SearchTerm? {
    var isNegated = false
    if text[at] == "-", at + 1 < text.count, !Self.isBlank(text[at + 1]) {
      isNegated = true
      at += 1
    }
    let first = at
    if text[at] == "\"" {
      let phrase = quoted()
      try bound(phrase, first)
      guard phrase.contains(where: { !Self.isBlank($0) }) else { return nil }
      return SearchTerm(isNegated: isNegated, subject: .phrase(phrase))
    }
    if let subject = try field() { return SearchTerm(isNegated: isNegated, subject: subject) }
    let start = at
    let word = untilBlank()
    try bound(word, start)
    if let subject = try shorthand(word, at: start) { return SearchTerm(isNegated: isNegated, subject: subject) }
    // A dash alone divides words.
    return word.contains { $0 != "-" } ? SearchTerm(isNegated: isNegated, subject: .word(word)) : nil
  }

  // MARK: Fields

  /// nil, with nothing read, when no field begins here.
  private mutating func field() throws -> SearchTerm.Subject? {
    let start = at
    var end = at
    while end < text.count, end - start <= 40, Self.isNamePart(text[end], isFirst: end == start) { end += 1 }
    guard end > start, end < text.count, text[end] == ":" else { return nil }
    let name = String(text[start..<end])
    let next = end + 1 < text.count ? text[end + 1] : " "
    // `https://…`, `std::string`, and `Note:` are words.
    if next == ":" || next == "/" && end + 2 < text.count && text[end + 2] == "/" { return nil }
    guard let field = SearchCatalogue.field(name, in: domain) else {
      if Self.isBlank(next) { return nil }
      throw unknown(name, start)
    }
    at = end + 1
    guard !Self.isBlank(next) else { throw error(at, "\(field.name): needs a value, like \(field.example)") }
    return .field(field, try fieldValues(field))
  }

  private mutating func fieldValues(_ field: SearchField) throws -> [SearchValue] {
    var list: [SearchValue] = []
    repeat {
      let start = at
      let value: String
      let isExact = at < text.count && text[at] == "\""
      if isExact {
        value = quoted()
      } else {
        var end = at
        while end < text.count, !Self.isBlank(text[end]), !(field.splitsAtCommas && text[end] == ",") { end += 1 }
        value = String(text[at..<end])
        at = end
      }
      guard value.contains(where: { !Self.isBlank($0) }) else {
        throw error(start, "\(field.name): needs a value, like \(field.example)")
      }
      try bound(value, start)
      list.append(try checked(value, isExact: isExact, of: field, at: start))
      values += 1
      guard values <= SearchQuery.mostValues else {
        throw error(start, "a search has \(SearchQuery.mostValues) values at most")
      }
    } while takeComma()
    // What follows a closing quotation mark at once is a term of its own.
    return list
  }

  private mutating func takeComma() -> Bool {
    guard at < text.count, text[at] == "," else { return false }
    at += 1
    return true
  }

  private func checked(_ value: String, isExact: Bool, of field: SearchField, at start: Int) throws -> SearchValue {
    switch field.kind {
    case .number(let unit):
      if let compared = Self.comparison(value, unit) { return compared }
      throw error(start, "\(field.name): takes \(unit.example), not “\(Self.short(value))”")
    case .status:
      if let compared = Self.comparison(value, .count), !value.allSatisfy(\.isNumber) { return compared }
      if let status = SearchStatus(value) { return .text(status.text, isExact: isExact) }
      throw error(
        start, "\(field.name): takes a code (404), a class (5xx), >=500, none or unfinished, not “\(Self.short(value))”"
      )
    case .choice(let known):
      let wanted = value.lowercased()
      if known.contains(where: { $0.hasPrefix(wanted) }) { return .text(wanted, isExact: isExact) }
      let guess = SearchGuess.nearest(to: wanted, among: known)
      throw error(
        start,
        "\(field.name): takes \(known.joined(separator: ", ")), not “\(Self.short(value))”"
          + (guess.map { "; did you mean \(field.name):\($0)?" } ?? ""))
    case .name, .version, .text:
      guard value.count(where: { $0 == "*" }) <= 8 else {
        throw error(start, "a pattern may have 8 asterisks at most")
      }
      return .text(value, isExact: isExact)
    }
  }

  /// `>500ms` by itself is about the duration, where there is one.
  private func shorthand(_ word: String, at start: Int) throws -> SearchTerm.Subject? {
    guard word.first == ">" || word.first == "<", let field = SearchCatalogue.field("duration", in: domain),
      let value = Self.comparison(word, .duration)
    else { return nil }
    return .field(field, [value])
  }

  static func comparison(_ value: String, _ unit: SearchUnit) -> SearchValue? {
    let comparison = SearchComparison.allCases.first { value.hasPrefix($0.rawValue) }
    let rest = value.dropFirst(comparison?.rawValue.count ?? 0)
    return unit.number(rest).map { .compared(comparison ?? .equal, $0) }
  }

  // MARK: Characters

  private mutating func skipBlanks() {
    while at < text.count, Self.isBlank(text[at]) { at += 1 }
  }

  private mutating func untilBlank() -> String {
    let start = at
    while at < text.count, !Self.isBlank(text[at]) { at += 1 }
    return String(text[start..<at])
  }

  /// What stands between quotation marks; `\"` is one inside. One that is not closed goes on to the end, as it does while
  /// somebody types.
  private mutating func quoted() -> String {
    at += 1
    var result = ""
    while at < text.count, text[at] != "\"" {
      if text[at] == "\\", at + 1 < text.count, text[at + 1] == "\"" || text[at + 1] == "\\" { at += 1 }
      result.append(Self.isBlank(text[at]) ? " " : text[at])
      at += 1
    }
    at = min(at + 1, text.count)
    return result
  }

  /// Control characters are none that anybody looks for.
  private static func isBlank(_ character: Character) -> Bool {
    character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func isNamePart(_ character: Character, isFirst: Bool) -> Bool {
    guard character.isASCII else { return false }
    return character.isLetter || !isFirst && (character.isNumber || character == "_" || character == "-")
  }

  // MARK: Errors

  /// In bytes as well: where a text almost has a pattern everywhere, SQLite compares all of it at each place, and cannot be
  /// stopped while it does.
  private func bound(_ value: String, _ start: Int) throws {
    guard value.count <= SearchQuery.longestValue, value.utf8.count <= 2 * SearchQuery.longestValue else {
      throw error(start, "a word or value has \(SearchQuery.longestValue) characters at most")
    }
  }

  private static func short(_ value: String) -> String { value.count > 40 ? value.prefix(40) + "…" : value }

  private static let tooLong = APIError.badRequest(
    "invalid_query", "a search has \(SearchQuery.longest) characters at most", offset: SearchQuery.longest)

  private func unknown(_ name: String, _ start: Int) -> APIError {
    let known = SearchCatalogue.fields(domain)
    let guess = SearchGuess.nearest(to: name.lowercased(), among: known.flatMap { [$0.name] + $0.aliases })
    let advice =
      guess.map { "did you mean \($0):?" } ?? "fields are \(known.map(\.name).joined(separator: ", "))."
    return error(
      start, "unknown field “\(name):”; \(advice) To find the text itself, quote it")
  }

  /// The offset is in UTF-16, as browsers count; people are told the character.
  private func error(_ place: Int, _ message: String) -> APIError {
    let place = min(place, text.count)
    let offset = text[..<place].reduce(0) { $0 + $1.utf16.count }
    return .badRequest("invalid_query", "\(message) (at character \(place + 1))", offset: offset)
  }
}
