import GRDB

/// Reads what is known of one person: of all sessions that have their name.
struct UserQuery: Sendable {
  let store: EventStore
  /// Sessions of which the sums are made, the newest ones.
  static let most = 5000
  private static let listed = 50

  /// nil when no session has this name.
  func user(_ scope: ReadScope, _ name: String) async throws -> UserAnswer? {
    try await store.read(scope, .heavy) { database in
      var answer = UserAnswer(name: name)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, bundleId, appVersion, \(SessionSelection.device), \(SessionSelection.system), tags, first, last, events,
            errors, EXISTS (SELECT 1 FROM issue_event CROSS JOIN issue ON issue.id = issue_event.issue
              WHERE issue_event.session = session.id AND kind = 'crash')
          FROM session WHERE userId = ? AND events > 0 ORDER BY last DESC LIMIT ?
          """, arguments: [name, Self.most])
      while let row = try rows.next() { answer.add(row) }
      guard answer.sessions > 0 else { return nil }
      answer.isPartial = answer.sessions == Self.most
      answer.issues = try Row.fetchAll(
        database,
        sql: """
          SELECT issue.name, kind, template, cause, culprit, COUNT(*), COUNT(DISTINCT issue_event.session),
            MAX(issue_event.timestamp), IFNULL(status, 'open')
          FROM session CROSS JOIN issue_event ON issue_event.session = session.id
            CROSS JOIN issue ON issue.id = issue_event.issue LEFT JOIN issue_state ON issue_state.name = issue.name
          WHERE userId = ? GROUP BY issue.id ORDER BY 6 DESC, 8 DESC LIMIT ?
          """, arguments: [name, Self.listed]
      ).map(UserAnswer.Issue.init)
      return answer
    }
  }

  /// The sessions of one person, the newest first.
  func sessions(
    _ scope: ReadScope, _ name: String, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<SessionRow> {
    try await store.read(scope) { database in
      var sql = "SELECT id FROM session WHERE userId = ? AND last IS NOT NULL"
      var arguments: StatementArguments = [name]
      if let before {
        sql += " AND (last, id) < (?, ?)"
        arguments += [before.key, before.id]
      }
      sql += " ORDER BY last DESC, id DESC LIMIT ?"
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments + [limit])
      let find = try database.cachedStatement(
        sql: SessionRow.columns + ", session.last FROM session WHERE session.id = ?")
      var page = try Page.fetch(ids, bytes: store.limits.pageBytes) {
        try SessionRow.fetchOne(find, arguments: [now - SessionQuery.liveMilliseconds, $0])?.completed(database)
      }
      page.isFull = page.isFull || ids.count == limit
      try SessionFailure.add(to: &page.rows, database)
      return page
    }
  }
}
