import GRDB

/// Terms as conditions on `event`.
///
/// Words that are found in events only can be looked up in the full text index. What else a word can mean (a status, somebody's
/// name), and what stands in front of a colon, is tested row by row.
struct EventTerms {
  /// Where is looked.
  enum Place {
    /// In all events; `fullText`: with an index of their words.
    case everywhere(fullText: Bool)
    /// In all events, each for itself, by what the index of their words would find; parts of words, too.
    case oneByOne
    /// In those of one session: any part of a word is found there, and what is known of the session says nothing.
    case session
    /// In those that arrive: any part of a word is found, and what is known of the session of each.
    case arriving
  }

  /// Words that every event in question has; nil when there are none.
  private(set) var leading: SearchPattern?
  /// Words that an event in question has, or of which something else says that it is meant.
  private(set) var ambiguous: [(pattern: SearchPattern, meaning: SearchCondition)] = []
  /// Everything that is asked for besides ``leading`` and ``ambiguous``.
  private(set) var others: [SearchCondition] = []
  /// Everything that is asked for besides ``leading``.
  private(set) var tests: [SearchCondition] = []

  private let place: Place
  /// Words that are not looked for as beginnings.
  private let wholeWords: Set<String>
  private static let payload = "CAST(event.payload AS TEXT)"
  /// The newest events that a test by words takes into account.
  private static let hits = 50_000

  init(_ query: SearchQuery, in place: Place, wholeWords: Set<String> = [], _ database: Database) throws {
    self.place = place
    self.wholeWords = wholeWords
    var led: [String] = []
    for word in query.words {
      guard case .everywhere(fullText: true) = place, let pattern = SearchPattern(word), pattern.fullText != nil else {
        tests.append(test(word))
        others.append(test(word))
        continue
      }
      if Self.status(word) == nil, try !SearchedSessions.exist(word, database) {
        led.append(word)
      } else {
        tests.append(test(word))
        ambiguous.append((pattern, .any(meanings(word))))
      }
    }
    if !led.isEmpty { leading = SearchPattern(led.joined(separator: " ")) }
    let said = query.others.map { condition($0).negated(if: $0.isNegated) }
    tests += said
    others += said
  }

  /// What the full text index is asked for.
  var patterns: (leading: String?, ambiguous: [String?]) {
    (leading?.fullText(wholeWords: wholeWords), ambiguous.map { $0.pattern.fullText(wholeWords: wholeWords) })
  }

  private static func status(_ word: String) -> Int64? { Int64(word).flatMap { (100...599).contains($0) ? $0 : nil } }

  // MARK: Words

  private func test(_ word: String) -> SearchCondition { .any([text(word)] + meanings(word)) }

  /// What a word can mean besides a word of the event.
  private func meanings(_ word: String) -> [SearchCondition] {
    let status = Self.status(word).map { Self.request(SearchCondition("network.status = ?", [$0])) }
    return [status, session(word)].compactMap(\.self)
  }

  /// What is known of the session.
  private func session(_ text: String) -> SearchCondition? {
    switch place {
    case .everywhere, .oneByOne: SearchedSessions.condition("event.session", text)
    case .session: nil
    case .arriving: SearchedSessions.own("event.session", text)
    }
  }

  private func text(_ text: String, isPhrase: Bool = false) -> SearchCondition {
    let part = EventValues.condition("event.payload", text)
    if case .oneByOne = place, !isPhrase, let words = SearchPattern(text)?.words, !words.isEmpty {
      return .all(words.map { EventValues.condition("event.payload", $0) })
    }
    guard case .everywhere(fullText: true) = place, let words = SearchPattern(text)?.fullText(wholeWords: wholeWords)
    else { return part }
    let found = SearchCondition(
      "event.id IN (SELECT rowid FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(Self.hits))",
      [words])
    return isPhrase ? .all([found, part]) : found
  }

  private func condition(_ term: SearchTerm) -> SearchCondition {
    switch term.subject {
    case .word(let word): test(word)
    case .phrase(let phrase): .any([text(phrase, isPhrase: true)] + (session(phrase).map { [$0] } ?? []))
    case .field(let field, let values): .any(values.map { value(field, $0) })
    }
  }

  // MARK: Fields

  private func value(_ field: SearchField, _ value: SearchValue) -> SearchCondition {
    switch field.name {
    case "type": Self.type(.name("name", value, after: "_"))
    case "level": Self.level(value)
    case "duration": .number("event.duration", value)
    case "status", "method", "host", "path", "url": Self.request(RequestTerms.value(field, value))
    case "message": member(["message", "errorMessage", "customMessage"], value)
    case "name": .all([Self.type(SearchCondition("name IN ('custom', 'span')")), .name(Self.member("name"), value)])
    case "field": Self.field(value)
    case "screen": member(["destination", "currentScreen"], value)
    case "tag":
      .any([
        .all([Self.type(SearchCondition("name = 'log'")), .part(Self.member("tag"), value)]),
        SearchedSessions.condition("event.session", field, value),
      ])
    default: SearchedSessions.condition("event.session", field, value)
    }
  }

  private static func type(_ condition: SearchCondition) -> SearchCondition {
    condition.inside("event.type IN (SELECT id FROM event_type WHERE ")
  }

  private static func request(_ condition: SearchCondition) -> SearchCondition {
    condition.inside("EXISTS (SELECT 1 FROM network WHERE network.event = event.id AND ")
  }

  private static func level(_ value: SearchValue) -> SearchCondition {
    let levels = ["debug", "info", "warning", "error", "fatal"]
    guard case .text(let text, let isExact) = value, let index = levels.firstIndex(where: { $0.hasPrefix(text) }) else {
      return .never
    }
    // 0 is verbose: nothing is asked for by it.
    return SearchCondition("event.severity \(isExact ? "=" : ">=") ?", [index + 1])
  }

  /// A member of what an event has by names of the app's choice.
  private static func field(_ value: SearchValue) -> SearchCondition {
    guard case .text(let text, _) = value else { return .never }
    let said = text.split(separator: "=", maxSplits: 1).last ?? ""
    return .all([
      // Quicker than reading JSON.
      .part(payload, said.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.description),
      .any(
        ["metadata", "properties", "attributes"].map {
          SearchCondition.part("json_each.key || '=' || json_each.value", value).inside(
            "EXISTS (SELECT 1 FROM json_each(\(payload), '$.\($0)') WHERE ")
        }),
    ])
  }

  /// The text itself is looked at first: it is quicker than reading JSON.
  private func member(_ names: [String], _ value: SearchValue) -> SearchCondition {
    guard case .text(let text, _) = value else { return .never }
    return .all([
      .part(Self.payload, text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") }.description),
      .any(names.map { .part(Self.member($0), text) }),
    ])
  }

  /// `name` is one of ours.
  private static func member(_ name: String) -> String { "json_extract(\(payload), '$.\(name)')" }
}
