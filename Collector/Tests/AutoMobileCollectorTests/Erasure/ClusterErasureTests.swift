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
  /// With something for every table, of one session.
  private static func story(
    _ session: String, user: String, device: String = "", launch: LaunchID = LaunchID(), at start: Int = 1_700_000_000_000,
    isBroken: Bool = true
  ) -> RawBatch {
    var batch = RawBatch(launch: launch)
    let installation = device.isEmpty ? "" : #","anonymousId":"\#(device)""#
    batch.add(
      .context,
      #"{"contextId":1,"sessionId":"\#(session)","userId":"\#(user)","appVersion":"2.1","bundleId":"dev.example.shop"\#(installation)}"#
    )
    batch.addNavigation(to: "\(user)screen", at: start)
    batch.addLog("\(user) says", at: start + 1)
    let more = [
      #""eventType":"network_request","url":"https://\#(user).example.com/v1","method":"GET","statusCode":500"#,
      #""eventType":"span","name":"\#(user)","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000011","durationMs":2"#,
      #""eventType":"crash","errorDomain":"Pay","errorMessage":"\#(user)","bundleId":"dev.example.shop","stackTrace":"0 Shop 0x1 pay + 4""#,
      #""eventType":"custom","name":"App Launch","properties":{"kind":"cold","totalMs":812}"#,
      #""eventType":"lifecycle","state":"previous_launch_ended","details":{"launchId":"\#(LaunchID())","verdict":"crash","evidence":"\#(user)"}"#,
      #""eventType":"session_summary","session":"\#(session)","revision":3,"startedAt":\#(start),"endedAt":\#(start + 90),"events":{"log":7}"#,
      "\(user)broken",
    ]
    for (index, members) in more.enumerated() where isBroken || index < more.count - 1 {
      batch.add(.event, "{\(members),\"timestamp\":\(start + 10 + index),\"contextId\":1}")
    }
    return batch
  }

  private static let events = 8

  /// Rows that name somebody, by table: as bytes of all columns.
  private static func rows(naming text: String, _ cluster: ClickHouseCluster) async throws -> [String: Int] {
    var found: [String: Int] = [:]
    for table in TelemetryTables.all where table.name != "session_parts" && table.name != "launches" {
      let columns = table.columnNames(cluster.dialect).map { "ifNull(toString(\($0)), '')" }.joined(separator: ", ' ', ")
      let texts = try await cluster.client.rows(
        AutoMobileClickHouse.SQL(trusted: "SELECT concat(\(columns), '') FROM \(cluster.database.quoted).\(table.sharedName.quoted)")
      ) { try $0.string() }
      let count = texts.count { $0.contains(text) }
      if count > 0 { found[table.name] = count }
    }
    let sessions = try await cluster.client.rows("SELECT project, session FROM \(cluster.readableSessions)") {
      (try $0.string(), try $0.string())
    }.count { $0.1.contains(text) }
    if sessions > 0 { found["sessions"] = sessions }
    return found
  }

  private func with(
    _ body: (ClickHouseCluster, ClusterCollector, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let collector = try ClusterCollector(
        directory.url.appending(path: "one"), cluster, blobs: directory.url.appending(path: "blobs"))
      do {
        try await body(cluster, collector, directory)
      } catch {
        collector.close()
        throw error
      }
      collector.close()
    }
  }

  @Test func `what is of a user goes from every table of both shards, and what is of others stays`() async throws {
    try await with { cluster, collector, _ in
      for index in 0..<4 {
        try await collector.followed.append(Self.story("adaq-\(index)", user: "adaq"))
        try await collector.followed.append(Self.story("bobx-\(index)", user: "bobx"))
      }
      try await collector.followed.drain()
      let before = try await Self.rows(naming: "bobx", cluster)
      #expect(try await Self.rows(naming: "adaq", cluster).count == before.count)
      #expect(before.count >= 10, "\(before)")
      let preview = try await collector.erasures.preview(ErasureSubject(.user, "adaq"))
      #expect(preview.sessions == 4 && preview.counts["event"] == Int64(4 * Self.events), "\(preview)")

      let erasure = try await collector.erase(ErasureSubject(.user, "adaq"))
      #expect(erasure.counts["sessions"] == 4 && erasure.counts["event"] == Int64(4 * Self.events))
      #expect(erasure.counts["network"] == 4 && erasure.counts["issue_event"] == 4 && erasure.counts["quarantine"] == 4)
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      #expect(try await Self.rows(naming: "bobx", cluster) == before)
      #expect(erasure.receipt?.contains("adaq") == false)
      let kept = try await collector.store.pool.read { try String.fetchAll($0, sql: "SELECT name FROM erasure_name") }
      #expect(kept.isEmpty)
    }
  }

  @Test func `what a phone still holds of an erased session is not taken in, and what comes of others is`() async throws {
    try await with { cluster, collector, _ in
      let launch = LaunchID()
      let first = Self.story("adaq-1", user: "adaq", launch: launch)
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
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      #expect(try await Self.rows(naming: "cleo", cluster)["events"] == 1)
    }
  }

  @Test func `of a user, what began before the erasure is dropped when it comes, and what begins afterwards is kept`() async throws {
    try await with { cluster, collector, _ in
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      try await collector.followed.append(Self.story("adaq-1", user: "adaq"))
      let later = Int(WallClock.now) + 60_000
      try await collector.followed.append(Self.story("dora-1", user: "adaq", at: later))
      try await collector.followed.drain()
      let events = try await cluster.texts(TelemetryTables.events, ["session", "type"])
      // A summary says itself when its session was.
      #expect(events.allSatisfy { $0.hasPrefix("dora-1 ") } && events.count == Self.events, "\(events)")
    }
  }

  @Test func `a device is found by what contexts say of it`() async throws {
    try await with { cluster, collector, _ in
      try await collector.followed.append(Self.story("one-1", user: "ada", device: "1b4e28ba-2fa1"))
      try await collector.followed.append(Self.story("two-1", user: "ada", device: "1b4e28ba-2fa2"))
      try await collector.followed.drain()
      let erasure = try await collector.erase(ErasureSubject(.device, "1b4e28ba-2fa1"))
      #expect(erasure.counts["sessions"] == 1)
      #expect(try await Self.rows(naming: "one-1", cluster) == [:])
      #expect(try await Self.rows(naming: "two-1", cluster)["events"] == Self.events)
    }
  }

  @Test func `what was under way when it was asked for is gone when it is done, also after an end in between`() async throws {
    try await with { cluster, collector, _ in
      try await collector.followed.append(Self.story("adaq-0", user: "adaq"))
      try await collector.followed.drain()
      // Nobody knows whose a record is that cannot be read: what comes of these stays aside.
      for _ in 0..<20 { try await collector.followed.append(Self.story("adaq-0", user: "adaq", isBroken: false)) }
      let begun = try await collector.erasures.begin(ErasureSubject(.session, "adaq-0"), reason: "", by: "test")
      for _ in 0..<20 { try await collector.followed.append(Self.story("adaq-0", user: "adaq", isBroken: false)) }
      collector.restartErasures()
      _ = try await collector.done(begun.id)
      try await collector.followed.drain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
    }
  }

  @Test func `what another collector brings afterwards is found and goes`() async throws {
    try await with { cluster, collector, directory in
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      try await collector.followed.append(Self.story("adaq-1", user: "adaq"), receivedAt: WallClock.now)
      try await collector.followed.drain()
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      // The session that was there, and one that nobody knew.
      try await other.followed.append(Self.story("adaq-1", user: "adaq"), receivedAt: WallClock.now)
      try await other.followed.append(Self.story("adaq-2", user: "adaq"), receivedAt: WallClock.now)
      try await other.followed.append(Self.story("bobx-1", user: "bobx"), receivedAt: WallClock.now)
      try await other.followed.drain()
      #expect(try await Self.rows(naming: "adaq", cluster)["events"] == 2 * Self.events)
      try await collector.lookAgain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      #expect(try await Self.rows(naming: "bobx", cluster)["events"] == Self.events)
    }
  }

  private static let days: Int64 = 86_400_000

  @Test func `what waited in another collector's log is found however long that was, also by the next process`() async throws {
    try await with { cluster, collector, directory in
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
      try await other.followed.append(Self.story("adaq-1", user: "adaq"), receivedAt: then)
      try await other.followed.append(Self.story("bobx-1", user: "bobx"), receivedAt: then)
      try await other.followed.drain()
      #expect(try await Self.rows(naming: "adaq", cluster)["events"] == Self.events)
      try await say(WallClock.now)
      try await collector.lookAgain(
        ClickHouseErasing(cluster, telemetry: collector.telemetry, store: collector.store))
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      #expect(try await Self.rows(naming: "bobx", cluster)["events"] == Self.events)
    }
  }

  @Test func `a report that is written again by whoever looks at reports, and knows no marks, goes`() async throws {
    try await with { cluster, collector, _ in
      let then = WallClock.now - 30 * Self.days
      try await collector.followed.append(Self.story("adaq-1", user: "adaq"), receivedAt: then)
      try await collector.followed.drain()
      let texts = try await cluster.texts(TelemetryTables.reports, ["project", "launch", "position", "id"])
      let fields = try #require(texts.first).split(separator: " ").map(String.init)
      _ = try await collector.erase(ErasureSubject(.session, "adaq-1"))
      // Nobody else looks meanwhile.
      collector.erasures.stop()
      try await collector.lookAgain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
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
      #expect(try await Self.rows(naming: "adaq", cluster) == ["reports": 1])
      try await collector.lookAgain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
    }
  }

  @Test func `a device that comes late is told from a tag that is called so`() async throws {
    try await with { cluster, collector, directory in
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
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      #expect(try await Self.rows(naming: "bobx", cluster)["events"] == 1)
    }
  }

  @Test func `no file beside the log has a name of what was erased`() async throws {
    try await with { cluster, collector, directory in
      let first = Self.story("adaq-1", user: "adaq", isBroken: false)
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

  @Test func `a context of somebody who was erased is written with what is kept of them, and not before`() async throws {
    try await with { cluster, collector, directory in
      _ = try await collector.erase(ErasureSubject(.user, "adaq"))
      let early = Self.story("adaq-1", user: "adaq", isBroken: false)
      try await collector.followed.append(early)
      try await collector.followed.drain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      // Another collector, that does not remember the context either, drops what happened before as well.
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1,
        knowsMarks: false)
      defer { other.close() }
      var second = RawBatch(launch: early.launch, from: early.position)
      second.addLog("adaq before", at: 1_700_000_000_700)
      try await other.followed.append(second, receivedAt: WallClock.now)
      try await other.followed.drain()
      #expect(try await Self.rows(naming: "adaq", cluster) == [:])
      // They have come back, in the same context, of which an earlier batch heard.
      var third = RawBatch(launch: early.launch, from: second.position)
      let later = Int(WallClock.now) + 60_000
      third.addLog("adaq after", at: later)
      try await collector.followed.append(third)
      try await collector.followed.drain()
      let found = try await Self.rows(naming: "adaq", cluster)
      #expect(found["events"] == 1 && found["contexts"] == 1 && found["sessions"] == 1, "\(found)")
      #expect(try await cluster.texts(TelemetryTables.events, ["session"]) == ["adaq-1"])
      #expect(try await cluster.texts(TelemetryTables.contexts, ["user"], order: []) == ["adaq"])
    }
  }

  @Test func `a context that came before somebody was erased, and is looked up afterwards, says so`() async throws {
    try await with { cluster, collector, directory in
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
      #expect(try await Self.rows(naming: "adaq before", cluster) == [:])
      #expect(try await Self.rows(naming: "adaq after", cluster)["events"] == 1)
    }
  }
}
