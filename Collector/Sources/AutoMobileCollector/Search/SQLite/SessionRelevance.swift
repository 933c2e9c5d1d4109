import GRDB

/// What a search means first, when its words stand in many places: a name before an issue, an issue before anything that was
/// merely said.
enum SessionRelevance {
  /// An expression over `session`, of integers: points, and within as many the newest.
  static let key = """
    (IFNULL((SELECT points FROM relevant WHERE relevant.id = session.id), 0) * 100000000000000
      + MIN(MAX(IFNULL(session.last, 0), 0), 99999999999999))
    """

  /// `relevant`, in front of a statement that uses ``key``.
  static func points(_ query: SearchQuery) -> SearchCondition {
    let words = query.words
    guard !words.isEmpty else { return SearchCondition("WITH relevant(id, points) AS (SELECT 0, 0)") }
    let text = words.joined(separator: " ")
    let name = SearchCondition.any([
      .name("session.userId", .text(text, isExact: false), after: ""),
      .name("session.sessionId", .text(text, isExact: false), after: ""),
    ])
    let issue = SearchCondition.all(words.map(IssueTerms.text))
    let known = SearchCondition.all(words.map(SessionTerms.known))
    return SearchCondition(
      """
      WITH relevant(id, points) AS MATERIALIZED (SELECT id, MAX(points) FROM (
        SELECT id, 3 AS points FROM session WHERE \(name.sql)
        UNION ALL SELECT issue_session.session, 2 FROM issue CROSS JOIN issue_session ON issue_session.issue = issue.id
          WHERE \(issue.sql)
        UNION ALL SELECT id, 1 FROM session WHERE \(known.sql)) GROUP BY id)
      """, name.arguments + issue.arguments + known.arguments)
  }
}
