import GRDB

extension AlertLook {
  mutating func findCrashFree(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    let minutes = settings.minutes ?? 1440
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT COUNT(*), TOTAL(\(Stability.isCrashed))
          FROM session WHERE last > ?1 AND last <= ?2 AND \(Stability.isKnown) AND (?3 IS NULL OR bundleId = ?3)
            AND (?4 IS NULL OR appVersion = ?4)
            AND NOT EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
          """),
      arguments: [context.now - Int64(minutes) * 60_000, context.now + 60_000, settings.bundleId, settings.version])
    let count: Int64 = row?[0] ?? 0
    let crashed = Int64(row?[1] as Double? ?? 0)
    tellCrashFree(rule, context, sessions: count, crashed: crashed)
  }

  mutating func findRequestErrors(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    let minutes = settings.minutes ?? 60
    guard settings.threshold != nil else { return }
    // Of a busy collector the newest: what is looked at has an end.
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT method, network_host.name, pattern, COUNT(*), TOTAL(failed) FROM (
            SELECT network.method, network.route, network.failed FROM network
              CROSS JOIN session ON session.id = network.session
            WHERE network.timestamp > ?1 AND network.timestamp <= ?2 AND (?3 IS NULL OR session.bundleId = ?3)
              AND (?4 IS NULL OR session.appVersion = ?4)
              AND NOT EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
            ORDER BY network.timestamp DESC LIMIT 200000) AS recent
            JOIN network_route ON network_route.id = recent.route
            JOIN network_host ON network_host.id = network_route.host
          WHERE (?5 IS NULL OR method = ?5) AND (?6 IS NULL OR network_host.name = ?6) AND (?7 IS NULL OR pattern = ?7)
          GROUP BY recent.route, method HAVING COUNT(*) >= ?8
          """),
      arguments: [
        context.now - Int64(minutes) * 60_000, context.now + 60_000, settings.bundleId, settings.version,
        settings.method, settings.host, settings.route, settings.minimum ?? 1,
      ])
    tellRequestErrors(
      rule, context,
      rows.map {
        Route(method: $0[0], host: $0[1], pattern: $0[2], count: $0[3], failed: Int64($0[4] as Double))
      })
  }
}
