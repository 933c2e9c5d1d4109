import GRDB

/// What the index does with people's decisions by itself, in the transaction that writes a report.
extension IssueStates {
  /// Opens a resolved issue again, as a regression, when a report shows that it is not resolved.
  static func reopen(_ issue: Int64, timestamp: Int64, version: String?, in database: Database) throws {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT issue_state.name, version, changedAt FROM issue_state JOIN issue ON issue.name = issue_state.name
            WHERE issue.id = ? AND status = 'resolved'
            """), arguments: [issue])
    else { return }
    guard isOver(resolvedIn: row[1], at: row[2], by: timestamp, in: version) else { return }
    try IssueNotice.cameBack(issue: row[0], at: timestamp, version: version).note(in: database)
  }

  /// The newest report of each version, newest first, of an issue that nobody resolved or ignored: none of these were
  /// expected, and none are because the issue is merged into one that is resolved.
  static func live(
    _ issue: Int64, _ name: String, in database: Database
  ) throws -> [(timestamp: Int64, version: String?)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT MAX(timestamp), version FROM issue_event
        WHERE issue = ? AND NOT EXISTS (SELECT 1 FROM issue_state WHERE name = ? AND status <> 'open')
        GROUP BY version ORDER BY 1 DESC
        """, arguments: [issue, name]
    ).map { ($0[0], $0[1]) }
  }
}
