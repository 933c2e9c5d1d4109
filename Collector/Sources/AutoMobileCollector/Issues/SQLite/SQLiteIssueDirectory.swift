import GRDB

extension SQLiteIssues: IssueDirectory {
  func known(_ name: String) async throws -> String? {
    try await store.pool.read { try IssueMerges.known(name, in: $0) }
  }

  func side(_ name: String) async throws -> IssueSide? {
    try await store.pool.read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT name, cause, culprit, message, file, line, template, kind, bundleId FROM issue WHERE name = ?
          """, arguments: [name]
      ).map { IssueSide(kind: $0[7], bundleId: $0[8], called: IssueNotice.IssueName($0)) }
    }
  }

  func live(_ name: String) async throws -> [(timestamp: Int64, version: String?)] {
    try await store.pool.read { database in
      let row = try Int64.fetchOne(database, sql: "SELECT id FROM issue WHERE name = ?", arguments: [name])
      return try row.map { try IssueStates.live($0, name, in: database) } ?? []
    }
  }
}
