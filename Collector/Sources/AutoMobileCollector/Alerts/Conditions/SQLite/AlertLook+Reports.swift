import GRDB

/// The reports that came since a rule looked last.
extension AlertLook {
  /// An issue of which there are new reports.
  struct Touched {
    var row: Int64
    var issue: IssueRow
    /// Of the new reports: how many, the first one to come, and the span of their times.
    var reports: Int64
    var event: Int64
    var first: Int64
    var last: Int64
    var version: String?
  }

  /// Moves the cursor over new reports, and gives the issues that they are in. Sessions that were opened from a file are no news.
  ///
  /// Reports that the symbolizer has not looked at yet may belong to another issue a moment later: they are waited for, for a minute.
  mutating func touched(_ rule: AlertRule, _ context: Context, _ database: Database) throws -> [Touched] {
    let from = cursor
    guard
      var last = try Int64.fetchOne(
        database,
        sql: "SELECT MAX(event) FROM (SELECT event FROM issue_event WHERE event > ? ORDER BY event LIMIT \(Self.step))",
        arguments: [from])
    else { return [] }
    isPartial =
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM issue_event WHERE event > ?)", arguments: [last]) ?? false
    let waiting = try Int64.fetchOne(
      database,
      sql: """
        SELECT MIN(report_image.event) FROM report_image CROSS JOIN event ON event.id = report_image.event
        WHERE build = '' AND report_image.event > ? AND report_image.event <= ? AND received > ?
        """, arguments: [from, last, context.now - 60_000])
    if let waiting {
      last = waiting - 1
      isPartial = true
      guard last > from else { return [] }
    }
    cursor = last
    let settings = rule.settings
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT issue_event.issue, COUNT(*), MIN(issue_event.event), MIN(issue_event.timestamp),
          MAX(issue_event.timestamp), issue_event.version
        FROM issue_event CROSS JOIN session ON session.id = issue_event.session
        WHERE issue_event.event > ?1 AND issue_event.event <= ?2 AND (?3 IS NULL OR issue_event.version = ?3)
          AND NOT EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
        GROUP BY issue_event.issue ORDER BY 3
        """, arguments: [from, last, settings.version])
    return try rows.compactMap { row in
      guard
        let issue = try IssueRow.fetchOne(
          database, sql: IssueRow.select + " WHERE issue.id = ?", arguments: [row[0] as Int64]),
        settings.admits(issue)
      else { return nil }
      return Touched(
        row: row[0], issue: issue, reports: row[1], event: row[2], first: row[3], last: row[4], version: row[5])
    }
  }
}
