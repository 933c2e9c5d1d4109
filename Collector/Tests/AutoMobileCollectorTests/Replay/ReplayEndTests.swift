import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `The end of a replay` {
  private static let start = ReplaySender.start

  @Test func `times are clamped to what was recorded, and told once`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      #expect(try await sender.end()["reason"].string == "nothing_recorded")
      _ = try await sender.upload(ReplaySender.Segment("a"))
      _ = try await sender.upload(ReplaySender.Segment("b", at: 30))
      let end = try await sender.end(["totalBackgroundTimeMs": .integer(20_000)])
      #expect(end["durationSeconds"].int == 40)
      let repeated = try await sender.end(["endedAt": .integer(Self.start + 900_000)])
      #expect(repeated["ignored"].bool == true && repeated["durationSeconds"].int == 40)
      let late = ReplaySender.Segment("from before", at: 20)
      #expect(try await sender.upload(late) == [200, 204, 200])
      let after = try await sender.presign(ReplaySender.Segment("from after", at: 61))
      #expect(after.status == 409 && after.errorCode == "session_closed")
    }
  }

  @Test func `what is from before the end is taken, also of a device whose clock is ahead`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let minute: Int64 = 60
      let now = (Int64(Date().timeIntervalSince1970 * 1000) - Self.start) / 1000
      _ = try await sender.upload(ReplaySender.Segment("a", at: now + 12 * minute))
      _ = try await sender.end(["endedAt": .integer(Self.start + (now + 20 * minute) * 1000)])
      #expect(try await sender.upload(ReplaySender.Segment("b", at: now + 15 * minute)) == [200, 204, 200])
      let after = try await sender.presign(ReplaySender.Segment("c", at: now + 21 * minute))
      #expect(after.status == 409 && after.errorCode == "session_closed")
    }
  }

  private struct Case: Sendable {
    var name: String
    var more: [String: JSONTree]
    var start: Int64 = 0
    var end: Int64
    var background: Int64 = 0
  }

  private static let cases = [
    Case(name: "as it is", more: [:], end: 60_000),
    Case(name: "before the last segment", more: ["endedAt": .integer(start + 5)], end: 31_000),
    Case(name: "in a far future", more: ["endedAt": .integer(ReplayTimes.most)], end: 200_000 + ReplayTimes.ahead),
    Case(
      name: "the anchor of a timeout",
      more: ["endReason": .string("background_timeout"), "closeAnchorAtMs": .integer(start + 40_000)], end: 40_000),
    Case(
      name: "an anchor of another reason means nothing", more: ["closeAnchorAtMs": .integer(start + 40_000)],
      end: 60_000),
    Case(
      name: "more background than time", more: ["totalBackgroundTimeMs": .integer(.max)], end: 60_000,
      background: 60_000),
    Case(name: "a negative background", more: ["totalBackgroundTimeMs": .integer(-9)], end: 60_000),
    Case(name: "a beginning after the first segment", more: ["startedAt": .integer(start + 50_000)], end: 60_000),
    Case(name: "a beginning before it", more: ["startedAt": .integer(start - 2000)], start: -2000, end: 60_000),
    Case(
      name: "a clock from long ago", more: ["startedAt": .integer(.min), "endedAt": .integer(0)], start: -start,
      end: 31_000),
  ]

  @Test(arguments: cases.indices) func `clocks that jump`(index: Int) throws {
    let one = Self.cases[index]
    var body: [String: JSONTree] = ["sessionId": .string("r"), "endedAt": .integer(Self.start + 60_000)]
    body.merge(one.more) { _, new in new }
    let end = try ReplayEnd(.object(body))
    let times = end.clamped(first: Self.start, last: Self.start + 31_000, now: Self.start + 200_000)
    #expect(times.start - Self.start == one.start, "\(one.name)")
    #expect(times.end - Self.start == one.end, "\(one.name)")
    #expect(times.background == one.background, "\(one.name)")
  }

  @Test func `a fault is told once, and stands with the replay`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let fault: [String: JSONTree] = [
        "incidentId": .string("i-1"), "sessionId": .string(sender.replay), "timestampMs": .integer(Self.start),
        "category": .string("anr"), "identifier": .string("main thread"), "detail": .string("blocked <b>"),
        "frames": .array([.string("main")]), "context": .object(["screen": .string("Menu")]),
      ]
      #expect(try await sender.post("fault", fault).json()["deduplicated"].bool == nil)
      #expect(try await sender.post("fault", fault).json()["deduplicated"].bool == true)
      let told = try await collector.json("/api/replays/\(sender.replay)")["faults"]
      #expect(told.array.count == 1 && told[0]["context"]["screen"].string == "Menu")
      var bad = fault
      bad["category"] = .string("mood")
      #expect(try await sender.post("fault", bad).errorCode == "invalid_category")
    }
  }

  @Test func `with the last of its sessions a replay goes, and the file with the last of its segments`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      for session in ["old", "kept"] {
        var batch = RawBatch()
        batch.addContext(1, session: session)
        batch.addLog("x")
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
        let sender = ReplaySender(collector: collector, replay: "replay-\(session)", sessions: [session])
        _ = try await sender.upload(ReplaySender.Segment("pictures of \(session)"))
      }
      _ = try await ReplaySender(collector: collector, replay: "orphan", sessions: ["never came"])
        .upload(ReplaySender.Segment("of nobody"))
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let packs = ReplayPacks(
      spool: try PackSpool(directory: directory.url.appending(path: "packs").path), blobs: FolderBlobs(directory.url))
    let eraser = SessionEraser(store: store, maximumDepth: 64)
    func erase(_ name: String) async throws {
      let row = try #require(
        try await store.pool.read {
          try Int64.fetchOne($0, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [name])
        })
      while try !eraser.step(row, at: 1_800_000_000_000).isDone {}
      try await ReplayEraser.sweep(store, packs)
    }
    func names() throws -> [String] {
      try store.pool.read { try String.fetchAll($0, sql: "SELECT replayId FROM replay ORDER BY replayId") }
    }
    try await erase("old")
    #expect(try names() == ["orphan", "replay-kept"])
    #expect(packs.spool.waiting.count == 1)
    // Those of sessions that are there are no orphans, however old.
    _ = try await store.pool.write { try ReplayEraser.removeOrphans(before: .max, in: $0) }
    #expect(try names() == ["replay-kept"])
    try await erase("kept")
    #expect(try names().isEmpty && packs.spool.waiting.isEmpty)
    try await store.pool.read { (database: Database) throws -> Void in
      for table in ["replay_segment", "replay_session", "replay_pack", "replay_fault"] {
        #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
      }
    }
    try store.close()
  }
}
