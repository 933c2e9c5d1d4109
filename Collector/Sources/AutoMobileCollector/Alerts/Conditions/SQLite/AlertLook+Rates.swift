import GRDB

extension AlertLook {
  /// An issue of which more reports than that happened within the time.
  ///
  /// By when it happened, not by when it arrived: what phones deliver after a night without network was no burst; and a burst
  /// that is delivered a day later was one.
  mutating func findIssueRates(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let most = Int64(rule.settings.threshold ?? 0)
    let length = Int64(rule.settings.minutes ?? 60) * 60_000
    var burst: Set<String> = []
    for touched in try touched(rule, context, database) {
      guard let found = try Self.burst(touched, above: most, within: length, version: rule.settings.version, database)
      else {
        continue
      }
      burst.insert(touched.issue.name)
      tellBurst(rule, touched.issue, found)
    }
    for name in context.firing.keys.sorted() where !burst.contains(name) {
      let count = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT COUNT(*) FROM issue CROSS JOIN issue_event ON issue_event.issue = issue.id
            WHERE issue.name = ?1 AND issue_event.timestamp > ?2 AND issue_event.timestamp <= ?3
              AND (?4 IS NULL OR issue_event.version = ?4)
            """), arguments: [name, context.now - length, context.now, rule.settings.version])
      guard let count, count <= most else { continue }
      let title = try IssueRow.fetchOne(database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [name])?
        .title
      tellCalm(rule, name, count, title: title, at: context.now)
    }
  }

  /// The fullest of the times of that length that one of the new reports ends, if it is full enough.
  private static func burst(
    _ touched: Touched, above most: Int64, within length: Int64, version: String?, _ database: Database
  ) throws -> Burst? {
    let times = try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT timestamp FROM issue_event
          WHERE issue = ?1 AND timestamp > ?2 AND timestamp <= ?3 AND (?4 IS NULL OR version = ?4)
          ORDER BY timestamp DESC LIMIT 50000
          """), arguments: [touched.row, touched.first - length, touched.last + length, version]
    ).reversed()
    guard times.count > most else { return nil }
    return Burst(of: Array(times), above: most, within: length)
  }
}
