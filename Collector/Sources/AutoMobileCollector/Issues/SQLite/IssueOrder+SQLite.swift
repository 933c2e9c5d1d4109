extension IssueQuery.Order {
  /// What sorts, always downwards.
  var key: String {
    switch self {
    case .last: "issue.last"
    case .first: "issue.first"
    case .count: "issue.events"
    case .sessions: "(SELECT COUNT(*) FROM issue_session WHERE issue_session.issue = issue.id)"
    }
  }
}
