import GRDB

extension IssueNotes {
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
