import GRDB

/// Terms as conditions on `session`: in the list of sessions, and wherever something belongs to one.
struct SessionTerms {
  /// The newest events that a text search takes into account: what is looked for in a hurry is seldom older.
  static let hits = 20_000

  /// Events that say something in words.
  static let saying = ["log", "handled_exception", "crash", "custom"]

  let hasFullText: Bool
  /// From which time on a session counts as live.
  let live: Int64
  var isWholeWords = false

  func conditions(_ query: SearchQuery) -> [SearchCondition] {
    var conditions = query.others.map { condition($0).negated(if: $0.isNegated) }
    let words = query.words
    guard !words.isEmpty else { return conditions }
    let each = SearchCondition.all(words.map(word))
    // Of many words each may be in very many events. That one event has them all is asked besides, so that it is found
    // whatever else there is.
    let together = words.count > 1 ? SearchPattern(words.joined(separator: " ")).flatMap { events($0) } : nil
    conditions.append(together.map { .any([$0, each]) } ?? each)
    return conditions
  }

  private func condition(_ term: SearchTerm) -> SearchCondition {
    switch term.subject {
    case .word(let text): word(text)
    case .phrase(let text): phrase(text)
    case .field(let field, let values): .any(values.map { value(field, $0) })
    }
  }

  // MARK: Words

  /// Anywhere: in what is known of the session, its screens, its issues, and its events.
  private func word(_ text: String) -> SearchCondition {
    // What is worked out once comes first.
    var places = [Self.hasIssue(IssueTerms.text(text)), Self.known(text), Self.visited(.part("screen", text))]
    if let code = Int64(text), (100...599).contains(code) {
      places.append(Self.hasStatus(.text(text, isExact: true)))
    }
    if let events = SearchPattern(text).flatMap({ events($0) }) { places.insert(events, at: 0) }
    return .any(places)
  }

  private func phrase(_ text: String) -> SearchCondition {
    var places = [
      Self.known(text), Self.visited(.part("screen", text)), Self.hasIssue(IssueTerms.text(text)),
    ]
    if let events = SearchPattern(text).flatMap({ events($0, phrase: text) }) { places.append(events) }
    return .any(places)
  }

  /// What a session says of itself.
  static func known(_ text: String) -> SearchCondition {
    .any([
      .part(
        """
        (sessionId || ' ' || IFNULL(userId, '') || ' ' || IFNULL(tags, '') || ' ' || IFNULL(appVersion, '')
          || ' ' || IFNULL(bundleId, ''))
        """, text), device(text),
    ])
  }

  /// In the values, not in what they are called. The text of them all is looked at first: that is quicker than reading JSON.
  private static func device(_ text: String) -> SearchCondition {
    .all([
      .part("session.device", String(text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })),
      .any([SessionSelection.device, SessionSelection.system, SessionSelection.maker].map { .part($0, text) }),
    ])
  }

  private static func visited(_ screen: SearchCondition) -> SearchCondition {
    screen.inside("EXISTS (SELECT 1 FROM session_screen WHERE session_screen.session = session.id AND ")
  }

  private static func hasIssue(_ issue: SearchCondition) -> SearchCondition {
    issue.inside(
      """
      session.id IN (SELECT issue_session.session FROM issue CROSS JOIN issue_session ON issue_session.issue = issue.id WHERE \

      """)
  }

  /// Sessions with an event that holds the words. Worked out once, whatever the number of sessions.
  func events(_ pattern: SearchPattern, types: [String] = [], phrase: String? = nil) -> SearchCondition? {
    let names = types.map { "'\($0)'" }.joined(separator: ",")
    let isType = types.isEmpty ? "" : " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(names)))"
    let holds = phrase.map { EventValues.condition("event.payload", $0) }
    if hasFullText {
      guard let text = pattern.fullText(wholeWords: isWholeWords || pattern.isWholeWords ? Set(pattern.words) : [])
      else { return nil }
      return SearchCondition(
        """
        session.id IN (SELECT event.session FROM
          (SELECT rowid AS hit FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(Self.hits)) AS found
          CROSS JOIN event ON event.id = found.hit\(isType)\(holds.map { " AND " + $0.sql } ?? ""))
        """, [text] + (holds?.arguments ?? []))
    }
    return EventValues.condition("event.payload", phrase ?? pattern.text).inside(
      """
      session.id IN (SELECT session FROM event WHERE event.id > (SELECT id FROM newest_event) - \(Self.hits)\(isType) AND \

      """)
  }

  // MARK: Fields

  private func value(_ field: SearchField, _ value: SearchValue) -> SearchCondition {
    switch field.name {
    case "screen": Self.visited(.part("screen", value))
    case "url": texts(value, ["network_request"])
    case "message": texts(value, Self.saying)
    case "issue": Self.hasIssue(Self.issue(value))
    case "status": Self.hasStatus(value)
    case "type":
      SearchCondition.name("event_type.name", value, after: "_").inside(
        """
        EXISTS (SELECT 1 FROM session_type JOIN event_type ON event_type.id = session_type.type
          WHERE session_type.session = session.id AND \

        """)
    case "ended": choice(value, field) { SearchCondition("\(SessionSelection.ended) = ?", [$0]) }
    case "has": choice(value, field, has)
    case "duration": .number("(session.last - session.first)", value)
    case "events": .number(SessionSelection.events, value)
    case "errors": .number(SessionSelection.errors, value)
    case "launch":
      SearchCondition.name("launch.launchId", value, after: "").inside(
        """
        EXISTS (SELECT 1 FROM session_launch JOIN launch ON launch.id = session_launch.launch
          WHERE session_launch.session = session.id AND \

        """)
    default: Self.shared(field, value)
    }
  }

  /// The fields that every domain has.
  static func shared(_ field: SearchField, _ value: SearchValue) -> SearchCondition {
    switch field.name {
    case "user": .name("session.userId", value)
    case "app": .name("session.bundleId", value, after: ".")
    case "version": .version("session.appVersion", value)
    case "device": .name(SessionSelection.device, value, after: " ")
    case "os": .name(SessionSelection.system, value, after: " ")
    case "session": .name("session.sessionId", value, after: ":")
    case "tag":
      SearchCondition.part("json_each.key || '=' || json_each.value", value).inside(
        "EXISTS (SELECT 1 FROM json_each(session.tags) WHERE ")
    default: .never
    }
  }

  private func texts(_ value: SearchValue, _ types: [String]) -> SearchCondition {
    guard case .text(let text, let isExact) = value, let pattern = SearchPattern(text) else { return .never }
    return events(pattern, types: types, phrase: isExact ? text : nil) ?? .never
  }

  /// What `issue:` asks of one.
  static func issue(_ value: SearchValue) -> SearchCondition {
    guard case .text(let text, _) = value else { return .never }
    return .any([IssueTerms.text(text), .name("issue.name", value)])
  }

  private func choice(
    _ value: SearchValue, _ field: SearchField, _ condition: (String) -> SearchCondition
  ) -> SearchCondition {
    guard case .text(let text, let isExact) = value else { return .never }
    return .any(field.choices.filter { isExact ? $0 == text : $0.hasPrefix(text) }.map(condition))
  }

  private func has(_ name: String) -> SearchCondition {
    switch name {
    case "request": SearchCondition(SessionSelection.hasType("network_request"))
    case "replay": SearchCondition("session.sessionId IN (SELECT sessionId FROM replay_session)")
    case "issue": SearchCondition("session.id IN (SELECT session FROM issue_session)")
    default: SearchCondition(SessionSelection.has[name] ?? "0", name == "live" ? [live] : [])
    }
  }

  /// Among the newest of those requests that can have it.
  private static func hasStatus(_ value: SearchValue) -> SearchCondition {
    let source =
      isFailure(value)
      ? IndexedRows.network(by: "network_failed") + " WHERE failed = 1" : IndexedRows.network(by: "network_time")
    return SearchCondition.status("status", value, unfinished: NetworkRow.unfinished).inside(
      """
      session.id IN (SELECT session FROM (SELECT session, status, error, failed FROM \(source)
        ORDER BY timestamp DESC LIMIT \(hits)) AS network WHERE \

      """)
  }

  private static func isFailure(_ value: SearchValue) -> Bool {
    switch value {
    case .compared(let comparison, let number): number >= 400 && [.more, .atLeast, .equal].contains(comparison)
    case .text(let text, _):
      if case .codes(let codes)? = SearchStatus(text) { codes.lowerBound >= 400 } else { false }
    }
  }
}
