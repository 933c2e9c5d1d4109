import GRDB

extension AlertLook {
  /// The share of sessions without a crash, as *App health* counts them, of those whose last event is within the time.
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
    guard count >= Int64(settings.minimum ?? 1), let threshold = settings.threshold else { return }
    let share = 100 * Double(count - crashed) / Double(count)
    let app = settings.bundleId.map { Alert.short($0, 100) } ?? "all apps"
    var facts = [
      Alert.Fact("Crash-free", "\(AlertRule.number(share)) %"), Alert.Fact("Sessions", "\(count), \(crashed) crashed"),
      Alert.Fact("App", app),
    ]
    if let version = settings.version { facts.append(Alert.Fact("Version", Alert.short(version, 60))) }
    let isBad = share < threshold
    guard isBad || context.firing[""] != nil else { return }
    let alert = Alert(
      kind: .crashFree, subject: "", severity: isBad ? .critical : .info,
      title: "\(AlertRule.number(share)) % crash-free sessions in \(app)",
      text: isBad
        ? "\(crashed) of \(count) sessions of \(AlertRule.last(minutes)) crashed: fewer than \(AlertRule.number(threshold)) % were without a crash."
        : "Back above \(AlertRule.number(threshold)) %.", facts: facts, place: Self.health(settings), at: context.now)
    findings.append(isBad ? .firing(alert) : .calm(alert))
  }

  private static func health(_ settings: AlertRule.Settings) -> String {
    let parameters = [("app", settings.bundleId), ("version", settings.version), ("days", "1")].compactMap {
      name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    return "#/health?" + parameters.joined(separator: "&")
  }

  /// The share of requests that failed, route by route.
  mutating func findRequestErrors(_ rule: AlertRule, _ context: Context, _ database: Database) throws {
    let settings = rule.settings
    let minutes = settings.minutes ?? 60
    guard let threshold = settings.threshold else { return }
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
    var busy: [String: Double] = [:]
    for row in rows {
      let (method, host, pattern): (String, String, String) = (row[0], row[1], row[2])
      let (count, failed): (Int64, Int64) = (row[3], Int64(row[4] as Double))
      let share = 100 * Double(failed) / Double(count)
      let subject = "\(method) \(host)\(pattern)".keepable
      busy[subject] = share
      guard share > threshold, findings.count < Self.most else { continue }
      var facts = [
        Alert.Fact("Route", Alert.short(subject)),
        Alert.Fact("Failed", "\(failed) of \(count) (\(AlertRule.number(share)) %)"),
      ]
      if let app = settings.bundleId { facts.append(Alert.Fact("App", Alert.short(app, 100))) }
      findings.append(
        .firing(
          Alert(
            kind: .requestErrors, subject: subject, severity: .error,
            title: "\(AlertRule.number(share)) % of requests fail: \(Alert.short(subject, 120))",
            text:
              "\(failed) of \(count) within \(AlertRule.duration(minutes)), more than \(AlertRule.number(threshold)) %.",
            facts: facts, place: Self.requests(method, host, pattern), at: context.now)))
    }
    // With too few requests it is over as well: nobody can say that they still fail.
    for subject in context.firing.keys.sorted() where busy[subject].map({ $0 <= threshold }) ?? true {
      findings.append(
        .calm(
          Alert(
            kind: .requestErrors, subject: subject, severity: .info,
            title: "Fewer errors again: \(Alert.short(subject, 120))",
            text: busy[subject].map { "\(AlertRule.number($0)) % fail within \(AlertRule.duration(minutes))." }
              ?? "Fewer than \(settings.minimum ?? 1) requests within \(AlertRule.duration(minutes)).",
            place: "#/network", at: context.now)))
    }
  }

  private static func requests(_ method: String, _ host: String, _ route: String) -> String {
    "#/network?method=\(method.percentEncoded)&host=\(host.percentEncoded)&route=\(route.percentEncoded)&failed=1"
  }
}
