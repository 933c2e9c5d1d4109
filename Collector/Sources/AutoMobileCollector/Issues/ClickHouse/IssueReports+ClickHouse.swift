import AutoMobileClickHouse

/// Reports of issues, and who had them.
extension IssueRows {
  private struct Found: Sendable {
    var report: IssueReportRow
    var issue: String
    var session: SessionFact.Name
  }

  private static let columns: [StaticString] = ["project", "session", "timestamp", "version", "screen"]
  private static let selected: [SQL] = ["id", "timestamp", "version", "project", "session", "screen"]

  /// Of one issue, those that happened last.
  func newestReports(of issue: String, limit: Int) async throws -> Page<IssueReportRow> {
    var rows = rows(Self.columns, of: [issue])
    rows.order = ["timestamp DESC", "id DESC"]
    rows.limit = limit
    let found = try await reading.rows(statement(rows, Self.selected)) { try Self.read(&$0) }
    return Page(try await told(found).map(\.report), limit: limit, bytes: reading.limits.pageBytes)
  }

  /// Of any, those that arrived last.
  func recentReports(kinds: [String], before: Int64?, limit: Int) async throws -> Page<RecentReportRow> {
    var rows = rows(Self.columns + ["kind"])
    if !kinds.isEmpty {
      rows.range.append("kind IN (\(SQL.joined(kinds.map { "\(text: $0)" }, ", ")))")
    }
    let ordered = OrderedRows(
      rows, by: "id", isAscending: false, after: before.map { PageCursor(key: $0, id: $0) }, limit: limit)
    let found = try await told(
      try await reading.ordered(ordered, selecting: ["bundle", "\(issue) AS issue"] + Self.selected) {
        try Self.read(&$0)
      })
    let issues = Dictionary(
      try await described(Array(Set(found.map(\.issue)))).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }
    )
    return Page(
      found.compactMap { one in issues[one.issue].map { RecentReportRow(report: one.report, issue: $0) } },
      limit: limit,
      bytes: reading.limits.pageBytes)
  }

  private static func read(_ row: inout RowBinaryReader) throws -> Found {
    let issue = try IssueKey(&row).name
    let (id, timestamp): (Int64, Int64) = (try row.int(), try row.int())
    let version = try row.nullable { try $0.string() }
    let session = SessionFact.Name(project: try row.string(), session: try row.string())
    return Found(
      report: IssueReportRow(
        event: id, timestamp: timestamp, version: version, sessionId: session.session,
        screen: try row.nullable { try $0.string() }), issue: issue, session: session)
  }

  /// With what their sessions say.
  private func told(_ found: [Found]) async throws -> [Found] {
    let facts = try await reading.facts(of: Set(found.map(\.session)))
    return found.map { one in
      var one = one
      (one.report.userId, one.report.device) = (facts[one.session]?.user, facts[one.session]?.device)
      return one
    }
  }

  /// How many people had it, of sessions whose user is known.
  func users(of issue: String) async throws -> Int64 {
    // A shard has all of a session, and of its reports.
    let met = statement(rows(["project", "session"], of: [issue]), ["project", "session"], isOnShard: true).inside {
      "SELECT project, session FROM (\($0))"
    }
    let sessions = reading.sessions(
      SeenSessions(
        selected: ["\(SessionTables.value("user") ?? "''") AS said_user"], range: ["(project, session) IN (\(met.sql))"]
      )
    ).inside { "SELECT toInt64(uniqExact(said_user)) FROM (\($0)) WHERE notEmpty(said_user)" }
    return try await reading.rows(sessions) { try $0.int(Int64.self) }.first ?? 0
  }

  /// What was merged into an issue, and how much of it there is.
  func parts(of issue: String) async throws -> [IssueMerges.Part] {
    let parts = decisions.parts(of: issue).prefix(IssueMerges.most)
    guard !parts.isEmpty else { return [] }
    let statement = statement(rows([], of: [issue]), ["fingerprint"]).inside {
      "SELECT fingerprint, toInt64(count()) FROM (\($0)) GROUP BY fingerprint"
    }
    let counts = Dictionary(
      try await reading.rows(statement) { (try $0.string(), try $0.int(Int64.self)) },
      uniquingKeysWith: { first, _ in first })
    return parts.map { part in
      IssueMerges.Part(name: part.called.name, title: part.called.title, count: counts[part.called.name] ?? 0)
    }
  }
}
