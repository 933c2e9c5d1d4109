import AsyncHTTPClient
import AutoMobileJournal
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Sudden death while old sessions are deleted` {
  @Test func `what is left is right, nothing comes back, and what comes meanwhile stays`() async throws {
    let directory = try TemporaryDirectory()
    let old = (0..<30).map { index in
      var batch = RawBatch()
      batch.addContext(1, session: "old-\(index)")
      for message in 0..<400 { batch.addLog("message \(message) of session \(index)", level: message % 5) }
      return batch
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      for batch in old { try await collector.post(raw: batch) }
      for batch in old { try await collector.waitForLaunch(batch.launch, stored: 400) }
      // Soon, when it is as if they had come long ago, they are to go.
      #expect(try await collector.replace("/api/settings/retention", with: "{\"days\":30}").status == 200)
    }
    let path = directory.url.appending(path: "index.sqlite").path
    let aging = try DatabaseQueue(path: path)
    try await aging.write { try $0.execute(sql: "UPDATE session SET received = 1700000000000") }
    try aging.close()

    // Each time some sessions go, and new ones come; then the process is killed at any moment.
    var new: [RawBatch] = []
    var left = 30
    for _ in 0..<(ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 6 : 60) where left > 0 {
      let process = try await CollectorProcess(directory: directory.url)
      var batch = RawBatch()
      batch.addContext(1, session: "new-\(new.count)")
      for message in 0..<50 { batch.addLog("new message \(message)") }
      #expect(try await process.post(batch) == 200)
      new.append(batch)
      try await Task.sleep(for: .microseconds(.random(in: 0..<200_000)))
      await process.kill()
      let database = try DatabaseQueue(path: path)
      left = try await database.read {
        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM session WHERE sessionId LIKE 'old-%'") ?? 0
      }
      // Whatever is half deleted is counted right.
      let wrong = try await database.read {
        try Int.fetchOne(
          $0,
          sql: """
            SELECT COUNT(*) FROM session WHERE events <> (SELECT COUNT(*) FROM event WHERE event.session = session.id)
              OR errors <> (SELECT COUNT(*) FROM event WHERE event.session = session.id
                AND json_extract(CAST(payload AS TEXT), '$.level') >= 4)
            """)
      }
      #expect(wrong == 0)
      try database.close()
    }

    let young = new
    // In peace: all that is old goes, and is not taken again.
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.wait(for: "/api/settings") { $0["storage"]["sessions"].int == young.count }
      for batch in old { try await collector.post(raw: batch) }
      for batch in old {
        try await collector.wait(for: "/api/launches?limit=1000") { $0.launch(batch.launch)["duplicates"].int == 400 }
      }
      #expect(try await collector.json("/api/settings")["storage"]["sessions"].int == young.count)
      for batch in young { try await collector.waitForLaunch(batch.launch, stored: 50) }
    }
    let database = try DatabaseQueue(path: path)
    try await database.read { (database: Database) throws -> Void in
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event") == young.count * 50)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event_text WHERE event_text MATCH 'session'") == 0)
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
    }
  }
}
