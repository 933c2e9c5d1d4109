import Foundation
import GRDB

extension IssueMatches {
  /// An issue's newest reports that are read for one.
  private static let most = 100

  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [IssueRow], _ database: Database) throws {
    guard !wanted.isEmpty else { return }
    let found = try TimeLimit.run(TimeLimit.patience, in: database) {
      try rows.map { row -> SearchMatch? in
        for one in wanted where !row.known.localizedStandardContains(one.text) {
          if let found = try match(row, one, database) { return found }
        }
        return nil
      }
    }
    for (index, match) in (found ?? []).enumerated() { rows[index].match = match }
  }

  private func match(_ row: IssueRow, _ wanted: Wanted, _ database: Database) throws -> SearchMatch? {
    for (column, name) in [("messages", "message"), ("functions", "function")]
    where wanted.isSought(in: name) {
      let lines = try String.fetchOne(
        database.cachedStatement(sql: "SELECT \(column) FROM issue_text WHERE issue = ?"), arguments: [row.row])
      guard let line = lines?.split(separator: "\n").first(where: { $0.localizedStandardContains(wanted.text) }) else {
        continue
      }
      let shown = String(line.prefix(200))
      return try report(row, name, wanted.text, shown, database) ?? sample(row, name, shown, database)
    }
    return try met(row, wanted, database)
  }

  /// The newest report that says it.
  private func report(
    _ row: IssueRow, _ name: String, _ text: String, _ line: String, _ database: Database
  ) throws -> SearchMatch? {
    let holds = EventValues.condition("event.payload", text)
    let found = try Row.fetchOne(
      database,
      sql: """
        SELECT event.id, event.timestamp, event.payload FROM
          (SELECT event AS id FROM issue_event WHERE issue = ? ORDER BY timestamp DESC LIMIT \(Self.most)) AS report
          CROSS JOIN event ON event.id = report.id WHERE \(holds.sql) LIMIT 1
        """, arguments: [row.row] + holds.arguments)
    guard let found else { return nil }
    // A message with its numbers; a function as people read it.
    let payload: Data = found[2]
    let said = payload.withUnsafeBytes { SearchMatch.snippet([text], in: $0, maximumDepth: 256) }
    return SearchMatch(
      event: found[0], timestamp: found[1], type: row.kind, field: name,
      text: name == "message" ? said?.text ?? line : line)
  }

  /// What stands in symbols that were added later stands in no report: then the one that describes the issue.
  private func sample(
    _ row: IssueRow, _ name: String, _ text: String, _ database: Database
  ) throws -> SearchMatch? {
    let time = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT timestamp FROM event WHERE id = ?"), arguments: [row.sample])
    return SearchMatch(
      event: row.sample ?? 0, timestamp: time ?? row.last ?? 0, type: row.kind, field: name, text: text)
  }

  /// The newest report of a session of which it is said.
  private func met(_ row: IssueRow, _ wanted: Wanted, _ database: Database) throws -> SearchMatch? {
    guard let name = wanted.ofSession else { return nil }
    let shown = [
      "device": SessionSelection.device, "os": SessionSelection.system, "tag": "session.tags",
      "session": "session.sessionId",
    ]
    let condition =
      wanted.field.map { SessionTerms.shared($0, wanted.value) } ?? .part("session.userId", wanted.text)
    let found = try Row.fetchOne(
      database,
      sql: """
        SELECT issue_event.event, issue_event.timestamp, \(shown[name] ?? "session.userId")
        FROM issue_session JOIN session ON session.id = issue_session.session
          CROSS JOIN issue_event ON issue_event.issue = issue_session.issue AND issue_event.session = session.id
        WHERE issue_session.issue = ? AND \(condition.sql) ORDER BY issue_event.timestamp DESC LIMIT 1
        """, arguments: [row.row] + condition.arguments)
    guard let found, let text: String = found[2] else { return nil }
    return SearchMatch(
      event: found[0], timestamp: found[1], type: row.kind, field: name, text: SearchMatch.line(text))
  }
}
