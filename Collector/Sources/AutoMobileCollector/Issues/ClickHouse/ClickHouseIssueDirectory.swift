import AutoMobileClickHouse

extension ClickHouseIssues: IssueDirectory {
  /// For the collector's own work, which sees everything.
  func readOwn<Result: Sendable>(
    _ body: @escaping @Sendable (IssueRows) async throws -> Result
  ) async throws -> Result {
    let decisions = try await state.copy.read { try KnownDecisions(in: $0) }
    return try await telemetry.readOwn { try await body(IssueRows($0, decisions)) }
  }

  func known(_ name: String) async throws -> String? { try await readOwn { try await $0.known(name) } }

  func side(_ name: String) async throws -> IssueSide? {
    try await readOwn { rows in
      try await rows.described([name]).first.map { issue in
        IssueSide(
          kind: issue.kind, bundleId: issue.bundleId,
          called: .init(
            name: issue.name, cause: issue.cause, culprit: issue.culprit, message: issue.message, file: issue.file,
            line: issue.line, template: issue.template))
      }
    }
  }

  func live(_ name: String) async throws -> [(timestamp: Int64, version: String?)] {
    try await readOwn { rows in
      guard rows.decisions.status(of: name) == IssueStatus.open.rawValue else { return [] }
      let statement = rows.statement(rows.rows(["timestamp", "version"], of: [name]), ["timestamp", "version"]).inside {
        "SELECT max(timestamp) AS newest, version FROM (\($0)) GROUP BY version ORDER BY newest DESC"
      }
      return try await rows.reading.rows(statement) {
        (timestamp: try $0.int(Int64.self), version: try $0.nullable { try $0.string() })
      }
    }
  }
}
