import AutoMobileClickHouse
import Foundation

/// What is asked of an event: of its columns, which ClickHouse can answer, and of its payload, of which it can answer a part only.
///
/// JSON is read here, by what reads it for SQLite: 18.16 has no functions for it that could be trusted. ClickHouse is asked for all events
/// that may be meant.
indirect enum EventCondition: Sendable {
  /// Of columns. What is not known is not so.
  case column(SQL)
  /// Of the payload: what ClickHouse can say (of more events than are meant), and what is meant.
  case payload(SQL, @Sendable (Data) -> Bool)
  case all([EventCondition])
  case any([EventCondition])
  case not(EventCondition)

  static let never = EventCondition.column("0")

  func negated(if isNegated: Bool) -> EventCondition { isNegated ? .not(self) : self }

  /// Nothing has to be read for it.
  var isColumns: Bool {
    switch self {
    case .column: true
    case .payload: false
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isColumns)
    case .not(let part): part.isColumns
    }
  }

  /// True of all events that are meant; and of no others when ``isColumns``.
  var sql: SQL {
    switch self {
    case .column(let sql): sql
    case .payload(let sql, _): sql
    case .all(let parts): ClickHouseTerms.all(parts.map(\.sql))
    case .any(let parts): ClickHouseTerms.any(parts.map(\.sql))
    case .not(let part): part.isColumns ? ClickHouseTerms.negated(part.sql) : "1"
    }
  }

  /// What of the columns has to be known to decide it, in the order in which ``holds(_:_:)`` takes it.
  var columns: [SQL] {
    switch self {
    case .column(let sql): [sql]
    case .payload: []
    case .all(let parts), .any(let parts): parts.flatMap(\.columns)
    case .not(let part): part.columns
    }
  }

  /// - Parameter answers: to ``columns``.
  func holds(_ payload: Data, _ answers: [Bool]) -> Bool {
    var answers = answers[...]
    return holds(payload, &answers)
  }

  // recursion: as deep as a query is nested, which is some levels.
  private func holds(_ payload: Data, _ answers: inout ArraySlice<Bool>) -> Bool {
    switch self {
    case .column: return answers.popFirst() ?? false
    case .payload(_, let test): return test(payload)
    // All of them are asked: each takes its answers.
    case .all(let parts): return parts.map { $0.holds(payload, &answers) }.allSatisfy(\.self)
    case .any(let parts): return parts.map { $0.holds(payload, &answers) }.contains(true)
    case .not(let part): return !part.holds(payload, &answers)
    }
  }
}

extension EventCondition {
  /// Any of its values has the text in it, a letter of ASCII in either case.
  static func says(_ text: String, maximumDepth: Int) -> EventCondition {
    .payload(beginning(of: text)) { payload in
      payload.withUnsafeBytes { EventValues.holds(text, in: $0, maximumDepth: maximumDepth) }
    }
  }

  /// A text that stands in JSON as it is, the longest part of what is looked for; quicker than reading the JSON.
  static func beginning(of text: String) -> SQL {
    let plain = text.unicodeScalars.split { !$0.isASCII || $0.value < 0x20 || "\"\\/".unicodeScalars.contains($0) }
    guard let longest = plain.max(by: { $0.count < $1.count }) else { return "1" }
    return ClickHouseTerms.part("payload", String(longest))
  }
}
