import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

@Suite struct `Issues that are one problem` {
  private typealias Notes = `What people write down about issues`

  private static func deliver(
    _ collector: RunningCollector, _ events: [(message: String, at: Int)], session: String = "s-1",
    fingerprint: String? = nil,
    bundle: String = "dev.example.shop"
  ) async throws {
    var batch = RawBatch(bundleId: bundle)
    batch.addContext(1, session: session)
    for event in events {
      batch.add(.event, Notes.failure(event.message, at: event.at, fingerprint: fingerprint, bundle: bundle))
    }
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: events.count)
  }

  private static func issues(_ collector: RunningCollector) async throws -> [String: JSONValue] {
    let issues = try await collector.json("/api/issues?status=all&limit=100")["issues"].array
    return Dictionary(issues.map { ($0["title"].string ?? "", $0) }) { first, _ in first }
  }

  private static func change(
    _ collector: RunningCollector, _ method: HTTPMethod, _ path: String, _ body: String
  ) async throws -> RunningCollector.Answer {
    try await collector.send(
      method, path, headers: [("Content-Type", "application/json")], body: ByteBuffer(string: body))
  }

  @Test func `two messages are two issues, and an app's own fingerprint makes them one`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(
        collector, [("The payment failed", 1000), ("No points were added", 2000), ("The payment failed", 3000)])
      var issues = try await Self.issues(collector)
      #expect(issues.mapValues { $0["count"].int } == ["The payment failed": 2, "No points were added": 1])
      #expect(issues["The payment failed"]?["subtitle"].string == "Shop.Failure")
      try await Self.deliver(
        collector, [("Out of beans", 4000), ("No milk", 5000)], session: "s-2", fingerprint: "stock")
      issues = try await Self.issues(collector)
      #expect(issues.count == 3 && issues["No milk"]?["count"].int == 2)
    }
  }

  @Test func `merged issues count as one, also what comes later, and come apart exactly`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(
        collector, [("The payment failed", 3_600_000), ("No points were added", 1000), ("No stamps", 2000)])
      try await Self.deliver(collector, [("No points were added", 9_000_000)], session: "s-2")
      let before = try await Self.issues(collector)
      func name(_ title: String) -> String { before[title]?["id"].string ?? "" }
      let pay = "/api/issues/\(name("The payment failed"))"
      // Stamps into points, and points with what is in them into the payment.
      let first = try await Self.change(
        collector, .POST, "/api/issues/\(name("No points were added"))/merge", "{\"issues\":[\"\(name("No stamps"))\"]}"
      )
      #expect(try first.json()["count"].int == 3)
      let merged = try await Self.change(
        collector, .POST, pay + "/merge", "{\"issues\":[\"\(name("No points were added"))\"]}"
      ).json()
      #expect(merged["title"].string == "The payment failed")
      #expect(merged["count"].int == 4 && merged["sessions"].int == 2)
      #expect(merged["first"].int == 1000 && merged["last"].int == 9_000_000)
      #expect(merged["merged"].array.map { $0["count"].int ?? 0 }.sorted() == [1, 2])
      #expect(try await Self.issues(collector).keys.sorted() == ["The payment failed"])
      // The old address leads on.
      #expect(try await collector.json("/api/issues/\(name("No stamps"))")["id"].string == name("The payment failed"))

      try await Self.deliver(collector, [("No points were added", 9_500_000)], session: "s-3")
      let later = try await collector.wait(for: pay) { $0["count"].int == 5 }
      #expect(later["title"].string == "The payment failed" && later["sessions"].int == 3)
      #expect(later["versions"]["2.1"].int == 5 && later["message"].string == "The payment failed")

      let split = try await Self.change(
        collector, .POST, pay + "/split", "{\"issue\":\"\(name("No points were added"))\"}"
      ).json()
      #expect(split["count"].int == 2 && split["sessions"].int == 1)
      let after = try await Self.issues(collector)
      #expect(after["No points were added"]?["count"].int == 3 && after["No points were added"]?["sessions"].int == 3)
      #expect(after["No points were added"]?["last"].int == 9_500_000)
      _ = try await Self.change(collector, .POST, pay + "/split", "{\"issue\":\"\(name("No stamps"))\"}")
      let whole = try await Self.issues(collector)
      #expect(whole["The payment failed"]?["first"].int == 3_600_000)
      #expect(
        whole.mapValues { $0["count"].int } == ["The payment failed": 1, "No points were added": 3, "No stamps": 1])
      #expect(
        try await Self.change(collector, .POST, pay + "/split", "{\"issue\":\"\(name("No stamps"))\"}").status == 404)
      let history = try await collector.json(pay)["history"].array.map { $0["what"].string }
      #expect(history == ["split", "split", "merged"])
    }
  }

  @Test func `a merged issue is found by what its parts said, and by that no more when they are taken out`()
    async throws
  {
    try await RunningCollector.with { collector in
      // What stands in quotes is not part of a title; the newest message is the issue's own.
      try await Self.deliver(
        collector,
        [
          ("Card “gold” failed", 1000), ("Card “silver” failed", 2000), ("File “beans” is gone", 3000),
          ("File “milk” is gone", 4000),
        ])
      let issues = try await Self.issues(collector)
      let card = try #require(issues["Card “…” failed"]?["id"].string)
      let file = try #require(issues["File “…” is gone"]?["id"].string)
      func finds(_ word: String, _ names: [String]) async throws {
        let found = try await collector.wait(for: "/api/issues?status=all&q=\(word)") {
          $0["issues"].array.map { $0["id"].string } == names
        }
        #expect(found["issues"].array.map { $0["id"].string } == names, "\(word)")
      }
      try await finds("beans", [file])
      try await finds("gold", [card])
      #expect(
        try await Self.change(collector, .POST, "/api/issues/\(card)/merge", "{\"issues\":[\"\(file)\"]}").status == 200
      )
      for word in ["beans", "milk", "gold", "silver"] { try await finds(word, [card]) }
      #expect(
        try await Self.change(collector, .POST, "/api/issues/\(card)/split", "{\"issue\":\"\(file)\"}").status == 200)
      for word in ["beans", "milk"] { try await finds(word, [file]) }
      for word in ["gold", "silver"] { try await finds(word, [card]) }
    }
  }

  @Test func `issues of two apps, or of two kinds, are not merged, and nothing is changed`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(collector, [("The payment failed", 1000)])
      try await Self.deliver(collector, [("No milk", 1000)], session: "s-9", bundle: "dev.example.other")
      let issues = try await Self.issues(collector)
      let path = "/api/issues/\(issues["The payment failed"]?["id"].string ?? "")/merge"
      let refused = try await Self.change(
        collector, .POST, path, "{\"issues\":[\"\(issues["No milk"]?["id"].string ?? "")\"]}")
      #expect(refused.status == 400 && refused.errorCode == "not_alike")
      #expect(try await Self.change(collector, .POST, path, "{\"issues\":[\"nothing\"]}").status == 404)
      #expect(try await Self.issues(collector).count == 2)
    }
  }

  @Test(.disabled(if: SharedState.isWanted, "it is about the index's own file"))
  func `a data directory from before gets issues by message, decided about as before`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await Self.deliver(
        collector, [("The payment failed", 1000), ("No points were added", 2000), ("The payment failed", 3000)])
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { try Self.makeOld($0) }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      let answer = try await collector.wait(for: "/api/issues?status=resolved") { $0["issues"].array.count == 2 }
      let titles = Dictionary(
        answer["issues"].array.map { ($0["title"].string ?? "", $0["count"].int ?? 0) }
      ) { first, _ in first }
      #expect(titles == ["The payment failed": 2, "No points were added": 1])
      #expect(answer["issues"][0]["resolvedAfter"].string == "2.0")
      #expect(answer["issues"].array.allSatisfy { $0["changedBy"].string == "Somebody on this machine" })
      let reports = try await collector.json("/api/reports")["reports"].array
      #expect(reports.count == 3 && reports.allSatisfy { $0["screen"].string == "Checkout" })
    }
  }

  /// As the schema was, with all failures in one issue that somebody resolved.
  private static func makeOld(_ database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM grdb_migrations WHERE identifier LIKE '18:%';
        DROP TABLE issue_note; DROP TABLE issue_change; DROP TABLE issue_merge; DROP TABLE tap_trouble;
        DROP INDEX session_user; DROP INDEX screen_frames_time; DROP INDEX screen_frames_session;
        DROP TABLE screen_frames;
        CREATE TABLE screen_frames(
          event INTEGER PRIMARY KEY, session INTEGER NOT NULL, build INTEGER NOT NULL, timestamp INTEGER NOT NULL,
          screen TEXT NOT NULL, duration INTEGER NOT NULL, frames INTEGER NOT NULL, slow INTEGER NOT NULL,
          frozen INTEGER NOT NULL, worst INTEGER NOT NULL);
        CREATE INDEX screen_frames_time ON screen_frames(
          timestamp, build, screen, frames, slow, frozen, duration, worst, session);
        ALTER TABLE issue DROP COLUMN template;
        CREATE TABLE kept AS SELECT event, issue, session, timestamp, version, duration FROM issue_event;
        DROP TABLE issue_event;
        CREATE TABLE issue_event(
          event INTEGER PRIMARY KEY, issue INTEGER NOT NULL, session INTEGER NOT NULL, timestamp INTEGER NOT NULL,
          version TEXT, duration REAL);
        INSERT INTO issue_event SELECT * FROM kept;
        DROP TABLE kept;
        CREATE INDEX issue_event_issue ON issue_event(issue, timestamp);
        CREATE INDEX issue_event_time ON issue_event(timestamp);
        CREATE INDEX issue_event_session ON issue_event(session);
        ALTER TABLE project DROP COLUMN tracker;
        DELETE FROM report_image;
        UPDATE issue_event SET issue = (SELECT MIN(id) FROM issue);
        DELETE FROM issue WHERE id > (SELECT MIN(id) FROM issue);
        UPDATE issue SET name = '00000000000000aa', events = 3;
        DELETE FROM issue_session; INSERT INTO issue_session SELECT issue, session, COUNT(*) FROM issue_event GROUP BY issue, session;
        DELETE FROM issue_version; INSERT INTO issue_version SELECT issue, version, COUNT(*) FROM issue_event GROUP BY issue, version;
        DELETE FROM issue_hour; INSERT INTO issue_hour SELECT issue, timestamp / 3600000, COUNT(*) FROM issue_event GROUP BY 1, 2;
        INSERT INTO issue_state(name, status, version, changedAt, changedBy)
          VALUES ('00000000000000aa', 'resolved', '>2.0', 5000, '127.0.0.1 Mozilla/5.0 (X11; Linux x86_64)');
        """)
  }
}
