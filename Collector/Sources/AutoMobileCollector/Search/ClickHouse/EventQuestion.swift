import AutoMobileClickHouse
import Foundation

/// An ``EventFilter`` as conditions on ClickHouse's events: what ``EventTerms`` makes of it for SQLite.
struct EventQuestion: Sendable {
  /// Where is looked.
  enum Place: Sendable {
    /// In all events, by whole words and the beginnings of words.
    case everywhere
    /// In those of one session: any part of a word is found there, and what is known of the session says nothing.
    case session(SessionName)
    /// In those that arrive: any part of a word is found, and what is known of the session of each.
    case arriving
  }

  /// What is true of all events that are meant.
  private(set) var range: [SQL] = []
  /// What else has to hold; nil when that is all.
  private(set) var rest: EventCondition?

  private let place: Place
  private let reading: ClickHouseReading

  init(_ filter: EventFilter, in place: Place, _ reading: ClickHouseReading) throws {
    self.place = place
    self.reading = reading
    if !filter.types.isEmpty {
      range.append("type IN (\(SQL.joined(filter.types.map { "\(text: $0)" }, ", ")))")
    }
    let conditions =
      filter.query.words.map(word) + filter.query.others.map { condition($0).negated(if: $0.isNegated) }
    range += conditions.map(\.sql)
    let rest = conditions.filter { !$0.isColumns }
    self.rest = rest.isEmpty ? nil : .all(rest)
  }

  /// - Parameter range: what holds of the events besides.
  func rows(_ columns: [StaticString], range: [SQL]) -> DistinctRows {
    var rows = DistinctRows(TelemetryTables.events, columns: columns + ["type"])
    // The payload and the words of all copies are the same.
    rows.range = range + self.range
    return rows
  }

  private var depth: Int { reading.limits.jsonDepth }

  // MARK: Words

  private func word(_ word: String) -> EventCondition { .any([text(word)] + meanings(word)) }

  /// What a word can mean besides a word of the event.
  private func meanings(_ word: String) -> [EventCondition] {
    let status = Int64(word).flatMap { (100...599).contains($0) ? request("status = \($0)") : nil }
    return [status, session(word)].compactMap(\.self)
  }

  /// What is known of the session.
  private func session(_ text: String) -> EventCondition? {
    if case .session = place { return nil }
    return .column(ClickHouseSessionTerms.has(ClickHouseSessionTerms.known(text), reading))
  }

  private func text(_ text: String, isPhrase: Bool = false) -> EventCondition {
    let part = EventCondition.says(text, maximumDepth: depth)
    guard case .everywhere = place, let pattern = SearchPattern(text),
      let words = ClickHouseTerms.words(pattern, reading.dialect)
    else { return part }
    return isPhrase ? .all([.column(words), part]) : .column(words)
  }

  private func condition(_ term: SearchTerm) -> EventCondition {
    switch term.subject {
    case .word(let word): self.word(word)
    case .phrase(let phrase): .any([text(phrase, isPhrase: true)] + (session(phrase).map { [$0] } ?? []))
    case .field(let field, let values): .any(values.map { value(field, $0) })
    }
  }

  // MARK: Fields

  private func value(_ field: SearchField, _ value: SearchValue) -> EventCondition {
    switch field.name {
    case "type": .column(ClickHouseTerms.name("type", value, after: "_"))
    case "level": Self.level(value)
    case "duration": .column(ClickHouseTerms.number("duration", value))
    case "status", "method", "host", "path", "url": request(requests.value(field, value))
    case "message": member(["message", "errorMessage", "customMessage"], value)
    case "name":
      .all([
        .column("type IN ('custom', 'span')"),
        .payload(Self.beginning(value)) { [depth] payload in
          EventMember.values(["name"], in: payload, maximumDepth: depth).contains { EventMember.isName($0, value) }
        },
      ])
    case "field": self.field(value)
    case "screen": member(["destination", "currentScreen"], value)
    case "tag":
      .any([
        .all([.column("type = 'log'"), member(["tag"], value)]),
        .column(ClickHouseSessionTerms.has(ClickHouseSessionTerms.shared(field, value), reading)),
      ])
    default: .column(ClickHouseSessionTerms.has(ClickHouseSessionTerms.shared(field, value), reading))
    }
  }

  private var requests: ClickHouseRequestTerms {
    ClickHouseRequestTerms(reading: reading, isOfSession: true, range: [], known: [], held: [:])
  }

  private func request(_ condition: SQL) -> EventCondition {
    var range: [SQL] = []
    if case .session(let name) = place { range = name.range }
    let found = reading.copies(
      "project, launch, position", of: TelemetryTables.requests, range + [condition], isOnShard: true)
    return .column("type = 'network_request' AND (project, launch, position) IN (\(found.sql))")
  }

  private static func level(_ value: SearchValue) -> EventCondition {
    let levels = ["debug", "info", "warning", "error", "fatal"]
    guard case .text(let text, let isExact) = value, let index = levels.firstIndex(where: { $0.hasPrefix(text) }) else {
      return .never
    }
    // 0 is verbose: nothing is asked for by it.
    return .column(isExact ? "severity = \(Int64(index + 1))" : "severity >= \(Int64(index + 1))")
  }

  /// A member of what an event has by names of the app's choice.
  private func field(_ value: SearchValue) -> EventCondition {
    guard case .text(let text, _) = value else { return .never }
    let said = String(text.split(separator: "=", maxSplits: 1).last ?? "")
    return .payload(Self.plain(said)) { [depth] payload in
      EventMember.pairs(["metadata", "properties", "attributes"], in: payload, maximumDepth: depth)
        .contains { EventMember.isPart(text, of: $0) }
    }
  }

  private func member(_ names: [String], _ value: SearchValue) -> EventCondition {
    guard case .text(let text, _) = value else { return .never }
    return .payload(Self.plain(text)) { [depth] payload in
      EventMember.values(names, in: payload, maximumDepth: depth).contains { EventMember.isPart(text, of: $0) }
    }
  }

  private static func beginning(_ value: SearchValue) -> SQL {
    guard case .text(let text, _) = value else { return "0" }
    return plain(text)
  }

  /// The beginning of a text, as far as JSON writes it as it is.
  private static func plain(_ text: String) -> SQL {
    let plain = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") }
    return plain.isEmpty ? "1" : ClickHouseTerms.part("payload", String(plain))
  }
}
