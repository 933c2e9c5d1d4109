import GRDB

extension IssueAnswer {
  static func users(of issue: Int64, in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT COUNT(DISTINCT userId) FROM issue_session JOIN session ON session.id = issue_session.session WHERE issue = ?
        """, arguments: [issue]) ?? 0
  }
}
