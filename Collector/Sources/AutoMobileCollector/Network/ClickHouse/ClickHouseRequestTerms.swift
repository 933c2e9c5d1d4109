import AutoMobileClickHouse

/// Terms as conditions on ClickHouse's `requests`: what ``RequestTerms`` asks of SQLite.
///
/// What only reading an event's JSON can tell is looked for before (``ClickHouseHeldTexts``), and stands here as numbers of events.
struct ClickHouseRequestTerms {
  let reading: ClickHouseReading
  /// Only the requests of one session are asked for. There any part of a word is found, and what is known of the session says nothing.
  let isOfSession: Bool
  /// What holds of the events in question: the session, the time.
  let range: [SQL]
  /// Words that are said of one of the newest sessions at least.
  let known: Set<String>
  /// Numbers of the events that hold a text in their values.
  let held: [String: [Int64]]

  /// The newest events that a text search takes into account, of each shard.
  static let hits = 50_000
  /// Where requests are searched by what is known of their sessions: the newest ones.
  static let sessions = 5000

  func conditions(_ query: SearchQuery) -> [SQL] {
    var conditions: [SQL] = []
    var led: [String] = []
    for word in query.words {
      if !isOfSession, !known.contains(word), Self.status(word) == nil, SearchPattern(word)?.fullText != nil {
        led.append(word)
      } else {
        conditions.append(test(word))
      }
    }
    // One look for all of them.
    if let pattern = SearchPattern(led.joined(separator: " ")), let words = words(pattern) { conditions.append(words) }
    for term in query.others { conditions.append(ClickHouseTerms.negated(condition(term), if: term.isNegated)) }
    return conditions
  }

  /// Texts that are to be looked for in the values of events.
  static func toHold(_ query: SearchQuery, isOfSession: Bool) -> [String] {
    query.terms.compactMap { term in
      switch term.subject {
      case .word(let word): isOfSession || SearchPattern(word)?.fullText == nil ? word : nil
      case .phrase(let phrase): phrase
      case .field: nil
      }
    }
  }

  /// Words of which it has to be asked whether they are said of a session.
  static func toKnow(_ query: SearchQuery) -> [String] {
    query.terms.compactMap { term in
      if case .word(let word) = term.subject { word } else { nil }
    }
  }

  // MARK: Words

  private static func status(_ word: String) -> Int64? { Int64(word).flatMap { (100...599).contains($0) ? $0 : nil } }

  private func test(_ word: String) -> SQL {
    var places: [SQL] = []
    if let status = Self.status(word) { places.append("status = \(status)") }
    if !isOfSession, known.contains(word) {
      places.append(ofSessions(ClickHouseSessionTerms.known(word), Self.sessions))
    }
    if let numbers = held[word] {
      places.append(Self.numbers(numbers))
    } else if let words = SearchPattern(word).flatMap({ words($0) }) {
      places.append(words)
    }
    return ClickHouseTerms.any(places)
  }

  private func words(_ pattern: SearchPattern) -> SQL? {
    guard let words = ClickHouseTerms.words(pattern, reading.dialect) else { return nil }
    let found = reading.copies(
      "id", of: TelemetryTables.events, ["type = 'network_request'", words] + range,
      "ORDER BY id DESC LIMIT \(count: Self.hits)", isOnShard: true)
    return "id IN (\(found.sql))"
  }

  private static func numbers(_ ids: [Int64]) -> SQL {
    ids.isEmpty ? ClickHouseTerms.never : "id IN (SELECT arrayJoin(\(SQLValue.ints(ids))))"
  }

  private func ofSessions(_ condition: SQL, _ newest: Int? = nil) -> SQL {
    ClickHouseSessionTerms.has(condition, reading, newest: newest)
  }

  private func condition(_ term: SearchTerm) -> SQL {
    switch term.subject {
    case .word(let word): return test(word)
    case .phrase(let phrase):
      let found = Self.numbers(held[phrase] ?? [])
      return isOfSession
        ? found : ClickHouseTerms.any([found, ofSessions(ClickHouseSessionTerms.known(phrase), Self.sessions)])
    case .field(let field, let values): return ClickHouseTerms.any(values.map { value(field, $0) })
    }
  }

  // MARK: Fields

  func value(_ field: SearchField, _ value: SearchValue) -> SQL {
    switch field.name {
    case "status": return ClickHouseTerms.status("status", value, unfinished: NetworkRow.isUnfinished)
    case "method": return ClickHouseTerms.name("method", value, after: "")
    case "host": return ClickHouseTerms.name("host", value)
    case "path":
      if case .text(let text, isExact: false) = value, text.contains("*") { return ClickHouseTerms.glob("path", text) }
      return ClickHouseTerms.part("path", value)
    case "url": return ClickHouseTerms.part("concat(host, path, ifNull(concat('?', query), ''))", value)
    case "duration": return ClickHouseTerms.number("duration", value, factor: 1000)
    case "size": return ClickHouseTerms.number("got", value)
    case "sent": return ClickHouseTerms.number("sent", value)
    case "error": return ClickHouseTerms.part("error", value)
    case "route": return ClickHouseTerms.part("route", value)
    case "tracer": return ClickHouseTerms.name("tracer", value)
    case "operation": return ClickHouseTerms.name("operation", value)
    case "mock": return ClickHouseTerms.name("mock", value)
    case "has": return Self.has(value)
    default: return ofSessions(ClickHouseSessionTerms.shared(field, value))
    }
  }

  private static func has(_ value: SearchValue) -> SQL {
    guard case .text(let text, _) = value else { return ClickHouseTerms.never }
    let known: [(name: String, condition: SQL)] = [
      ("error", "failed = 1"), ("failed", "failed = 1"), ("mock", "isNotNull(mock)"), ("response", "isNotNull(status)"),
      ("tracer", "isNotNull(tracer)"),
    ]
    return ClickHouseTerms.any(known.filter { $0.name.hasPrefix(text) }.map(\.condition))
  }
}
