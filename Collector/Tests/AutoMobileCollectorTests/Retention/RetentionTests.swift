import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Retention` {
  private static let day: Int64 = 86_400_000

  /// One session with one event of each kind that leaves a trace somewhere, and some more.
  private static func story(_ name: String, events: Int = 20) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: name, user: "ada")
    for index in 0..<events { batch.addLog("message number\(index) of \(name)", level: index % 5) }
    batch.addNavigation(to: "Menu")
    batch.add(.breadcrumb, "{\"timestamp\":1700000000.25,\"category\":\"custom\",\"message\":\"crumb of \(name)\"}")
    batch.add(
      .event,
      """
      {"eventType":"network_request","timestamp":1700000000000,"url":"https://api.example/v1/\(name)","method":"GET","statusCode":200,\
      "durationMs":12,"contextId":1}
      """)
    batch.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":400", at: 1_700_000_000_000)
    batch.addCustom("Frames", "\"screen\":\"Menu\",\"frames\":60", at: 1_700_000_000_000)
    batch.add(
      .event,
      "{\"eventType\":\"hang\",\"timestamp\":1700000000000,\"durationMs\":2500,\"bundleId\":\"dev.example.shop\",\"contextId\":1}"
    )
    return batch
  }

  /// Events of a story, the breadcrumb not counted.
  private static let counted = 25

  @Test func `a deleted session leaves nothing behind, and the others stay as they were`() async throws {
    let directory = try TemporaryDirectory()
    let kept = Self.story("kept")
    let old = Self.story("old", events: 700)
    try await RunningCollector.with(directory: directory.url) { collector in
      for batch in [old, kept] { try await collector.post(raw: batch) }
      try await collector.waitForLaunch(old.launch, stored: 705)
      try await collector.waitForLaunch(kept.launch, stored: Self.counted)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    #expect(try store.erase("old") == 706)
    try await store.pool.read { (database: Database) throws -> Void in
      func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? -1 }
      #expect(try count("SELECT COUNT(*) FROM event") == Self.counted + 1)
      #expect(try count("SELECT COUNT(*) FROM session") == 1)
      for table in ["network", "launch_time", "screen_frames", "issue_event", "session_launch"] {
        #expect(try count("SELECT COUNT(*) FROM \(table)") == 1, "\(table)")
      }
      #expect(try count("SELECT events FROM issue") == 1)
      #expect(try count("SELECT COUNT(*) FROM event_text WHERE event_text MATCH 'old'") == 0)
      #expect(try count("SELECT COUNT(*) FROM event_text WHERE event_text MATCH 'kept'") == 22)
      // As many rows as a whole new index would have: nothing is left of what was deleted.
      #expect(try count("SELECT COUNT(*) FROM event_text_data") > 0)
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      #expect(try count("SELECT expired FROM launch WHERE launchId = '\(old.launch)'") == 705)
      #expect(try count("SELECT stored FROM launch WHERE launchId = '\(old.launch)'") == 705)
    }
    try store.close()

    // The sender repeats everything, and says something new.
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: old)
      var more = RawBatch(launch: old.launch, from: old.position)
      more.addContext(1, session: "old")
      more.addLog("after all")
      try await collector.post(raw: more)
      let launch = try await collector.waitForLaunch(old.launch, stored: 706)
      #expect(launch["duplicates"].int == 705)
      let events = try await collector.json("/api/sessions/old/events")["events"].array
      #expect(events.map { $0["payload"]["message"].string } == ["after all"])
      // Ids grow on: the newest is the last.
      let newest = try await collector.json("/api/events?limit=1")["events"].array.first
      #expect(newest?["payload"]["message"].string == "after all")
    }
  }

  @Test func `ids go on where they were when the newest events were deleted`() async throws {
    let directory = try TemporaryDirectory()
    let batch = Self.story("only")
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: Self.counted)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let highest = try await store.pool.read { try Int64.fetchOne($0, sql: "SELECT MAX(id) FROM event") ?? 0 }
    _ = try store.erase("only")
    try store.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      let other = Self.story("other")
      try await collector.post(raw: other)
      try await collector.waitForLaunch(other.launch, stored: Self.counted)
      let ids = try await collector.json("/api/sessions/other/events")["events"].array.compactMap { $0["id"].int }
      #expect(ids.min() == Int(highest) + 1)
    }
  }

  @Test func `events without names of their own do not come back either`() async throws {
    let directory = try TemporaryDirectory()
    let text = envelope(
      (0..<5).map { "{\"eventType\":\"log\",\"timestamp\":\(1_700_000_000_000 + $0),\"message\":\"m\($0)\"}" })
    let launch = SyntheticNames.launch(bundleId: "dev.example.other")
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(envelope: text)
      try await collector.waitForLaunch(launch, stored: 5)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    #expect(try store.erase("launch:\(launch)") == 5)
    try store.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(envelope: text)
      try await collector.wait(for: "/api/launches") { $0.launch(launch)["duplicates"].int == 5 }
      #expect(try await collector.json("/api/events")["events"].array.isEmpty)
    }
  }

  @Test func `the policy deletes by age, at once when it is set, and what is young stays`() async throws {
    let directory = try TemporaryDirectory()
    let (old, young) = (Self.story("old"), Self.story("young"))
    try await RunningCollector.with(directory: directory.url) { collector in
      for batch in [old, young] { try await collector.post(raw: batch) }
      try await collector.waitForLaunch(old.launch, stored: Self.counted)
      try await collector.waitForLaunch(young.launch, stored: Self.counted)
    }
    // As if it had come long ago.
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    let past = Int64(Date().timeIntervalSince1970 * 1000) - 8 * Self.day
    try await database.write {
      try $0.execute(sql: "UPDATE session SET received = ? WHERE sessionId = 'old'", arguments: [past])
    }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      for body in ["{\"days\":0}", "{\"days\":1.5}", "{\"bytes\":1}", "{\"days\":\"7\"}", "{\"hours\":1}", "[]"] {
        #expect(try await collector.replace("/api/settings/retention", with: body).status == 400, "\(body)")
      }
      let set = try await collector.replace("/api/settings/retention", with: "{\"days\":7,\"bytes\":null}")
      #expect(set.status == 200)
      try await collector.wait(for: "/api/settings") { $0["retention"]["deletedSessions"].int == 1 }
      let settings = try await collector.json("/api/settings")
      #expect(settings["retention"]["days"].int == 7 && settings["retention"]["deletedEvents"].int == Self.counted + 1)
      #expect(settings["storage"]["sessions"].int == 1)
      let metrics = try await collector.get("/metrics").text
      #expect(metrics.contains("automobile_retention_sessions_total 1\n"))
      #expect(metrics.contains("automobile_retention_events_total \(Self.counted + 1)\n"))
      #expect(try await collector.json("/api/sessions")["sessions"].array.map { $0["sessionId"].string } == ["young"])
    }
    // It is remembered.
    try await RunningCollector.with(directory: directory.url) { collector in
      let settings = try await collector.json("/api/settings")
      #expect(settings["retention"]["days"].int == 7)
    }
  }

  @Test func `beyond the limit in bytes the quietest sessions go first, and the file shrinks`() async throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: "x", count: 60_000)
    try await RunningCollector.with(directory: directory.url) { collector in
      for session in 0..<20 {
        var batch = RawBatch()
        batch.addContext(1, session: "s-\(session)")
        for _ in 0..<100 { batch.addLog(text) }
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 100)
      }
    }
    let path = directory.url.appending(path: "index.sqlite").path
    let database = try DatabaseQueue(path: path)
    try await database.write {
      // Hours ago, one after the other.
      try $0.execute(sql: "UPDATE session SET received = received - 86400000 + id * 1000")
    }
    let before = try await database.read { try Int64.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      #expect(try await collector.replace("/api/settings/retention", with: "{\"bytes\":\(64 << 20)}").status == 200)
      try await collector.wait(for: "/api/settings") {
        $0["retention"]["deletedSessions"].int ?? 0 > 0 && $0["retention"]["running"] == .bool(false)
      }
      let settings = try await collector.json("/api/settings")
      #expect(settings["storage"]["usedBytes"].int ?? .max <= 64 << 20)
      let left = try await collector.json("/api/sessions")["sessions"].array.compactMap { $0["sessionId"].string }
      let expected = (0..<20).suffix(left.count).map { "s-\($0)" }
      #expect(!left.isEmpty && Set(left) == Set(expected))
    }
    let after = try await DatabaseQueue(path: path).read { try Int64.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    #expect(after < before)
  }

  @Test func `a launch of which nothing is left is forgotten after two months`() async throws {
    let directory = try TemporaryDirectory()
    let batch = Self.story("gone")
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: Self.counted)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    _ = try store.erase("gone")
    // As if that had been long ago.
    try await store.pool.write { try $0.execute(sql: "UPDATE expired SET at = 1700000000000") }
    try store.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.wait(for: "/api/launches") { $0["launches"].array.isEmpty }
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    for table in ["expired", "context", "launch", "session"] {
      #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") } == 0, "\(table)")
    }
  }

  @Test(
    arguments: [[5], [0, 1, 2], [8, 136, 1 << 40, (1 << 40) + 8], Array(stride(from: 0, to: 40_000, by: 152))]
      as [[Int64]])
  func `positions are kept exactly`(positions: [Int64]) {
    let data = ExpiredPositions.encode(positions)
    let held = Set(positions)
    for position in positions.flatMap({ [$0 - 1, $0, $0 + 1] }) where position >= 0 {
      #expect(ExpiredPositions.contains(position, first: positions[0], in: data) == held.contains(position))
    }
  }
}

extension RunningCollector {
  func replace(_ path: String, with json: String, headers: [(String, String)] = []) async throws -> Answer {
    try await send(
      .PUT, path, headers: [("Content-Type", "application/json")] + headers, body: .init(string: json))
  }
}
