import AutoMobileClickHouse
import AutoMobileState

/// What alert rules are about, out of ClickHouse: of all collectors' sessions.
struct ClickHouseAlerts: AlertReading {
  let telemetry: ClickHouseTelemetry
  let issues: any IssueArrivals
  /// What people have decided about issues.
  let state: any StateStore

  func newest(_ kind: AlertRule.Kind) async throws -> Int64 {
    switch kind {
    case .newIssue, .issueRate: try await issues.newest()
    case .regression, .ask, .crashFree, .requestErrors, .silence: 0
    }
  }

  func look(_ rule: AlertRule, _ context: AlertLook.Context) throws -> AlertLook {
    try waitFor { [self] in try await found(rule, context) }
  }

  /// The same for whoever need not wait on a thread.
  func found(_ rule: AlertRule, _ context: AlertLook.Context) async throws -> AlertLook {
    var look = AlertLook(cursor: rule.cursor)
    switch rule.kind {
    case .crashFree:
      let (count, crashed) = try await telemetry.readOwn { try await $0.sessions(for: rule, context) }
      look.tellCrashFree(rule, context, sessions: count, crashed: crashed)
    case .requestErrors:
      guard rule.settings.threshold != nil else { break }
      let routes = try await telemetry.readOwn { try await $0.routes(for: rule, context) }
      look.tellRequestErrors(rule, context, routes)
    case .silence:
      let newest = try await newestReceived(rule, context)
      look.tellSilence(rule, context) { limit in newest.flatMap { $0 > limit ? $0 : nil } }
    case .newIssue: try await findNewIssues(&look, rule, context)
    case .issueRate: try await findIssueRates(&look, rule, context)
    case .regression: try await findRegressions(&look, rule, context)
    case .ask: break
    }
    return look
  }

  /// When the last was received of what a rule is about.
  private func newestReceived(_ rule: AlertRule, _ context: AlertLook.Context) async throws -> Int64? {
    let begin = context.firing[""] ?? context.now - Int64(rule.settings.minutes ?? 60) * 60_000
    let recent = try await telemetry.readOwn {
      try await $0.newestReceived(for: rule, context, since: min(begin, context.now))
    }
    // How long it has been silent is said once, when it begins to be.
    guard recent == nil, context.firing[""] == nil else { return recent }
    return try await telemetry.readOwn { try await $0.newestReceived(for: rule, context, since: nil) }
  }
}

extension ClickHouseReading {
  /// Opened from a file: no news.
  private static let isNews: SQL = "NOT startsWith(project, 'file ')"

  private static func admits(_ settings: AlertRule.Settings, bundle: SQL, version: SQL) -> [SQL] {
    var conditions: [SQL] = []
    if let wanted = settings.bundleId { conditions.append("\(bundle) = \(text: wanted)") }
    if let wanted = settings.version { conditions.append("\(version) = \(text: wanted)") }
    return conditions
  }

  /// That a session had something received since the day before: to be asked of all its days.
  private func isRecent(since: Int64) -> SQL {
    let day: SQL = "day >= toDate(\(max(0, RecordColumns.day(since) - 1)))"
    let names = sessions(SeenSessions(selected: ["count()"], range: [Self.isNews, day]), isOnShard: true)
      .inside { "SELECT project, session FROM (\($0))" }
    return "(project, session) IN (\(names.sql))"
  }

  /// Sessions whose last event is within the rule's time, and how many of them crashed: as ``Stability`` counts them. What came before
  /// the day before is not among them, whatever its device's clock says.
  fileprivate func sessions(
    for rule: AlertRule, _ context: AlertLook.Context
  ) async throws -> (count: Int64, crashed: Int64) {
    let (from, to) = (context.now - Int64(rule.settings.minutes ?? 1440) * 60_000, context.now + 60_000)
    let types = SessionTables.value("types") ?? "[]"
    let recent = isRecent(since: from)
    let sessions = sessions(
      SeenSessions(
        selected: ClickHouseSessionTerms.said + ["\(types) AS said_types"], range: [Self.isNews, recent],
        filter: [Stability.isKnownThere, "said_last > \(from) AND said_last <= \(to)"]
          + Self.admits(rule.settings, bundle: "said_bundle", version: "said_version")))
    let crashed = copies("project, session", of: TelemetryTables.reports, ["kind = 'crash'", recent])
    let told = toldSessions([recent]).inside { "SELECT project, session FROM (\($0)) WHERE crashes > 0" }
    let statement = sessions.inside { sessions in
      """
      SELECT count(), countIf(crashed) FROM (SELECT (project, session) IN (SELECT * FROM (\(crashed.sql)) UNION ALL \
      SELECT * FROM (\(told.sql))) AS crashed FROM (\(sessions)))
      """
    }
    let found = try await rows(statement) {
      (Int64(clamping: try $0.int(UInt64.self)), Int64(clamping: try $0.int(UInt64.self)))
    }
    return found.first.map { (count: $0.0, crashed: $0.1) } ?? (0, 0)
  }

  /// Requests within the rule's time by route: of a busy cluster the newest, since what is looked at has an end.
  fileprivate func routes(for rule: AlertRule, _ context: AlertLook.Context) async throws -> [AlertLook.Route] {
    let settings = rule.settings
    let (from, to) = (context.now - Int64(settings.minutes ?? 60) * 60_000, context.now + 60_000)
    var requests = DistinctRows(
      TelemetryTables.requests, columns: ["project", "session", "timestamp", "method", "host", "route", "failed"])
    // What happened since then was not received before the day before, unless its device's clock is a day ahead.
    let day: SQL = "day >= toDate(\(max(0, RecordColumns.day(from) - 1)))"
    requests.range = [day, "timestamp > \(from) AND timestamp <= \(to)", Self.isNews]
    if settings.bundleId != nil || settings.version != nil {
      let own = sessions(
        SeenSessions(
          selected: ClickHouseSessionTerms.said, range: [Self.isNews, isRecent(since: from)],
          filter: Self.admits(settings, bundle: "said_bundle", version: "said_version")), isOnShard: true)
      requests.range.append("(project, session) IN (SELECT project, session FROM (\(own.sql)))")
    }
    requests.order = ["timestamp DESC"]
    requests.limit = 200_000
    var wanted: [SQL] = []
    if let method = settings.method { wanted.append("method = \(text: method)") }
    if let host = settings.host { wanted.append("host = \(text: host)") }
    if let route = settings.route { wanted.append("route = \(text: route)") }
    let condition: SQL = wanted.isEmpty ? "" : "WHERE \(SQL.joined(wanted, " AND "))"
    let statement = distinct(requests, selecting: ["method", "host", "route", "failed"]).inside { requests in
      """
      SELECT method, host, route, count() AS requests, sum(failed) FROM (\(requests)) \(condition) \
      GROUP BY method, host, route HAVING requests >= \(Int64(settings.minimum ?? 1)) ORDER BY method, host, route
      """
    }
    return try await rows(statement) { row in
      AlertLook.Route(
        method: try row.string(), host: try row.string(), pattern: try row.string(),
        count: Int64(clamping: try row.int(UInt64.self)), failed: Int64(clamping: try row.int(UInt64.self)))
    }
  }

  /// When the last was received of what the rule is about; nil: nothing was.
  ///
  /// - Parameter since: what was received on earlier days is not asked for; nil: all is.
  fileprivate func newestReceived(
    for rule: AlertRule, _ context: AlertLook.Context, since: Int64?
  ) async throws -> Int64? {
    let received = SessionTables.value("received") ?? "0"
    let sessions = sessions(
      SeenSessions(
        selected: ClickHouseSessionTerms.said + ["\(received) AS said_received"],
        range: [Self.isNews] + (since.map { [isRecent(since: $0)] } ?? []),
        // Not what a clock that was ahead wrote down.
        filter: ["said_received > 0 AND said_received <= \(context.now + 60_000)"]
          + Self.admits(rule.settings, bundle: "said_bundle", version: "said_version")))
    let found = try await rows(sessions.inside { "SELECT count(), max(said_received) FROM (\($0))" }) {
      (try $0.int(UInt64.self), try $0.int(Int64.self))
    }
    return found.first.flatMap { $0.0 > 0 ? $0.1 : nil }
  }
}
