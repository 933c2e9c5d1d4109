import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import GRDB
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Erasing what lies on two real shards.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Erasing from ClickHouse` {
  @Test func `what is of a user goes from every table of both shards, and what is of others stays`() async throws {
    try await ErasureStage.with { cluster, collector, _ in
      for index in 0..<4 {
        try await collector.followed.append(ErasureStage.story("adaq-\(index)", user: "adaq"))
        try await collector.followed.append(ErasureStage.story("bobx-\(index)", user: "bobx"))
      }
      try await collector.followed.drain()
      let before = try await ErasureStage.rows(naming: "bobx", cluster)
      #expect(try await ErasureStage.rows(naming: "adaq", cluster).count == before.count)
      #expect(before.count >= 10, "\(before)")
      let preview = try await collector.erasures.preview(ErasureSubject(.user, "adaq"))
      #expect(preview.sessions == 4 && preview.counts["event"] == Int64(4 * ErasureStage.events), "\(preview)")

      let erasure = try await collector.erase(ErasureSubject(.user, "adaq"))
      #expect(erasure.counts["sessions"] == 4 && erasure.counts["event"] == Int64(4 * ErasureStage.events))
      #expect(erasure.counts["network"] == 4 && erasure.counts["issue_event"] == 4 && erasure.counts["quarantine"] == 4)
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "bobx", cluster) == before)
      #expect(erasure.receipt?.contains("adaq") == false)
      let kept = try await collector.store.pool.read { try String.fetchAll($0, sql: "SELECT name FROM erasure_name") }
      #expect(kept.isEmpty)
    }
  }

  @Test func `what a phone still holds of an erased session is not taken in, and what comes of others is`() async throws
  {
    try await ErasureStage.with { cluster, collector, _ in
      let launch = LaunchID()
      let first = ErasureStage.story("adaq-1", user: "adaq", launch: launch)
      try await collector.followed.append(first)
      try await collector.followed.drain()
      _ = try await collector.erase(ErasureSubject(.session, "adaq-1"))
      // It names the context that came before, and one that says the session again.
      var second = RawBatch(launch: launch, from: first.header.to)
      second.addLog("adaq again", at: 1_700_000_000_500)
      second.addContext(2, session: "adaq-1", user: "adaq")
      second.addLog("adaq once more", context: 2)
      second.add(.event, #"{"eventType":"log","timestamp":5,"sessionId":"adaq-1","message":"adaq by name"}"#)
      second.addContext(3, session: "new-1", user: "cleo")
      second.addLog("cleo comes", context: 3)
      try await collector.followed.append(second)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "cleo", cluster)["events"] == 1)
    }
  }

  @Test func `of a user, what began before the erasure is dropped when it comes, and what begins afterwards is kept`()
    async throws
  {
    try await ErasureStage.with { cluster, collector, _ in
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      try await collector.followed.append(ErasureStage.story("adaq-1", user: "adaq"))
      let later = Int(WallClock.now) + 60_000
      try await collector.followed.append(ErasureStage.story("dora-1", user: "adaq", at: later))
      try await collector.followed.drain()
      let events = try await cluster.texts(TelemetryTables.events, ["session", "type"])
      // A summary says itself when its session was.
      #expect(events.allSatisfy { $0.hasPrefix("dora-1 ") } && events.count == ErasureStage.events, "\(events)")
    }
  }

  @Test func `a device is found by what contexts say of it`() async throws {
    try await ErasureStage.with { cluster, collector, _ in
      try await collector.followed.append(ErasureStage.story("one-1", user: "ada", device: "1b4e28ba-2fa1"))
      try await collector.followed.append(ErasureStage.story("two-1", user: "ada", device: "1b4e28ba-2fa2"))
      try await collector.followed.drain()
      let erasure = try await collector.erase(ErasureSubject(.device, "1b4e28ba-2fa1"))
      #expect(erasure.counts["sessions"] == 1)
      #expect(try await ErasureStage.rows(naming: "one-1", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "two-1", cluster)["events"] == ErasureStage.events)
    }
  }

  @Test func `nobody is in the way of an erasure by what they sent, however much it is, and can be erased as well`()
    async throws
  {
    try await ErasureStage.with(answer: ErasureStage.answer) { cluster, collector, _ in
      try await collector.followed.append(ErasureStage.manyContexts("many-1", user: "many"))
      try await collector.followed.append(ErasureStage.story("one-1", user: "ada", device: "1b4e28ba-2fa1"))
      try await collector.followed.drain()
      let erasure = try await collector.erase(ErasureSubject(.device, "1b4e28ba-2fa1"))
      #expect(erasure.counts["sessions"] == 1)
      #expect(try await ErasureStage.rows(naming: "one-1", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "many-1", cluster)["contexts"] == ErasureStage.contexts)
      let other = try await collector.erase(ErasureSubject(.user, "many"))
      #expect(other.counts["sessions"] == 1 && other.counts["context"] == Int64(ErasureStage.contexts))
      #expect(try await ErasureStage.rows(naming: "many-1", cluster) == [:])
    }
  }

  @Test func `what was under way when it was asked for is gone when it is done, also after an end in between`()
    async throws
  {
    try await ErasureStage.with { cluster, collector, _ in
      try await collector.followed.append(ErasureStage.story("adaq-0", user: "adaq"))
      try await collector.followed.drain()
      // Nobody knows whose a record is that cannot be read: what comes of these stays aside.
      for _ in 0..<20 {
        try await collector.followed.append(ErasureStage.story("adaq-0", user: "adaq", isBroken: false))
      }
      let begun = try await collector.erasures.begin(ErasureSubject(.session, "adaq-0"), reason: "", by: "test")
      for _ in 0..<20 {
        try await collector.followed.append(ErasureStage.story("adaq-0", user: "adaq", isBroken: false))
      }
      collector.restartErasures()
      _ = try await collector.done(begun.id)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
    }
  }

  @Test func `ends of launches go, however many somebody's device told`() async throws {
    try await ErasureStage.with { cluster, collector, _ in
      var batch = RawBatch()
      batch.addContext(1, session: "adaq-1", user: "adaq")
      // More than a statement of ClickHouse takes.
      for index in 0..<6 * 8500 {
        batch.add(
          .event,
          #"{"eventType":"lifecycle","timestamp":\#(1_700_000_000_000 + index),"contextId":1,"state":"previous_launch_ended","#
            + #""details":{"launchId":"\#(LaunchID())","verdict":"crash"}}"#)
        guard index % 8500 == 8499 else { continue }
        try await collector.followed.append(batch)
        batch = RawBatch(launch: batch.launch, from: batch.position)
      }
      try await collector.followed.drain()
      let erasure = try await collector.erase(ErasureSubject(.user, "adaq"))
      #expect(erasure.counts["launch_end"] == 51_000)
      let left = try await cluster.client.rows(
        "SELECT count() FROM \(cluster.readable(TelemetryTables.launchEnds))"
      ) { try $0.int(UInt64.self) }
      #expect(left == [0])
    }
  }

  @Test func `no file beside the log has a name of what was erased`() async throws {
    try await ErasureStage.with { cluster, collector, directory in
      let first = ErasureStage.story("adaq-1", user: "adaq", isBroken: false)
      try await collector.followed.append(first)
      try await collector.followed.drain()
      // Its batch was told of the context by an earlier one, and notes that.
      var second = RawBatch(launch: first.launch, from: first.position)
      second.addLog("more")
      try await collector.followed.append(second)
      try await collector.followed.drain()
      _ = try await collector.erase(ErasureSubject(.session, "adaq-1"))
      let folder = directory.url.appending(path: "one/ingest")
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        #expect(try Data(contentsOf: file).range(of: Data("adaq".utf8)) == nil, "\(file.lastPathComponent)")
      }
    }
  }
}
