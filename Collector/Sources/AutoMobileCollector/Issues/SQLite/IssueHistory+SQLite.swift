import GRDB

extension IssueChange: FetchableRecord {
  init(row: Row) {
    id = row[0]
    at = row[1]
    author = row[2]
    what = row[3]
    value = row[4]
  }

  /// The newest first.
  static func list(_ name: String, in database: Database) throws -> [IssueChange] {
    try fetchAll(
      database, sql: "SELECT id, at, author, what, value FROM issue_change WHERE name = ? ORDER BY id DESC LIMIT ?",
      arguments: [name, listed])
  }

  /// - Parameter before: the state that a decision replaced, which can be put back.
  static func add(
    _ what: What, to name: String, by author: String, at now: Int64, before: String? = nil, in database: Database,
    _ members: (inout JSONOutput) -> Void
  ) throws {
    try makeRoom(for: what, of: name, in: database)
    var json = JSONOutput()
    json.object(members)
    try database.cachedStatement(
      sql: "INSERT INTO issue_change(name, at, author, what, value, before) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [name, now, author, what.rawValue, String(buffer: json.buffer), before])
  }

  /// Comments are refused when there are too many. What people do to an issue never is: what is least missed is forgotten, the
  /// oldest that is no decision.
  private static func makeRoom(for what: What, of name: String, in database: Database) throws {
    let count = try Int.fetchOne(
      database.cachedStatement(
        sql: "SELECT COUNT(*) FROM issue_change WHERE name = ? AND (what = 'comment') = ?"),
      arguments: [name, what == .comment])
    guard count ?? 0 >= most else { return }
    guard what != .comment else {
      throw APIError(.conflict, "too_many", "this issue has \(most) comments, which is the limit")
    }
    try database.cachedStatement(
      sql: """
        DELETE FROM issue_change WHERE id = (
          SELECT id FROM issue_change WHERE name = ? AND what <> 'comment'
          ORDER BY what IN ('status', 'regressed', 'undone'), id LIMIT 1)
        """
    ).execute(arguments: [name])
  }
}
