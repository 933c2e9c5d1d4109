import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import GRDB
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// What is of somebody who was erased, and comes behind.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Erasing from ClickHouse what comes late` {
  private static let days: Int64 = 86_400_000

  @Test func `what another collector brings afterwards is found and goes`() async throws {
    try await ErasureStage.with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      try await collector.followed.append(ErasureStage.story("adaq-1", user: "adaq"), receivedAt: WallClock.now)
      try await collector.followed.drain()
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      // The session that was there, and one that nobody knew.
      try await other.followed.append(ErasureStage.story("adaq-1", user: "adaq"), receivedAt: WallClock.now)
      try await other.followed.append(ErasureStage.story("adaq-2", user: "adaq"), receivedAt: WallClock.now)
      try await other.followed.append(ErasureStage.story("bobx-1", user: "bobx"), receivedAt: WallClock.now)
      try await other.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster)["events"] == 2 * ErasureStage.events)
      try await collector.lookAgain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "bobx", cluster)["events"] == ErasureStage.events)
    }
  }

  @Test func `what waited in another collector's log is found however long that was, also by the next process`()
    async throws
  {
    try await ErasureStage.with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      let then = WallClock.now - 30 * Self.days
      func say(_ time: Int64) async throws {
        _ = try await collector.store.state.write {
          try ArrivalRows.publish(upTo: FrameNumbers.first(at: time) + FrameNumbers.step, by: 1, at: time, in: $0)
        }
      }
      // It has said before that it is there.
      try await say(then - 1000)
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      // Nobody else looks meanwhile.
      collector.erasures.stop()
      try await collector.lookAgain()
      try await other.followed.append(ErasureStage.story("adaq-1", user: "adaq"), receivedAt: then)
      try await other.followed.append(ErasureStage.story("bobx-1", user: "bobx"), receivedAt: then)
      try await other.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster)["events"] == ErasureStage.events)
      try await say(WallClock.now)
      try await collector.lookAgain(
        ClickHouseErasing(cluster, telemetry: collector.telemetry, store: collector.store))
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "bobx", cluster)["events"] == ErasureStage.events)
    }
  }

  @Test func `a report that is written again by whoever looks at reports, and knows no marks, goes`() async throws {
    try await ErasureStage.with { cluster, collector, _ in
      let then = WallClock.now - 30 * Self.days
      try await collector.followed.append(ErasureStage.story("adaq-1", user: "adaq"), receivedAt: then)
      try await collector.followed.drain()
      let texts = try await cluster.texts(TelemetryTables.reports, ["project", "launch", "position", "id"])
      let fields = try #require(texts.first).split(separator: " ").map(String.init)
      _ = try await collector.erase(ErasureSubject(.session, "adaq-1"))
      // Nobody else looks meanwhile.
      collector.erasures.stop()
      try await collector.lookAgain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      // The project is called `app` and its bundle.
      let project = "\(fields[0]) \(fields[1])"
      let version = ReportVersion(
        shard: ShardKey.of(project: project, session: "adaq-1"),
        name: ReportName(project: project, launch: fields[2], position: try #require(Int64(fields[3]))),
        session: "adaq-1", id: try #require(Int64(fields[4])), timestamp: 1, received: then,
        fingerprint: "0123456789abcdef", kind: "crash", cause: "Pay", bundle: "dev.example.shop", images: [],
        functions: "", revision: WallClock.now, looked: 1)
      var rows = ShardedRows(TelemetryTables.reports, cluster.map)
      version.write(to: &rows)
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(rows)
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == ["reports": 1])
      try await collector.lookAgain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
    }
  }

  @Test func `a device that comes late is told from a tag that is called so`() async throws {
    try await ErasureStage.with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      _ = try await collector.erase(ErasureSubject(.device, "device-1"))
      let members = [
        "erased-1": #""tags":{"anonymousId":"device-2"},"anonymousId":"device-1""#,
        "erased-2": #""anonymousId" : "device\u002d1""#,
        "kept-1": #""tags":{"anonymousId":"device-1"},"anonymousId":"device-2""#,
        "kept-2": #""anonymousId":"device\u002d2""#,
      ]
      for (session, text) in members {
        var batch = RawBatch()
        batch.add(.context, #"{"contextId":1,"sessionId":"\#(session)",\#(text)}"#)
        batch.addLog("of \(session)")
        try await other.followed.append(batch, receivedAt: WallClock.now)
      }
      try await other.followed.drain()
      try await collector.lookAgain()
      let left = try await cluster.texts(TelemetryTables.events, ["session"])
      #expect(left.sorted() == ["kept-1", "kept-2"])
    }
  }

  @Test func `what came is looked for once before it is deleted, however often that is tried, and once behind it`()
    async throws
  {
    try await ErasureStage.with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      func bring(_ session: String) async throws {
        try await other.followed.append(
          ErasureStage.story(session, user: "adaq", isBroken: false), receivedAt: WallClock.now)
        try await other.followed.drain()
      }
      func listed() async throws -> [String] {
        try await collector.store.pool.read {
          try String.fetchAll($0, sql: "SELECT name FROM erasure_name WHERE kind = 'session' ORDER BY name")
        }
      }
      try await bring("adaq-1")
      // It is tried here, and not by the thread.
      collector.erasures.stop()
      let erasure = try await collector.erasures.begin(ErasureSubject(.user, "adaq"), reason: "", by: "test")
      let erasing = collector.erasing
      try await bring("adaq-2")
      let first = try await offLoop { try erasing.erase(erasure, pause: { _ in false }) }
      #expect(first != nil)
      #expect(try await listed() == ["adaq-1", "adaq-2"])
      try await bring("adaq-3")
      // Rows of events are deleted behind others: that is not done at the second try, either.
      let second = try await offLoop { try erasing.erase(erasure, pause: { _ in false }) }
      #expect(second != nil)
      #expect(try await listed() == ["adaq-1", "adaq-2"])
      collector.restartErasures()
      let done = try await collector.done(erasure.id)
      #expect(done.counts["event"] == Int64(3 * ErasureStage.events))
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await listed().isEmpty)
    }
  }

  @Test func `what comes late is found beside more than an answer has room for, and in it`() async throws {
    try await ErasureStage.with(answer: ErasureStage.answer) { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      _ = try await collector.erase(ErasureSubject(.device, "device-1"))
      try await other.followed.append(ErasureStage.manyContexts("kept-1", user: "many"), receivedAt: WallClock.now)
      // Of its devices the last one was erased.
      var late = ErasureStage.manyContexts("late-1", user: "some")
      late.add(.context, #"{"contextId":900,"sessionId":"late-1","userId":"some","anonymousId":"device-1"}"#)
      late.addLog("of late-1", context: 900)
      try await other.followed.append(late, receivedAt: WallClock.now)
      try await other.followed.append(
        ErasureStage.story("late-2", user: "ada", device: "device-1"), receivedAt: WallClock.now)
      try await other.followed.drain()
      try await collector.lookAgain()
      #expect(try await ErasureStage.rows(naming: "late-", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "kept-1", cluster)["contexts"] == ErasureStage.contexts)
    }
  }

  @Test func `an event goes that came when nobody knew its context, with what is beside it`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let collector = try ClusterCollector(
        directory.url.appending(path: "one"), cluster, blobs: directory.url.appending(path: "blobs"),
        contextPatience: 0)
      defer { collector.close() }
      var early = RawBatch()
      early.addLog("adaq says", context: 1)
      try await collector.followed.append(early)
      try await collector.followed.drain()
      var context = RawBatch(launch: early.launch, from: early.position)
      context.addContext(1, session: "adaq-1", user: "adaq")
      context.addLog("adaq again", context: 1)
      try await collector.followed.append(context)
      // Of another launch, whose context never comes.
      var other = RawBatch()
      other.addLog("bobx says", context: 1)
      try await collector.followed.append(other)
      try await collector.followed.drain()
      let sessions = try await cluster.texts(TelemetryTables.events, ["session"])
      #expect(
        sessions.sorted() == ["adaq-1", "launch:\(early.launch)", "launch:\(other.launch)"].sorted(), "\(sessions)")
      let preview = try await collector.erasures.preview(ErasureSubject(.user, "adaq"))
      #expect(preview.sessions == 2)
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "bobx", cluster)["events"] == 1)
    }
  }

  @Test func `a context of somebody who was erased is written with what is kept of them, and not before`() async throws
  {
    try await ErasureStage.with { cluster, collector, directory in
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      let early = ErasureStage.story("adaq-1", user: "adaq", isBroken: false)
      try await collector.followed.append(early)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      // Another collector, that does not remember the context either, drops what happened before as well.
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      var second = RawBatch(launch: early.launch, from: early.position)
      second.addLog("adaq before", at: 1_700_000_000_700)
      try await other.followed.append(second, receivedAt: WallClock.now)
      try await other.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
      // They have come back, in the same context, of which an earlier batch heard.
      var third = RawBatch(launch: early.launch, from: second.position)
      let later = Int(WallClock.now) + 60_000
      third.addLog("adaq after", at: later)
      try await collector.followed.append(third)
      try await collector.followed.drain()
      let found = try await ErasureStage.rows(naming: "adaq", cluster)
      #expect(found["events"] == 1 && found["contexts"] == 1 && found["sessions"] == 1, "\(found)")
      #expect(try await cluster.texts(TelemetryTables.events, ["session"]) == ["adaq-1"])
      #expect(try await cluster.texts(TelemetryTables.contexts, ["user"], order: []) == ["adaq"])
      // And once.
      var fourth = RawBatch(launch: early.launch, from: third.position)
      fourth.addLog("adaq again", at: later + 1)
      try await collector.followed.append(fourth)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq", cluster)["contexts"] == 1)
    }
  }

  @Test func `a context that was held back stays away when its own session is erased as well`() async throws {
    try await ErasureStage.with { cluster, collector, _ in
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      var first = RawBatch()
      first.addContext(1, session: "adaq-1", user: "adaq")
      try await collector.followed.append(first)
      try await collector.followed.drain()
      _ = try await collector.erase(ErasureSubject(.session, "adaq-1"))
      // They have come back: what names the context says itself that it is of another session.
      var second = RawBatch(launch: first.launch, from: first.position)
      second.add(
        .event,
        #"{"eventType":"log","timestamp":\#(WallClock.now + 60_000),"level":2,"message":"after","filterName":"all","#
          + #""contextId":1,"sessionId":"later-1"}"#)
      try await collector.followed.append(second)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "later-1", cluster)["events"] == 1)
      #expect(try await ErasureStage.rows(naming: "adaq", cluster) == [:])
    }
  }

  @Test func `a context that came before somebody was erased, and is looked up afterwards, says so`() async throws {
    try await ErasureStage.with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      // It came to a collector that knows no marks, with what happened afterwards.
      var first = RawBatch()
      first.addContext(1, session: "adaq-1", user: "adaq")
      first.addLog("adaq after", at: Int(WallClock.now) + 60_000)
      try await other.followed.append(first, receivedAt: WallClock.now)
      try await other.followed.drain()
      var second = RawBatch(launch: first.launch, from: first.position)
      second.addLog("adaq before")
      try await collector.followed.append(second)
      try await collector.followed.drain()
      #expect(try await ErasureStage.rows(naming: "adaq before", cluster) == [:])
      #expect(try await ErasureStage.rows(naming: "adaq after", cluster)["events"] == 1)
    }
  }
}
