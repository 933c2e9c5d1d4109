import AutoMobileState
import Foundation
import GRDB

/// Issues, read out of the index.
struct SQLiteIssues: IssueReading {
  let store: EventStore
  let state: any StateStore

  /// - Parameter state: by default where the index is.
  init(store: EventStore, state: (any StateStore)? = nil) {
    (self.store, self.state) = (store, state ?? store.state)
  }

  func list(
    _ scope: ReadScope, _ filter: IssueQuery.Filter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<IssueRow> {
    try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      let sorted = try TimeLimit.narrowing(filter.query.terms.count, in: database) { isNarrow in
        try Self.sorted(filter, before: before, limit: limit, newestSessions: isNarrow, in: database)
      }
      let find = try database.cachedStatement(sql: IssueRow.select + " WHERE issue.id = ?")
      var page = try Page.fetch(sorted, bytes: store.limits.pageBytes) {
        try IssueRow.fetchOne(find, arguments: [$0])?.completed(database, now: now)
      }
      page.isFull = page.isFull || sorted.count == limit
      try IssueMatches(filter.query).add(to: &page.rows, database)
      return page
    }
  }

  /// Found and sorted by their numbers alone, and read one by one as far as there is room.
  ///
  /// - Parameter newestSessions: whether what is asked of sessions is looked for in the newest ones only.
  private static func sorted(
    _ filter: IssueQuery.Filter, before: PageCursor?, limit: Int, newestSessions: Bool, in database: Database
  ) throws -> [Int64] {
    var sql = "SELECT issue.id FROM issue\(IssueRow.states) WHERE issue.events > 0"
    var arguments: StatementArguments = []
    if let before {
      sql += " AND (\(filter.order.key), issue.id) < (?, ?)"
      arguments += [before.key, before.id]
    }
    if let status = filter.status {
      sql += " AND IFNULL(status, 'open') = ?"
      arguments += [status.rawValue]
    }
    if filter.regressed { sql += " AND regressedAt IS NOT NULL" }
    if let assignee = filter.assignee {
      sql += " AND assignee = ?"
      arguments += [assignee]
    }
    if !filter.kinds.isEmpty {
      sql += " AND kind IN (\(filter.kinds.map { _ in "?" }.joined(separator: ",")))"
      arguments += StatementArguments(filter.kinds)
    }
    if let version = filter.version {
      sql += " AND EXISTS (SELECT 1 FROM issue_version WHERE issue = issue.id AND issue_version.version = ?)"
      arguments += [version]
    }
    if let bundleId = filter.bundleId {
      sql += " AND bundleId = ?"
      arguments += [bundleId]
    }
    for condition in IssueTerms(newestSessions: newestSessions).conditions(filter.query) {
      sql += " AND \(condition.sql)"
      arguments += condition.arguments
    }
    sql += " ORDER BY \(filter.order.key) DESC, issue.id DESC LIMIT ?"
    arguments += [limit]
    return try Int64.fetchAll(database, sql: sql, arguments: arguments)
  }

  func issue(_ scope: ReadScope, _ name: String, now: Int64) async throws -> IssueAnswer? {
    let found: IssueAnswer? = try await store.read(scope) { database in
      guard let name = try IssueMerges.known(name, in: database),
        let issue = try IssueRow.fetchOne(database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [name])
      else { return nil }
      let reports = try Page<IssueReportRow>.fetch(
        database, sql: IssueReportRow.select + " WHERE issue = ? ORDER BY issue_event.timestamp DESC LIMIT 100",
        arguments: [issue.row], limit: 100, bytes: store.limits.pageBytes
      ).rows
      return IssueAnswer(
        issue: try issue.completed(database, now: now, allVersions: true), reports: reports,
        history: [],
        merged: try IssueMerges.parts(of: issue.row, name, in: database),
        users: try IssueAnswer.users(of: issue.row, in: database))
    }
    guard var answer = found else { return nil }
    let (name, app) = (answer.issue.name, answer.issue.bundleId.flatMap { scope.sees($0) ? $0 : nil })
    (answer.history, answer.tracker) = try await state.read { state in
      let tracker: TrackerTemplate? = if let app { try TrackerTemplate.of(app, in: state) } else { nil }
      return (try IssueChange.list(name, in: state), tracker)
    }
    return answer
  }

  func exists(_ scope: ReadScope, _ name: String) async throws -> Bool {
    try await store.read(scope) { try IssueMerges.known(name, in: $0) != nil }
  }

  func reports(
    _ scope: ReadScope, kinds: [String], before: Int64?, limit: Int
  ) async throws -> Page<RecentReportRow> {
    try await store.read(scope) { database in
      var sql = RecentReportRow.select + " WHERE issue_event.event < ?"
      var arguments: StatementArguments = [before ?? .max]
      if !kinds.isEmpty {
        sql += " AND kind IN (\(kinds.map { _ in "?" }.joined(separator: ",")))"
        arguments += StatementArguments(kinds)
      }
      sql += " ORDER BY issue_event.event DESC LIMIT ?"
      arguments += [limit]
      return try Page.fetch(database, sql: sql, arguments: arguments, limit: limit, bytes: store.limits.pageBytes)
    }
  }

  func name(_ scope: ReadScope, ofEvent id: Int64) async throws -> String? {
    try await store.read(scope) { database in
      try String.fetchOne(
        database, sql: "SELECT name FROM issue JOIN issue_event ON issue_event.issue = issue.id WHERE event = ?",
        arguments: [id])
    }
  }
}
