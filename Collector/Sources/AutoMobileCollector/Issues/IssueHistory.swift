import GRDB

/// Who changed what about an issue, and when.
struct IssueChange: FetchableRecord, Sendable {
  enum What: String, Sendable {
    case status, regressed, assignee, link, comment, merged, split, undone
  }

  var id: Int64
  var at: Int64
  var author: String
  var what: String
  /// A JSON object whose members depend on what it was.
  var value: String?

  /// Of one issue, in one answer.
  static let listed = 200
  /// What people may add to one issue.
  static let most = 2000

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
    let count = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT COUNT(*) FROM issue_change WHERE name = ?"), arguments: [name])
    guard count ?? 0 < most else {
      // A regression is noted by nobody who could be told.
      if what == .regressed { return }
      throw APIError(.conflict, "too_many", "this issue has \(most) changes in its history: it takes no more")
    }
    var json = JSONOutput()
    json.object(members)
    try database.cachedStatement(
      sql: "INSERT INTO issue_change(name, at, author, what, value, before) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [name, now, author, what.rawValue, String(buffer: json.buffer), before])
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("at", at)
      $0.member("by", author)
      $0.member("what", what)
      $0.member("value", json: value ?? "{}")
    }
  }
}
