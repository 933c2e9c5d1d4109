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
