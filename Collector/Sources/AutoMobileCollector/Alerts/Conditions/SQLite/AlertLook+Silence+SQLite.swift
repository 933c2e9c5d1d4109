import GRDB

extension AlertLook {
  mutating func findSilence(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    try tellSilence(rule, context) { limit in
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
  }
}
