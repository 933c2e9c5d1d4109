import AutoMobileState
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

  /// Where the index notices it: an issue is back, or was put together with others. One transaction with what it notices.
  static func add(
    _ what: What, to name: String, by author: String, at now: Int64, in database: Database,
    _ members: (inout JSONOutput) -> Void
  ) throws {
    try SQLiteState.within(database) { try add(what, to: name, by: author, at: now, in: $0, members) }
  }
}
