/// What is asked of issues.
enum IssueQuery {
  struct Filter: Sendable {
    var kinds: [String] = []
    var version: String?
    var bundleId: String?
    var query = SearchQuery(everythingIn: .issues)
    /// nil: whatever people decided.
    var status: IssueStatus?
    /// Only those that came back after they were resolved.
    var regressed = false
    /// Only those that this person takes care of.
    var assignee: String?
    var order = Order.last

    /// Of all issues the first few, in an order that is kept.
    var isCheap: Bool { query.isEmpty && version == nil && order != .sessions }
  }

  enum Order: String, Sendable, CaseIterable {
    case last, first, count, sessions
  }

  /// How many buckets a trend has, the last one being the present.
  static let days = 14
  static let hours = 24
}
