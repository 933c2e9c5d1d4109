import Foundation
import GRDB

/// The event of a session to which a term leads that is not made of an event's words: a status, a type, a screen, an issue.
struct SessionMoment {
  /// What of the event was asked for.
  var field: String
  /// The first such event of the session `wanted.value`: a SELECT of one number.
  var event: SearchCondition
  /// What to show of `event`, in SQL; nil: what it says itself.
  var text: String?
  /// A word that is not looked for where the row shows it.
  var word: String?

  /// Those that are looked for.
  private static let most = 8

  /// Of a search, in the order in which they say most.
  static func all(_ query: SearchQuery) -> [SessionMoment] {
    let found = query.terms.filter { !$0.isNegated }.flatMap(of)
    return Array(order.flatMap { field in found.filter { $0.field == field } }.prefix(most))
  }

  private static let order = ["statusCode", "issue", "destination", "eventType"]

  private static func of(_ term: SearchTerm) -> [SessionMoment] {
    switch term.subject {
    case .word(let text):
      let code = Int64(text).flatMap { (100...599).contains($0) ? $0 : nil }
      return (code.map { [request(status(.text("\($0)", isExact: true)))] } ?? []) + [
        issue(IssueTerms.text(text), word: text)
      ]
    case .phrase(let text): return [issue(IssueTerms.text(text), word: text)]
    case .field(let field, let values):
      switch field.name {
      case "status": return [request(.any(values.map(status)))]
      case "type": return [type(.any(values.map { .name("name", $0, after: "_") }))]
      case "screen": return [screen(.any(values.map { .part(destination, $0) }))]
      case "issue": return [issue(.any(values.map(SessionTerms.issue)))]
      case "has": return values.flatMap { has(field, $0) }
      default: return []
      }
    }
  }

  private static func status(_ value: SearchValue) -> SearchCondition {
    .status("network.status", value, unfinished: NetworkRow.unfinished)
  }

  private static func has(_ field: SearchField, _ value: SearchValue) -> [SessionMoment] {
    guard case .text(let text, _) = value, let name = field.choices.first(where: { $0.hasPrefix(text) }) else {
      return []
    }
    switch name {
    case "crash", "hang": return [error("type = (SELECT id FROM event_type WHERE name = '\(name)')")]
    case "request": return [request(SearchCondition("1"))]
    case "failed": return [request(SearchCondition("network.failed = 1"))]
    case "issue": return [issue(SearchCondition("1"))]
    case "error": return [error("1")]
    default: return []
    }
  }

  // MARK: Each of its kind

  private static func request(_ condition: SearchCondition) -> SessionMoment {
    SessionMoment(
      field: "statusCode",
      event: condition.inside(
        "SELECT event FROM \(IndexedRows.network(by: "network_session")) WHERE network.session = wanted.value AND ",
        " ORDER BY network.timestamp LIMIT 1"),
      text: """
        (SELECT method || ' ' || path || ': ' || IFNULL(status, IFNULL(error, 'no response')) FROM network
          WHERE network.event = event.id)
        """)
  }

  private static func type(_ condition: SearchCondition) -> SessionMoment {
    SessionMoment(
      field: "eventType",
      event: condition.inside(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = wanted.value
          AND type IN (SELECT id FROM event_type WHERE \

        """, ") ORDER BY timestamp, id LIMIT 1"))
  }

  /// Of errors a session has few, and an index of their own.
  private static func error(_ condition: String) -> SessionMoment {
    SessionMoment(
      field: "eventType",
      event: SearchCondition(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_error")) WHERE session = wanted.value AND severity >= 4 AND \(condition)
        ORDER BY timestamp LIMIT 1
        """))
  }

  private static let destination = "json_extract(CAST(payload AS TEXT), '$.destination')"

  private static func screen(_ condition: SearchCondition) -> SessionMoment {
    SessionMoment(
      field: "destination",
      event: condition.inside(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = wanted.value
          AND type = (SELECT id FROM event_type WHERE name = 'navigation') AND \

        """, " ORDER BY timestamp, id LIMIT 1"), text: destination)
  }

  /// Reports are errors.
  private static func issue(_ condition: SearchCondition, word: String? = nil) -> SessionMoment {
    SessionMoment(
      field: "issue",
      event: condition.inside(
        """
        SELECT event.id FROM \(IndexedRows.event(by: "event_error")) CROSS JOIN issue_event ON issue_event.event = event.id
          CROSS JOIN issue ON issue.id = issue_event.issue
        WHERE event.session = wanted.value AND event.severity >= 4 AND \

        """, " ORDER BY event.timestamp LIMIT 1"),
      text: """
        (SELECT IFNULL(template, cause || IFNULL(' in ' || culprit, '')) FROM issue_event
          JOIN issue ON issue.id = issue_event.issue WHERE issue_event.event = event.id)
        """, word: word)
  }

  // MARK: Finding it

  /// Notes the events of those sessions that have one.
  func find(in sessions: [Int64], _ found: inout [Int64: SearchMatch], _ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT wanted.value, event.id, event.timestamp, event_type.name, event.payload, \(text ?? "NULL")
        FROM json_each(?) AS wanted CROSS JOIN event ON event.id = (\(event.sql))
          JOIN event_type ON event_type.id = event.type
        """, arguments: ["\(sessions)"] + event.arguments)
    for row in rows {
      let type: String = row[3]
      var shown: (field: String, text: String?) = (field, row[5])
      if shown.text == nil {
        let said = try row.withUnsafeData(atIndex: 4) { data in
          data?.withUnsafeBytes { SearchMatch.summary(of: $0, maximumDepth: SessionMatches.depth) }
        }
        if let said { shown = (said.field, said.text) }
      }
      found[row[0]] = SearchMatch(
        event: row[1], timestamp: row[2], type: type, field: shown.field,
        text: shown.text.map(SearchMatch.line) ?? type)
    }
  }
}
