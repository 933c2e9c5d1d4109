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
}
