import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Issue searches that are too broad` {
  private static let issues = 40
  private static let sessions = 15_000

  /// Issues that met every session.
  private static func store(_ directory: TemporaryDirectory) async throws -> EventStore {
    var limits = CollectorLimits()
    limits.readSeconds = 6
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64, limits: limits)
    try await store.pool.write {
      try $0.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(sessions))
          INSERT INTO session(id, sessionId, given, userId, first, last)
          SELECT i, 's-' || i, 's-' || i, 'user-' || i || '-of-the-shop', i, i FROM n;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(issues))
          INSERT INTO issue(id, name, kind, cause, events, first, last)
          SELECT i, 'issue-' || i, 'failure', 'Failure', \(sessions), 1, i FROM n;
          INSERT INTO issue_session SELECT issue.id, session.id, 1 FROM issue CROSS JOIN session;
          INSERT INTO issue_event(event, issue, session, timestamp)
          SELECT issue.id * 100000 + session.id, issue.id, session.id, session.id FROM issue CROSS JOIN session;
          """)
    }
    return store
  }

  @Test func `many terms about many sessions are answered from the newest ones`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await Self.store(directory)
    let scope = try store.readScope()
    var filter = IssueQuery.Filter()
    let others = (0..<20).map { "-user:nobody\($0)" }.joined(separator: " ")
    filter.query = try SearchQuery("user:user-\(Self.sessions) \(others)", in: .issues)
    let page = try await SQLiteIssues(store: store).list(scope, filter, before: nil, limit: 100, now: 1_000_000)
    #expect(page.rows.count == Self.issues)
    // Of one that is not there, too, when words are looked for.
    filter.query = try SearchQuery("failure " + others.replacing("-user:", with: "-"), in: .issues)
    let words = try await SQLiteIssues(store: store).list(scope, filter, before: nil, limit: 100, now: 1_000_000)
    #expect(words.rows.count == Self.issues)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: [(1, false, 40), (1, true, 0), (Self.sessions, true, 40), (Self.sessions, false, 40)])
  func `sessions are narrowed to the newest ones, and only then`(session: Int, isNarrow: Bool, count: Int) async throws
  {
    let directory = try TemporaryDirectory()
    let store = try await Self.store(directory)
    let query = try SearchQuery("user:\"user-\(session)-of-the-shop\"", in: .issues)
    let condition = SearchCondition.all(IssueTerms(newestSessions: isNarrow).conditions(query))
    let found = try await store.pool.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM issue WHERE \(condition.sql)", arguments: condition.arguments)
    }
    #expect(found == count)
    withExtendedLifetime(directory) {}
  }
}
