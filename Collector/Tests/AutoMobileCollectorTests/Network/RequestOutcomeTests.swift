import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// `Tests/Requests/outcomes.json`: which requests have failed, for the API, the command line and the viewer alike.
@Suite struct `A failed request is an error everywhere` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Requests/outcomes.json")

  /// One session of each outcome, named after it.
  private static func outcomes() throws -> (batch: RawBatch, failed: Set<String>, all: Int) {
    let tree = try JSONDecoder().decode(JSONTree.self, from: Data(contentsOf: file))
    guard case .array(let entries)? = tree["outcomes"] else { return (RawBatch(), [], 0) }
    var (batch, failed) = (RawBatch(), Set<String>())
    for (index, entry) in entries.enumerated() {
      let what = entry["what"]?.string ?? ""
      batch.addContext(index + 1, session: what)
      let event = (entry["members"] ?? .null).merged(
        with: .object([
          "eventType": .string("network_request"), "timestamp": .integer(Int64(1000 + index)),
          "method": .string("GET"), "url": .string("https://h/\(what)"), "contextId": .integer(Int64(index + 1)),
        ]))
      batch.add(.event, event.text)
      if entry["failed"]?.text == "true" { failed.insert(what) }
    }
    return (batch, failed, entries.count)
  }

  private static func check(_ collector: RunningCollector, _ failed: Set<String>, _ all: Int) async throws {
    let sessions = try await collector.json("/api/sessions?limit=100")["sessions"].array
    #expect(sessions.count == all)
    let erroneous = sessions.filter { $0["errors"].int == 1 }.compactMap { $0["sessionId"].string }
    #expect(Set(erroneous) == failed && sessions.allSatisfy { ($0["errors"].int ?? 9) <= 1 })
    #expect(Set(sessions.filter { !$0["failures"].array.isEmpty }.compactMap { $0["sessionId"].string }) == failed)
    let requests = try await collector.json("/api/network?failed=true&limit=100")["requests"].array
    #expect(Set(requests.compactMap { $0["sessionId"].string }) == failed)
    for query in ["has=failed", "has=error", "q=has:failed", "q=has:error"] {
      let found = try await collector.json("/api/sessions?limit=100&\(query)")["sessions"].array
      #expect(Set(found.compactMap { $0["sessionId"].string }) == failed, "\(query)")
    }
    let errors = try await collector.json("/api/events?limit=100&q=level:error")["events"].array
    #expect(Set(errors.compactMap { $0["sessionId"].string }) == failed)
    #expect(try await collector.json("/api/health?from=0&to=9999")["requests"]["failed"].int == failed.count)
    for session in sessions.compactMap({ $0["sessionId"].string }) {
      let severity = try await collector.json("/api/sessions/\(session)/outline")["severities"][0].int ?? 0
      #expect((severity >= 4) == failed.contains(session), "\(session)")
    }
  }

  @Test func `in a session's errors, in lists of requests, in searches, in health and in the timeline`() async throws {
    let (batch, failed, all) = try Self.outcomes()
    #expect(failed.count == 7)
    try await RunningCollector.with { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: all)
      try await Self.check(collector, failed, all)
    }
  }

  @Test func `also of those that were indexed when only a status from 500 on counted`() async throws {
    let directory = try TemporaryDirectory()
    let (batch, failed, all) = try Self.outcomes()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: all)
    }
    // As it was before the migration.
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      try database.execute(
        sql: """
          UPDATE event SET severity = (
            SELECT CASE WHEN (status >= 500 OR error IS NOT NULL) AND path <> '/cancelled' AND path <> '/cancelled-late'
              THEN 4 WHEN status >= 400 THEN 3 ELSE 2 END FROM network WHERE network.event = event.id);
          UPDATE session SET errors = (
            SELECT COUNT(*) FROM event WHERE event.session = session.id AND severity >= 4);
          DELETE FROM grdb_migrations WHERE identifier LIKE '19: failed%';
          """)
      let counted = try Int.fetchOne(database, sql: "SELECT SUM(errors) FROM session")
      #expect(counted == 4, "503, timed out, broken off, and one that was unfinished")
    }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { try await Self.check($0, failed, all) }
  }
}
