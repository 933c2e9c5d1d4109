import GRDB

/// Terms as conditions on `network`.
///
/// Words that are found in events only can be looked up in the full text index, which then leads to the requests. What else a
/// word can mean (a status, somebody's name) is tested row by row.
struct RequestTerms {
  /// Words that every request in question has among the words of its event; nil when the index cannot lead.
  private(set) var leading: SearchPattern?
  private(set) var tests: [SearchCondition] = []
  /// Whether a test reads the events themselves.
  private(set) var readsPayloads = false

  private let hasFullText: Bool
  private let isWholeWords: Bool

  /// - Parameter isOfSession: only the requests of one session are asked for. There any part of a word is found, and what is
  ///   known of the session says nothing.
  init(_ query: SearchQuery, hasFullText: Bool, isOfSession: Bool, _ database: Database) throws {
    self.hasFullText = hasFullText && !isOfSession
    isWholeWords = query.isWholeWords
    var led: [String] = []
    for word in query.words {
      let status = Int64(word).flatMap { (100...599).contains($0) ? $0 : nil }
      let isKnown = try !isOfSession && SearchedSessions.exist(word, database)
      if self.hasFullText, status == nil, !isKnown, SearchPattern(word)?.fullText != nil {
        led.append(word)
      } else {
        tests.append(test(word, status: status, isKnown: isKnown))
      }
    }
    if !led.isEmpty { leading = SearchPattern(led.joined(separator: " ")) }
    for term in query.others { tests.append(condition(term, isOfSession: isOfSession).negated(if: term.isNegated)) }
  }

  // MARK: Words

  private mutating func test(_ word: String, status: Int64?, isKnown: Bool) -> SearchCondition {
    var places: [SearchCondition] = []
    if let status { places.append(SearchCondition("network.status = ?", [status])) }
    if isKnown { places.append(SearchedSessions.condition("network.session", word)) }
    places.append(text(word))
    return .any(places)
  }

  private mutating func text(_ text: String, phrase: Bool = false) -> SearchCondition {
    guard hasFullText, let pattern = SearchPattern(text),
      let words = pattern.fullText(wholeWords: isWholeWords ? Set(pattern.words) : [])
    else {
      readsPayloads = true
      return Self.holds(text)
    }
    let found = SearchCondition(
      "network.event IN (SELECT rowid FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(NetworkSelection.hits))",
      ["\(words) \"network\" \"request\""])
    guard phrase else { return found }
    readsPayloads = true
    return .all([found, Self.holds(text)])
  }

  private static func holds(_ text: String) -> SearchCondition {
    EventValues.condition("event.payload", text).inside(
      "EXISTS (SELECT 1 FROM event WHERE event.id = network.event AND ")
  }

  private mutating func condition(_ term: SearchTerm, isOfSession: Bool) -> SearchCondition {
    switch term.subject {
    case .word(let word):
      let status = Int64(word).flatMap { (100...599).contains($0) ? $0 : nil }
      return test(word, status: status, isKnown: !isOfSession)
    case .phrase(let phrase):
      let found = text(phrase, phrase: true)
      return isOfSession ? found : .any([found, SearchedSessions.condition("network.session", phrase)])
    case .field(let field, let values): return .any(values.map { Self.value(field, $0) })
    }
  }

  // MARK: Fields

  static func value(_ field: SearchField, _ value: SearchValue) -> SearchCondition {
    switch field.name {
    case "status": return .status("network.status", value, unfinished: NetworkRow.unfinished)
    case "method": return .name("network.method", value, after: "")
    case "host":
      return SearchCondition.name("network_host.name", value)
        .inside("network.host IN (SELECT id FROM network_host WHERE ")
    case "path":
      if case .text(let text, isExact: false) = value, text.contains("*") { return .glob("network.path", text) }
      return .part("network.path", value)
    case "url": return .part(url, value)
    case "duration": return .number("network.duration", value, factor: 1000)
    case "size": return .number("network.received", value)
    case "sent": return .number("network.sent", value)
    case "error": return .part("network.error", value)
    case "route":
      return SearchCondition.part("pattern", value).inside("network.route IN (SELECT id FROM network_route WHERE ")
    case "tracer": return .name("network.tracer", value)
    case "operation": return .name("network.operation", value)
    case "mock": return .name("network.mock", value)
    case "has": return has(value)
    default: return SearchedSessions.condition("network.session", field, value)
    }
  }

  private static let url = """
    ((SELECT name FROM network_host WHERE id = network.host) || network.path || IFNULL('?' || network.query, ''))
    """

  private static func has(_ value: SearchValue) -> SearchCondition {
    guard case .text(let text, _) = value else { return .never }
    let known = [
      "error": "network.failed = 1", "failed": "network.failed = 1", "mock": "network.mock IS NOT NULL",
      "tracer": "network.tracer IS NOT NULL", "response": "network.status IS NOT NULL",
    ]
    return .any(known.filter { $0.key.hasPrefix(text) }.sorted { $0.key < $1.key }.map { SearchCondition($0.value) })
  }
}
