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
      let issue = touched.issue
      let count = touched.reports == 1 ? "One report" : "\(touched.reports) reports"
      findings.append(
        .moment(
          Alert(
            kind: .newIssue, subject: issue.name, severity: Alert.severity(of: issue.kind),
            title: "New \(issue.kind): \(Alert.short(issue.title))",
            text: "\(count) so far; it happened first at \(Alert.time(touched.first)).",
            facts: Alert.facts(of: issue, version: touched.version), place: Alert.place(ofIssue: issue.name),
            at: touched.first)))
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
      findings.append(
        .calm(
          Alert(
            kind: rule.kind, subject: name, severity: .info,
            title: "\(status.prefix(1).uppercased() + status.dropFirst()): \(Alert.short(title ?? name))",
            text: "\(Alert.short(author, 80)) set it to \(status).", place: Alert.place(ofIssue: name), at: at)))
    }
  }

  /// A resolved issue came back: what the indexer noticed and noted down.
  mutating func findRegressions(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    if context.regressions.end > 0 { cursor = context.regressions.end }
    isPartial = context.regressions.isPartial
    for change in context.regressions.changes {
      let (name, at, version) = (change.name, change.at, change.version)
      guard
        let issue = try IssueRow.fetchOne(database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [name]),
        settings.bundleId == nil || issue.bundleId == settings.bundleId,
        settings.version == nil || version == settings.version, settings.issueKinds?.contains(issue.kind) ?? true
      else { continue }
      findings.append(
        .moment(
          Alert(
            kind: .regression, subject: name, severity: Alert.severity(of: issue.kind),
            title: "Back again: \(Alert.short(issue.title))",
            text: "This \(issue.kind) was resolved, and happened again at \(Alert.time(at))"
              + (version.map { " in version \(Alert.short($0, 60))" } ?? "") + ".",
            facts: Alert.facts(of: issue, version: version), place: Alert.place(ofIssue: name), at: at)))
    }
    try findClosed(rule, context, database)
  }
}
