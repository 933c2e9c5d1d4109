import GRDB

/// Ends for those who wait for one, and for nobody else: an incident that nothing resolves stays open.
enum AlertEnd {
  /// What was told of a rule and will not be looked at any more.
  ///
  /// - Parameter reason: one sentence.
  static func tellAll(of rule: AlertRule, because reason: String, at now: Int64, in database: Database) throws {
    let subjects = try String.fetchAll(
      database, sql: "SELECT subject FROM alert_state WHERE rule = ? AND firing AND told LIMIT \(AlertOutbox.most)",
      arguments: [rule.id])
    for subject in subjects {
      try tell(subject, of: rule, "Not watched any more: \(rule.name)", reason, at: now, in: database)
    }
  }

  /// What was told of a rule whose moments need nothing more.
  static func tellOld(of rule: AlertRule, before limit: Int64, at now: Int64, in database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT subject, told FROM alert_state WHERE rule = ?1 AND firing AND waiting IS NULL AND subject <> ?2
          AND (since < ?3 OR since > ?4) LIMIT \(AlertOutbox.most)
        """, arguments: [rule.id, AlertDecision.together, limit, now])
    for row in rows {
      if row[1] { try tell(row[0], of: rule, "Told: \(rule.name)", "It was told an hour ago.", at: now, in: database) }
      try database.execute(
        sql: "UPDATE alert_state SET firing = 0, told = 0 WHERE rule = ? AND subject = ?",
        arguments: [rule.id, row[0] as String])
    }
  }

  static func tell(
    _ subject: String, of rule: AlertRule, _ title: String, _ text: String, at now: Int64, in database: Database
  ) throws {
    guard rule.settings.resolved else { return }
    let channels = try AlertStore.channels(in: database).filter {
      $0.kind == .pagerduty && rule.settings.channels.contains($0.id)
    }
    guard !channels.isEmpty else { return }
    var alert = Alert(kind: rule.kind, subject: subject, severity: .info, title: title, text: text, at: now)
    (alert.event, alert.rule, alert.ruleName) = (.resolved, rule.id, rule.name)
    try AlertOutbox.add(alert, to: channels.map(\.id), held: nil, at: now, in: database)
  }
}
