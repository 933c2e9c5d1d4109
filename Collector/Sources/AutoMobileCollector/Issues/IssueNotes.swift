import GRDB

/// What people write down about an issue: who takes care of it, where else it is kept, and what they have to say.
struct IssueNotes: Sendable {
  let store: EventStore

  /// - Returns: false when there is no such issue.
  func assign(_ name: String, to assignee: String?, by author: String, at now: Int64) async throws -> Bool {
    try await set("assignee", assignee, of: name, by: author, at: now, .assignee)
  }

  /// - Parameter link: of an external tracker; nil takes it away.
  func link(_ name: String, to link: String?, by author: String, at now: Int64) async throws -> Bool {
    try await set("link", link, of: name, by: author, at: now, .link)
  }

  func comment(_ name: String, _ text: String, by author: String, at now: Int64) async throws -> Bool {
    try await change(name) { name, database in
      try IssueChange.add(.comment, to: name, by: author, at: now, in: database) { $0.member("text", text) }
    }
  }

  /// - Parameter column: one of ours, never what somebody sent.
  private func set(
    _ column: String, _ value: String?, of name: String, by author: String, at now: Int64, _ what: IssueChange.What
  ) async throws -> Bool {
    try await change(name) { name, database in
      let before = try String.fetchOne(
        database, sql: "SELECT \(column) FROM issue_note WHERE name = ?", arguments: [name])
      guard before != value else { return }
      try database.execute(
        sql: "INSERT INTO issue_note(name, \(column)) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET \(column) = ?2",
        arguments: [name, value])
      try IssueChange.add(what, to: name, by: author, at: now, in: database) {
        $0.member(column, value)
        $0.member("before", before)
      }
    }
  }

  private func change(
    _ name: String, _ body: @escaping @Sendable (String, Database) throws -> Void
  ) async throws -> Bool {
    try await store.pool.write { database in
      guard let known = try IssueMerges.known(name, in: database) else { return false }
      try body(known, database)
      return true
    }
  }

  /// An issue that begins with a report out of another one begins with what people decided and wrote down there: its
  /// fingerprint changed, not the problem.
  static func inherit(from old: Int64, to new: Int64, in database: Database) throws {
    func name(_ row: Int64) throws -> String? {
      try String.fetchOne(database.cachedStatement(sql: "SELECT name FROM issue WHERE id = ?"), arguments: [row])
    }
    let isNew = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT events = 0 FROM issue WHERE id = ?"), arguments: [new])
    guard isNew == true, let old = try name(old), let new = try name(new) else { return }
    let isDecided = try Bool.fetchOne(
      database,
      sql:
        "SELECT EXISTS (SELECT 1 FROM issue_change WHERE name = ?1) OR EXISTS (SELECT 1 FROM issue_state WHERE name = ?1)",
      arguments: [new])
    guard isDecided == false else { return }
    for (table, columns) in [
      ("issue_state", "status, version, changedAt, changedBy, regressedAt, regressedIn"),
      ("issue_note", "assignee, link"), ("issue_change", "at, author, what, value, before"),
    ] {
      try database.execute(
        sql: "INSERT OR IGNORE INTO \(table)(name, \(columns)) SELECT ?, \(columns) FROM \(table) WHERE name = ?",
        arguments: [new, old])
    }
  }
}
