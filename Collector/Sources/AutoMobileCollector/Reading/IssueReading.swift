/// Asks for issues: reports of one problem, counted together.
protocol IssueReading: Sendable {
  /// Issues in the order that the filter wants, the newest or the most frequent first.
  func list(
    _ scope: ReadScope, _ filter: IssueQuery.Filter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<IssueRow>

  /// One issue with all that is known of it; nil when there is none of this name, also none that it was merged into.
  func issue(_ scope: ReadScope, _ name: String, now: Int64) async throws -> IssueAnswer?

  /// Whether there is an issue of this name, or one that was merged into another.
  func exists(_ scope: ReadScope, _ name: String) async throws -> Bool

  /// Reports of any issue, last arrived first.
  func reports(
    _ scope: ReadScope, kinds: [String], before: Int64?, limit: Int
  ) async throws -> Page<RecentReportRow>

  /// The issue of an event; nil when it has none.
  func name(_ scope: ReadScope, ofEvent id: Int64) async throws -> String?
}
