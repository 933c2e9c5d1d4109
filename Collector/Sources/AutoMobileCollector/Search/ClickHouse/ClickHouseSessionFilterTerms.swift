import AutoMobileClickHouse

/// Terms as conditions on sessions that have been put together: what ``SessionTerms`` asks of SQLite's.
///
/// What happened in a session is asked of all its events, not of the newest of all.
struct ClickHouseSessionFilterTerms {
  let reading: ClickHouseReading
  /// From which time on a session counts as live.
  let live: Int64

  /// - Throws: ``APIError`` 501 for what only one machine's index knows.
  func conditions(_ query: SearchQuery) throws -> [SQL] {
    var conditions = try query.others.map { try ClickHouseTerms.negated(condition($0), if: $0.isNegated) }
    // Each word may stand somewhere else.
    conditions += query.words.map(word)
    return conditions
  }

  private func condition(_ term: SearchTerm) throws -> SQL {
    switch term.subject {
    case .word(let text): return word(text)
    case .phrase(let text): return phrase(text)
    case .field(let field, let values): return try ClickHouseTerms.any(values.map { try value(field, $0) })
    }
  }

  // MARK: Words

  /// Anywhere: in what is known of the session, its screens, its reports, and its events.
  private func word(_ text: String) -> SQL {
    var places = [ClickHouseSessionTerms.known(text), visited(text), hasReport(text)]
    if let code = Int64(text), (100...599).contains(code) {
      places.append(has(TelemetryTables.requests, "status = \(code)"))
    }
    if let events = SearchPattern(text).flatMap({ events($0) }) { places.append(events) }
    return ClickHouseTerms.any(places)
  }

  private func phrase(_ text: String) -> SQL {
    var places = [ClickHouseSessionTerms.known(text), visited(text), hasReport(text)]
    if let events = SearchPattern(text).flatMap({ events($0, phrase: text) }) { places.append(events) }
    return ClickHouseTerms.any(places)
  }

  func visited(_ text: String) -> SQL {
    "arrayExists(name -> \(ClickHouseTerms.part("name", text)), said_screens)"
  }

  /// Sessions with an event that holds the words.
  ///
  /// - Parameter phrase: that stands in its JSON as it is, too. What JSON writes in another way is not looked for.
  func events(_ pattern: SearchPattern, types: [String] = [], phrase: String? = nil) -> SQL? {
    guard let words = ClickHouseTerms.words(pattern, reading.dialect) else { return nil }
    var conditions = [words]
    if !types.isEmpty { conditions.append("type IN (\(SQL.joined(types.map { "\(text: $0)" }, ", ")))") }
    if let phrase, let piece = EventValues.plainPiece(of: phrase) {
      conditions.append(ClickHouseTerms.part("payload", piece))
    }
    return has(TelemetryTables.events, ClickHouseTerms.all(conditions))
  }

  /// Sessions with a row of a table for which a condition holds.
  private func has(_ table: TelemetryTable, _ condition: SQL) -> SQL {
    "shard IN (\(reading.copies("DISTINCT shard", of: table, [condition]).sql))"
  }

  /// In what a report is called, says, and is made of.
  private func hasReport(_ text: String) -> SQL { hasReport(all: [text]) }

  /// Sessions with a report that has all of this in it.
  func hasReport(all texts: [String]) -> SQL {
    has(TelemetryTables.reports, ClickHouseTerms.all(texts.map(Self.reportSays)))
  }

  static func reportSays(_ text: String) -> SQL {
    let title: SQL = "concat(ifNull(concat(template, ' '), ''), cause, ifNull(concat(' in ', culprit), ''))"
    let all: SQL = "concat(\(title), ' ', ifNull(message, ''), ' ', bundle, ' ', ifNull(file, ''))"
    return ClickHouseTerms.any([ClickHouseTerms.part(all, text), ClickHouseTerms.part("functions", text)])
  }

  /// That a report says it, or is one of an issue that is called so.
  static func report(_ value: SearchValue) -> SQL {
    guard case .text(let text, _) = value else { return ClickHouseTerms.never }
    return ClickHouseTerms.any([reportSays(text), ClickHouseTerms.name("fingerprint", value)])
  }

  // MARK: Fields

  private func value(_ field: SearchField, _ value: SearchValue) throws -> SQL {
    switch field.name {
    case "screen":
      guard case .text(let text, _) = value else { return ClickHouseTerms.never }
      return visited(text)
    case "url": return texts(value, ["network_request"])
    case "message": return texts(value, SessionTerms.saying)
    case "issue": return has(TelemetryTables.reports, Self.report(value))
    case "status":
      return has(
        TelemetryTables.requests, ClickHouseTerms.status("status", value, unfinished: NetworkRow.isUnfinished))
    case "type": return "arrayExists(name -> \(ClickHouseTerms.name("name", value, after: "_")), said_types)"
    case "ended": return try choice(value, field) { "\(SessionColumns.ended) = \(text: $0)" }
    case "has": return try choice(value, field) { try has($0) }
    case "duration": return ClickHouseTerms.number("(said_last - said_first)", value)
    case "events": return ClickHouseTerms.number(SessionColumns.events, value)
    case "errors": return ClickHouseTerms.number(SessionColumns.errors, value)
    case "launch": return "arrayExists(name -> \(ClickHouseTerms.name("name", value, after: "")), said_launches)"
    default: return ClickHouseSessionTerms.shared(field, value)
    }
  }

  private func texts(_ value: SearchValue, _ types: [String]) -> SQL {
    guard case .text(let text, let isExact) = value, let pattern = SearchPattern(text) else {
      return ClickHouseTerms.never
    }
    return events(pattern, types: types, phrase: isExact ? text : nil) ?? ClickHouseTerms.never
  }

  private func choice(
    _ value: SearchValue, _ field: SearchField, _ condition: (String) throws -> SQL
  ) throws -> SQL {
    guard case .text(let text, let isExact) = value else { return ClickHouseTerms.never }
    return try ClickHouseTerms.any(
      field.choices.filter { isExact ? $0 == text : $0.hasPrefix(text) }.map(condition))
  }

  /// What a session can have.
  func has(_ name: String) throws -> SQL {
    switch name {
    case "crash": "(\(SessionColumns.ended) = 'crash' OR told_crashes > 0 OR has(said_types, 'crash'))"
    case "hang": "(has(said_types, 'hang') OR told_hangs > 0)"
    case "failed": "(\(has(TelemetryTables.requests, "failed = 1")) OR told_failed > 0)"
    case "error":
      "(\(has(TelemetryTables.events, "severity >= 4 AND \(SessionColumns.isEvent)")) OR told_errors > 0)"
    case "live": "(\(SessionColumns.isLive(reading, since: live)) AND told_final = 0)"
    case "request": "has(said_types, 'network_request')"
    case "issue": has(TelemetryTables.reports, "1")
    case "replay": has(TelemetryTables.replays, "1")
    default: ClickHouseTerms.never
    }
  }
}
