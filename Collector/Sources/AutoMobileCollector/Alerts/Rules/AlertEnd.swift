import AutoMobileState

/// Ends for those who wait for one, and for nobody else: an incident that nothing resolves stays open.
enum AlertEnd {
  /// What was told of a rule and will not be looked at any more.
  ///
  /// - Parameter reason: one sentence.
  static func tellAll(
    of rule: AlertRule, because reason: String, at now: Int64, in state: borrowing StateWriting
  ) throws {
    let subjects = try state.rows(
      "SELECT subject FROM alert_state WHERE rule = ?1 AND firing = 1 AND told = 1 LIMIT ?2", rule.id, AlertOutbox.most)
    for row in subjects {
      try tell(row[0], of: rule, "Not watched any more: \(rule.name)", reason, at: now, in: state)
    }
  }

  /// What was told of a rule whose moments need nothing more.
  static func tellOld(
    of rule: AlertRule, before limit: Int64, at now: Int64, in state: borrowing StateWriting
  ) throws {
    let rows = try state.rows(
      """
      SELECT subject, told FROM alert_state WHERE rule = ?1 AND firing = 1 AND waiting IS NULL AND subject <> ?2
        AND (since < ?3 OR since > ?4) LIMIT ?5
      """, rule.id, AlertDecision.together, limit, now, AlertOutbox.most)
    for row in rows {
      let (subject, isTold): (String, Bool) = try (row[0], row[1])
      if isTold { try tell(subject, of: rule, "Told: \(rule.name)", "It was told an hour ago.", at: now, in: state) }
      try state.execute(
        "UPDATE alert_state SET firing = 0, told = 0 WHERE rule = ?1 AND subject = ?2", rule.id, subject)
    }
  }

  static func tell(
    _ subject: String, of rule: AlertRule, _ title: String, _ text: String, at now: Int64,
    in state: borrowing StateWriting
  ) throws {
    guard rule.settings.resolved else { return }
    let channels = try AlertStore.channels(in: state.reading).filter {
      $0.kind == .pagerduty && rule.settings.channels.contains($0.id)
    }
    guard !channels.isEmpty else { return }
    var alert = Alert(kind: rule.kind, subject: subject, severity: .info, title: title, text: text, at: now)
    (alert.event, alert.rule, alert.ruleName) = (.resolved, rule.id, rule.name)
    try AlertOutbox.add(alert, to: channels.map(\.id), held: nil, at: now, in: state)
  }
}
