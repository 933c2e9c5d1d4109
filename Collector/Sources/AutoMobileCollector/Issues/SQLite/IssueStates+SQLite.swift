import GRDB

/// What the index does with people's decisions by itself, in the transaction that writes a report.
extension IssueStates {
  /// Opens a resolved issue again, as a regression, when a report shows that it is not resolved.
  ///
  /// That is a report of something that happened after it was resolved; and if it was resolved in a version of the app, or
  /// in the one after it, one of that version or a later one, since earlier versions stay in use for a while.
  static func reopen(_ issue: Int64, timestamp: Int64, version: String?, in database: Database) throws {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT issue_state.name, version, changedAt FROM issue_state JOIN issue ON issue.name = issue_state.name
            WHERE issue.id = ? AND status = 'resolved'
            """), arguments: [issue])
    else { return }
    let (name, resolvedIn, resolvedAt): (String, String?, Int64) = (row[0], row[1], row[2])
    guard timestamp > resolvedAt else { return }
    if let resolvedIn, let version, !Fix(resolvedIn).includes(version) { return }
    try database.execute(
      sql: "UPDATE issue_state SET status = 'open', regressedAt = ?, regressedIn = ? WHERE name = ?",
      arguments: [timestamp, version, name])
    try IssueChange.add(.regressed, to: name, by: "", at: timestamp, in: database) { $0.member("version", version) }
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
