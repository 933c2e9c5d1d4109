import AutoMobileClickHouse

extension IssueRows {
  /// In one answer.
  private static let listed = 50

  /// The issues of sessions for which a condition holds, the most frequent first.
  ///
  /// - Parameter newest: only of those sessions that were heard of last, on each shard.
  func issues(of sessions: SQL, newest: Int) async throws -> [UserAnswer.Issue] {
    var rows = rows(["session", "shard", "timestamp"])
    rows.range.append(ClickHouseSessionTerms.has(sessions, reading, newest: newest))
    let statement = statement(rows, ["shard", "timestamp"]).inside {
      """
      SELECT issue, toInt64(count()) AS n, toInt64(uniqExact(shard)), max(timestamp) AS newest FROM (\($0)) \
      GROUP BY issue ORDER BY n DESC, newest DESC LIMIT \(count: Self.listed)
      """
    }
    let found = try await reading.rows(statement) { row in
      (
        name: try row.string(), count: try row.int(Int64.self), sessions: try row.int(Int64.self),
        last: try row.int(Int64.self)
      )
    }
    let issues = Dictionary(
      try await described(found.map(\.name)).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return found.compactMap { one in
      issues[one.name].map {
        UserAnswer.Issue(
          name: one.name, kind: $0.kind, title: $0.title, count: one.count, sessions: one.sessions, last: one.last,
          status: decisions.status(of: one.name))
      }
    }
  }
}
