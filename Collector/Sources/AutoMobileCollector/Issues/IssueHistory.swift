import AutoMobileState

/// Who changed what about an issue, and when.
struct IssueChange: Sendable {
  enum What: String, Sendable, CaseIterable {
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
  /// Comments on one issue; and of everything else, what is kept.
  static let most = 2000

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("at", at)
      $0.member("by", author)
      $0.member("what", what)
      $0.member("value", json: value ?? "{}")
    }
  }

  /// The newest first.
  static func list(_ name: String, in state: borrowing StateReading) throws -> [IssueChange] {
    try state.rows(
      "SELECT id, at, author, what, value FROM issue_change WHERE name = ?1 ORDER BY id DESC LIMIT ?2", name, listed
    ).map { row in
      IssueChange(id: try row[0], at: try row[1], author: try row[2], what: try row[3], value: try row[4])
    }
  }

  /// - Parameter before: the state that a decision replaced, which can be put back.
  static func add(
    _ what: What, to name: String, by author: String, at now: Int64, before: String? = nil,
    in state: borrowing StateWriting, _ members: (inout JSONOutput) -> Void
  ) throws {
    try makeRoom(for: what, of: name, in: state)
    var json = JSONOutput()
    json.object(members)
    try state.execute(
      "INSERT INTO issue_change(name, at, author, what, value, before) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", name, now,
      author, what.rawValue, String(buffer: json.buffer), before)
  }

  /// Comments are refused when there are too many. What people do to an issue never is: what is least missed is forgotten, the
  /// oldest that is no decision.
  private static func makeRoom(for what: What, of name: String, in state: borrowing StateWriting) throws {
    let isComment: StateSQL = what == .comment ? "what = 'comment'" : "what <> 'comment'"
    let count: Int? = try state.value("SELECT COUNT(*) FROM issue_change WHERE name = ?1 AND \(isComment)", name)
    guard count ?? 0 >= most else { return }
    guard what != .comment else {
      throw APIError(.conflict, "too_many", "this issue has \(most) comments, which is the limit")
    }
    try state.execute(
      """
      DELETE FROM issue_change WHERE id = (
        SELECT id FROM issue_change WHERE name = ?1 AND what <> 'comment'
        ORDER BY CASE WHEN what IN ('status', 'regressed', 'undone') THEN 1 ELSE 0 END, id LIMIT 1)
      """, name)
  }
}
