import Foundation
import GRDB

/// How SQLite finds the first event of a kind.
private struct MomentStatement {
  /// The first such event of the session `wanted.value`: a SELECT of one number.
  var event: SearchCondition
  /// What to show of `event`, in SQL; nil: what it says itself.
  var text: String?

  init(event: SearchCondition, text: String? = nil) {
    self.event = event
    self.text = text
  }

  init(_ kind: SessionMoment.Kind) {
    self =
      switch kind {
      case .request: Self.request(SearchCondition("1"))
      case .failedRequest: Self.request(SearchCondition("network.failed = 1"))
      case .status(let values):
        Self.request(.any(values.map { .status("network.status", $0, unfinished: NetworkRow.unfinished) }))
      case .issue: Self.issue(SearchCondition("1"))
      case .issueSaying(let text): Self.issue(IssueTerms.text(text))
      case .issueOf(let values): Self.issue(.any(values.map(SessionTerms.issue)))
      case .screen(let values): Self.screen(.any(values.map { .part(Self.destination, $0) }))
      case .error(nil): Self.error("1")
      case .error(let type?): Self.error("type = (SELECT id FROM event_type WHERE name = '\(type)')")
      case .type(let values): Self.type(.any(values.map { .name("name", $0, after: "_") }))
      }
  }

  // MARK: Each of its kind

  private static func request(_ condition: SearchCondition) -> MomentStatement {
    MomentStatement(
      event: condition.inside(
        "SELECT event FROM \(IndexedRows.network(by: "network_session")) WHERE network.session = wanted.value AND ",
        " ORDER BY network.timestamp LIMIT 1"),
      text: """
        (SELECT method || ' ' || path || ': ' || IFNULL(status, IFNULL(error, 'no response')) FROM network
          WHERE network.event = event.id)
        """)
  }

  private static func type(_ condition: SearchCondition) -> MomentStatement {
    MomentStatement(
      event: condition.inside(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = wanted.value
          AND type IN (SELECT id FROM event_type WHERE \

        """, ") ORDER BY timestamp, id LIMIT 1"))
  }

  /// Of errors a session has few, and an index of their own.
  private static func error(_ condition: String) -> MomentStatement {
    MomentStatement(
      event: SearchCondition(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_error")) WHERE session = wanted.value AND severity >= 4 AND \(condition)
        ORDER BY timestamp LIMIT 1
        """))
  }

  private static let destination = "json_extract(CAST(payload AS TEXT), '$.destination')"

  private static func screen(_ condition: SearchCondition) -> MomentStatement {
    MomentStatement(
      event: condition.inside(
        """
        SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = wanted.value
          AND type = (SELECT id FROM event_type WHERE name = 'navigation') AND \

        """, " ORDER BY timestamp, id LIMIT 1"), text: destination)
  }

  /// Reports are errors.
  private static func issue(_ condition: SearchCondition) -> MomentStatement {
    MomentStatement(
      event: condition.inside(
        """
        SELECT event.id FROM \(IndexedRows.event(by: "event_error")) CROSS JOIN issue_event ON issue_event.event = event.id
          CROSS JOIN issue ON issue.id = issue_event.issue
        WHERE event.session = wanted.value AND event.severity >= 4 AND \

        """, " ORDER BY event.timestamp LIMIT 1"),
      text: """
        (SELECT IFNULL(template, cause || IFNULL(' in ' || culprit, '')) FROM issue_event
          JOIN issue ON issue.id = issue_event.issue WHERE issue_event.event = event.id)
        """)
  }
}

extension SessionMoment {
  /// Notes the events of those sessions that have one.
  func find(in sessions: [Int64], _ found: inout [Int64: SearchMatch], _ database: Database) throws {
    let statement = MomentStatement(kind)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT wanted.value, event.id, event.timestamp, event_type.name, event.payload, \(statement.text ?? "NULL")
        FROM json_each(?) AS wanted CROSS JOIN event ON event.id = (\(statement.event.sql))
          JOIN event_type ON event_type.id = event.type
        """, arguments: ["\(sessions)"] + statement.event.arguments)
    for row in rows {
      found[row[0]] = try row.withUnsafeData(atIndex: 4) { data in
        func match(_ payload: UnsafeRawBufferPointer?) -> SearchMatch {
          SearchMatch(
            event: row[1], timestamp: row[2], type: row[3], field: field, said: row[5], payload: payload)
        }
        return data.map { $0.withUnsafeBytes(match) } ?? match(nil)
      }
    }
  }
}
