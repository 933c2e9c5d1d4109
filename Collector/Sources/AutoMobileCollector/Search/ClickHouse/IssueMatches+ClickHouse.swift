import AutoMobileClickHouse
import Foundation

extension IssueMatches {
  /// Asks of all rows at once, one thing that was looked for after the other.
  func added(to rows: [IssueRow], _ issues: IssueRows) async throws -> [IssueRow] {
    var rows = rows
    for one in wanted {
      let places = rows.indices.filter {
        rows[$0].match == nil && !rows[$0].known.localizedStandardContains(one.text)
      }
      for (column, name) in [("message", "message"), ("functions", "function")] as [(SQLName, String)]
      where one.isSought(in: name) {
        let found = try await issues.newest(
          of: places.filter { rows[$0].match == nil }.map { rows[$0].name }, column, one.text)
        for place in places where rows[place].match == nil {
          rows[place].match = found[rows[place].name].map { said in
            let line = said.text.split(separator: "\n").first { $0.localizedStandardContains(one.text) }
            return SearchMatch(
              event: said.event, timestamp: said.timestamp, type: rows[place].kind, field: name,
              text: SearchMatch.line(String(line ?? said.text[...])))
          }
        }
      }
      guard let name = one.ofSession else { continue }
      let condition =
        one.field.map { ClickHouseSessionTerms.shared($0, one.value) } ?? ClickHouseTerms.part("said_user", one.text)
      let found = try await issues.newest(
        of: places.filter { rows[$0].match == nil }.map { rows[$0].name }, name, with: condition)
      for place in places where rows[place].match == nil {
        rows[place].match = found[rows[place].name].map {
          SearchMatch(
            event: $0.event, timestamp: $0.timestamp, type: rows[place].kind, field: name,
            text: SearchMatch.line($0.text))
        }
      }
    }
    return rows
  }
}

extension IssueRows {
  fileprivate struct Said: Sendable {
    var event: Int64
    var timestamp: Int64
    var text: String
  }

  /// Of each issue the newest report that has a text in a column.
  fileprivate func newest(of issues: [String], _ column: SQLName, _ text: String) async throws -> [String: Said] {
    guard !issues.isEmpty else { return [:] }
    var found = rows(["timestamp"], of: issues)
    found.columns.append(column)
    found.filter.append(ClickHouseTerms.part("\(column)", text))
    let statement = statement(found, ["timestamp", "id", "ifNull(\(column), '') AS said"]).inside {
      "SELECT issue, id, timestamp, said FROM (\($0)) ORDER BY timestamp DESC, id DESC LIMIT 1 BY issue"
    }
    let rows = try await reading.rows(statement) {
      (try $0.string(), Said(event: try $0.int(), timestamp: try $0.int(), text: try $0.string()))
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// The newest report of a session for which a condition holds, and what that session says of itself under a name.
  fileprivate func newest(of issues: [String], _ name: String, with condition: SQL) async throws -> [String: Said] {
    guard !issues.isEmpty else { return [:] }
    var found = rows(["timestamp", "project", "session"], of: issues)
    found.range.append(ClickHouseSessionTerms.has(condition, reading))
    let statement = statement(found, ["timestamp", "id", "project", "session"]).inside {
      "SELECT issue, id, timestamp, project, session FROM (\($0)) ORDER BY timestamp DESC, id DESC LIMIT 1 BY issue"
    }
    let rows = try await reading.rows(statement) { row in
      (
        issue: try row.string(), event: try row.int(Int64.self), timestamp: try row.int(Int64.self),
        session: SessionFact.Name(project: try row.string(), session: try row.string())
      )
    }
    let facts = try await reading.facts(of: Set(rows.map(\.session)))
    var said: [String: Said] = [:]
    for row in rows {
      guard let fact = facts[row.session] else { continue }
      let known = fact.said(of: row.session.session)
      let text: String? =
        switch name {
        case "device": known.device
        case "os": known.system
        case "tag": known.tags
        case "session": known.name
        default: fact.user
        }
      if let text { said[row.issue] = Said(event: row.event, timestamp: row.timestamp, text: text) }
    }
    return said
  }
}
