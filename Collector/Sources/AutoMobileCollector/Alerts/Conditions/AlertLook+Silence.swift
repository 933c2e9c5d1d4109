import GRDB

extension AlertLook {
  /// Nothing came for so long, while this collector ran and the rule was there: what a collector that was down did not
  /// receive, says nothing about the app.
  mutating func findSilence(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    let length = Int64(settings.minutes ?? 60) * 60_000
    func newest(after limit: Int64) throws -> Int64? {
      try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT MAX(received) FROM session WHERE received > ?1 AND received <= ?4 AND (?2 IS NULL OR bundleId = ?2)
              AND (?3 IS NULL OR appVersion = ?3)
              AND NOT EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
            """),
        // Not what a clock that was ahead wrote down.
        arguments: [limit, settings.bundleId, settings.version, context.now + 60_000])
    }
    let app =
      (settings.bundleId.map { Alert.short($0, 100) } ?? "any app")
      + (settings.version.map { " " + Alert.short($0, 60) } ?? "")
    if let since = context.firing[""] {
      guard let received = try newest(after: since > context.now ? context.now - 60_000 : since) else { return }
      findings.append(
        .calm(
          Alert(
            kind: .silence, subject: "", severity: .info, title: "Receiving again from \(app)",
            text: "Something arrived at \(Alert.time(received)).", place: "#/", at: received)))
      return
    }
    let watching = max(context.startedAt, rule.since)
    guard context.now - watching >= length, try newest(after: context.now - length) == nil else { return }
    let last = try newest(after: 0)
    findings.append(
      .firing(
        Alert(
          kind: .silence, subject: "", severity: .warning,
          title: "Nothing received from \(app) for \(AlertRule.duration(settings.minutes ?? 60))",
          text: last.map { "The last of it arrived at \(Alert.time($0))." } ?? "Nothing has ever arrived.",
          facts: [Alert.Fact("App", app)], place: "#/", at: context.now)))
  }
}
