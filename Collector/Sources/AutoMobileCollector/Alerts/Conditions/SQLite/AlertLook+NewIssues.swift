import GRDB

extension AlertLook {
  /// An issue none of whose reports was here before, and about which nobody has decided anything yet.
  mutating func findNewIssues(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let from = cursor
    for touched in try touched(rule, context, database) {
      let isKnown = try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM issue_event WHERE issue = ?1 AND event <= ?2)
              OR EXISTS (SELECT 1 FROM issue_state WHERE name = ?3)
            """), arguments: [touched.row, from, touched.issue.name])
      guard isKnown == false else { continue }
      tellNew(touched.issue, reports: touched.reports, first: touched.first, version: touched.version)
    }
    try findClosed(rule, context, database)
  }

  /// What was told of and has been resolved or ignored by somebody since: it is over for whoever was told.
  mutating func findClosed(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    for name in context.firing.keys.sorted() where findings.count < Self.most {
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT status, changedBy, changedAt FROM issue_state WHERE name = ? AND status <> 'open' AND changedAt >= ?
            """), arguments: [name, context.firing[name]])
      guard let row else { continue }
      let (status, author, at): (String, String, Int64) = (row[0], row[1], row[2])
      let title = try IssueRow.fetchOne(database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [name])?
        .title
      tellClosed(rule, name, status, by: author, at: at, title: title)
    }
  }

  /// A resolved issue came back: what the indexer noticed and noted down.
  mutating func findRegressions(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    if context.regressions.end > 0 { cursor = context.regressions.end }
    isPartial = context.regressions.isPartial
    for change in context.regressions.changes {
      let issue = try IssueRow.fetchOne(
        database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [change.name])
      if let issue { tellRegression(rule, change, of: issue) }
    }
    try findClosed(rule, context, database)
  }
}
