/// Asks what comes to issues, in an order in which nothing comes late: for the collector's own work, which sees everything.
protocol IssueArrivals: Sendable {
  /// The place in that order where somebody begins who wants what is new from now on.
  func newest() async throws -> Int64

  /// Reports that came after a place, by their issues, those first that came first. What was opened from a file is no news.
  ///
  /// - Parameters:
  ///   - version: only reports of this one.
  ///   - limit: of reports, about.
  func arrived(after place: Int64, version: String?, limit: Int) async throws -> ArrivedReports

  /// The issue of this name, without sums; nil when there is none.
  func row(of issue: String) async throws -> IssueRow?

  /// When reports of an issue happened, after `from` and up to `to`: the newest 50 000, the first first. Milliseconds since 1970.
  func times(of issue: String, from: Int64, to: Int64, version: String?) async throws -> [Int64]
}

/// What came to issues since somebody asked last.
struct ArrivedReports: Sendable {
  var touched: [TouchedIssue] = []
  /// Up to where everything has been looked at.
  var upTo: Int64
  /// There is more behind it right now.
  var isPartial = false
}

/// An issue of which there are new reports.
struct TouchedIssue: Sendable {
  /// Without sums.
  var issue: IssueRow
  /// Of the new reports: how many, the first one to come, and the span of their times.
  var reports: Int64
  var event: Int64
  var first: Int64
  var last: Int64
  /// Of one of them.
  var version: String?
  /// Reports of it had come before.
  var isKnown: Bool
}
