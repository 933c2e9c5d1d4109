import GRDB

/// What is known of one person: of all sessions that have their name.
extension SQLiteSessions {
  /// Sessions whose issues are told when those of all take too long.
  private static let few = 100
  private static let listedIssues = 50
  /// In seconds.
  private static let patience = 8 * TimeLimit.patience

  func user(_ scope: ReadScope, _ name: String, app: String?) async throws -> UserAnswer? {
    try await user(scope, name, app: app, patience: Self.patience)
  }

  /// - Parameter patience: seconds for the issues of all sessions.
  func user(_ scope: ReadScope, _ name: String, app: String? = nil, patience: Double) async throws -> UserAnswer? {
    try await store.read(scope, .heavy) { database in
      var answer = UserAnswer(name: name)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, bundleId, appVersion, \(SessionSelection.device), \(SessionSelection.system), tags, first, last, events,
            errors, EXISTS (SELECT 1 FROM issue_event CROSS JOIN issue ON issue.id = issue_event.issue
              WHERE issue_event.session = session.id AND kind = 'crash')
          FROM session WHERE \(Self.ofUser) ORDER BY last DESC LIMIT ?3
          """, arguments: [name, app, UserAnswer.most])
      while let row = try rows.next() { answer.add(UserAnswer.Session(row)) }
      guard answer.sessions > 0 else { return nil }
      answer.isPartial = answer.sessions == UserAnswer.most
      if let issues = try TimeLimit.run(
        patience, in: database, { try issues(name, app, of: UserAnswer.most, database) })
      {
        answer.issues = issues
      } else {
        answer.issues = try issues(name, app, of: Self.few, database)
        answer.issueSessions = min(Int64(Self.few), answer.sessions)
        answer.isPartial = true
      }
      return answer
    }
  }

  /// Of the newest sessions.
  private func issues(_ name: String, _ app: String?, of most: Int, _ database: Database) throws -> [UserAnswer.Issue] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT issue.name, kind, template, cause, culprit, COUNT(*), COUNT(DISTINCT issue_event.session),
          MAX(issue_event.timestamp), IFNULL(status, 'open')
        FROM (SELECT id FROM session WHERE \(Self.ofUser) ORDER BY last DESC LIMIT ?3) AS own
          CROSS JOIN issue_event ON issue_event.session = own.id
          CROSS JOIN issue ON issue.id = issue_event.issue LEFT JOIN issue_state ON issue_state.name = issue.name
        GROUP BY issue.id ORDER BY 6 DESC, 8 DESC LIMIT ?4
        """, arguments: [name, app, most, Self.listedIssues]
    ).map(UserAnswer.Issue.init)
  }

  private static let ofUser = "userId = ?1 AND (?2 IS NULL OR bundleId = ?2) AND (events > 0 OR told > 0)"

  func sessions(
    _ scope: ReadScope, ofUser name: String, app: String?, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<SessionRow> {
    try await store.read(scope) { database in
      var sql = "SELECT id FROM session WHERE userId = ? AND last IS NOT NULL"
      var arguments: StatementArguments = [name]
      if let app {
        sql += " AND bundleId = ?"
        arguments += [app]
      }
      if let before {
        sql += " AND (last, id) < (?, ?)"
        arguments += [before.key, before.id]
      }
      sql += " ORDER BY last DESC, id DESC LIMIT ?"
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments + [limit])
      let find = try database.cachedStatement(
        sql: SessionRow.columns + ", session.last FROM session WHERE session.id = ?")
      var page = try Page.fetch(ids, bytes: store.limits.pageBytes) {
        try SessionRow.fetchOne(find, arguments: [now - SessionRow.liveMilliseconds, $0])?.completed(
          database, now: now)
      }
      page.isFull = page.isFull || ids.count == limit
      try SessionFailure.add(to: &page.rows, database)
      return page
    }
  }
}
