import AutoMobileClickHouse
import AutoMobileState

/// Issues, read out of ClickHouse: reports by the names that ``IssueLooker`` has given them, and what people decided, which is few and
/// comes from the state.
///
/// What differs from one machine's index stands in `Documentation/Cluster.md`.
struct ClickHouseIssues: IssueReading {
  let telemetry: ClickHouseTelemetry
  let state: StateBeside

  /// Runs `body` with what people have decided.
  func read<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost = .light,
    _ body: @escaping @Sendable (IssueRows) async throws -> Result
  ) async throws -> Result {
    let decisions = try await state.copy.read { try KnownDecisions(in: $0) }
    return try await telemetry.read(scope, cost) { try await body(IssueRows($0, decisions)) }
  }

  func list(
    _ scope: ReadScope, _ filter: IssueQuery.Filter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<IssueRow> {
    try await read(scope, filter.isCheap ? .light : .heavy) { rows in
      let names = try await rows.decided(filter).and(ClickHouseIssueTerms(rows: rows).names(filter.query))
      guard !names.isEmpty else { return Page() }
      let sorted = try await rows.sorted(filter, names, before: before, limit: limit)
      let found = Dictionary(
        try await rows.completed(sorted, now: now).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      var page = Page(sorted.compactMap { found[$0] }, limit: limit, bytes: rows.reading.limits.pageBytes)
      page.rows = try await IssueMatches(filter.query).added(to: page.rows, rows)
      return page
    }
  }

  func issue(_ scope: ReadScope, _ name: String, now: Int64) async throws -> IssueAnswer? {
    let found: IssueAnswer? = try await read(scope) { rows in
      guard let name = try await rows.known(name),
        let issue = try await rows.completed([name], now: now, allVersions: true).first
      else { return nil }
      return IssueAnswer(
        issue: issue, reports: try await rows.newestReports(of: name, limit: 100).rows, history: [],
        merged: try await rows.parts(of: name), users: try await rows.users(of: name))
    }
    guard var answer = found else { return nil }
    let (name, app) = (answer.issue.name, answer.issue.bundleId.flatMap { scope.sees($0) ? $0 : nil })
    (answer.history, answer.tracker) = try await state.state.read { state in
      let tracker: TrackerTemplate? = if let app { try TrackerTemplate.of(app, in: state) } else { nil }
      return (try IssueChange.list(name, in: state), tracker)
    }
    return answer
  }

  func exists(_ scope: ReadScope, _ name: String) async throws -> Bool {
    try await read(scope) { try await $0.known(name) != nil }
  }

  func reports(
    _ scope: ReadScope, kinds: [String], before: Int64?, limit: Int
  ) async throws -> Page<RecentReportRow> {
    try await read(scope) { try await $0.recentReports(kinds: kinds, before: before, limit: limit) }
  }

  func name(_ scope: ReadScope, ofEvent id: Int64) async throws -> String? {
    try await read(scope) { rows in
      var one = rows.rows(["session"])
      one.range.append("id = \(id)")
      return try await rows.reading.rows(rows.statement(one, [])) { try IssueKey(&$0).name }.first
    }
  }
}

extension IssueRows {
  /// What of a filter people have decided.
  fileprivate func decided(_ filter: IssueQuery.Filter) -> IssueNames {
    var names = IssueNames.all
    if let status = filter.status { names = names.and(decisions.names(with: status.rawValue)) }
    if filter.regressed { names = names.and(decisions.regressed) }
    if let assignee = filter.assignee {
      names = names.and(.only(Set(decisions.notes.filter { $0.value.assignee == assignee }.keys)))
    }
    return names
  }

  /// Issues in the filter's order; of two that are equal there, the one that came later.
  fileprivate func sorted(
    _ filter: IssueQuery.Filter, _ names: IssueNames, before: PageCursor?, limit: Int
  ) async throws -> [String] {
    var found = rows(["timestamp", "shard", "kind", "version"])
    if !filter.kinds.isEmpty {
      found.range.append("kind IN (\(SQL.joined(filter.kinds.map { "\(text: $0)" }, ", ")))")
    }
    if let bundle = filter.bundleId { found.range.append("bundle = \(text: bundle)") }
    let isOfVersion: SQL =
      filter.version.map { "toUInt8(ifNull(version, '') = \(text: $0))" as SQL } ?? "toUInt8(1)"
    var conditions: [SQL] = ["max(is_of_version) = 1"]
    if let before {
      conditions.append("sort_key < \(before.key) OR (sort_key = \(before.key) AND number < \(before.id))")
    }
    let condition = names.sql.map { " WHERE \($0)" as SQL } ?? ""
    let statement = statement(found, ["timestamp", "shard", "id", "\(isOfVersion) AS is_of_version"]).inside {
      """
      SELECT issue, \(filter.order.sum) AS sort_key, min(id) AS number FROM (\($0))\(condition) \
      GROUP BY issue HAVING \(SQL.joined(conditions.map { "(\($0))" }, " AND ")) \
      ORDER BY sort_key DESC, number DESC LIMIT \(count: limit)
      """
    }
    return try await reading.rows(statement) { row in
      let name = try row.string()
      _ = (try row.int(Int64.self), try row.int(Int64.self))
      return name
    }
  }

  /// See ``IssueDirectory/known(_:)``.
  func known(_ name: String) async throws -> String? {
    let issue = decisions.issue(of: name)
    let statement = statement(rows(["session"], of: [issue]), []).inside { "SELECT issue FROM (\($0)) LIMIT 1" }
    return try await reading.rows(statement) { try $0.string() }.first
  }
}

extension IssueQuery.Order {
  /// What sorts, always downwards.
  fileprivate var sum: SQL {
    switch self {
    case .last: "max(timestamp)"
    case .first: "min(timestamp)"
    case .count: "toInt64(count())"
    case .sessions: "toInt64(uniqExact(shard))"
    }
  }
}
