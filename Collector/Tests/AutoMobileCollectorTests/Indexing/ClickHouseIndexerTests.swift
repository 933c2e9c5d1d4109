import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// From the ingest log into two real shards, and read back by plain SQL.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `The way into ClickHouse` {
  private static let project = "app dev.example.shop"

  @Test func `What went in through the log is read back, each thing from its table`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let follower = try FollowedLog(directory.url, cluster)
      let batch = Self.everything()
      try await follower.append(batch)
      try await follower.drain()
      let launch = batch.launch.description
      let earlier = Self.earlier

      let events = try await cluster.texts(
        TelemetryTables.events,
        ["project", "session", "launch", "type", "timestamp", "received", "severity", "context"])
      let start = "\(Self.project) s-1 \(launch)"
      #expect(
        events.prefix(2) == [
          "\(start) navigation 1000 1700000100000 2 1", "\(start) log 1001 1700000100000 5 1",
        ])
      #expect(events.count == 13)
      let words = try await cluster.texts(TelemetryTables.events, ["words"])
      #expect(words[1] == " log grusse an 2 leute all ")
      let payloads = try await cluster.texts(TelemetryTables.events, ["payload"])
      #expect(payloads[0].hasPrefix(#"{"eventType":"navigation","timestamp":1000"#))
      #expect(try await cluster.texts(TelemetryTables.arrivals, ["type"]).count == 13)
      let ids = try await cluster.texts(TelemetryTables.events, ["id"]).compactMap { Int64($0) }
      #expect(ids == ids.sorted() && Set(ids).count == 13)
      #expect(ids.allSatisfy { (0..<1 << 53).contains($0) })

      #expect(
        try await cluster.texts(
          TelemetryTables.requests,
          ["method", "host", "route", "path", "query", "status", "duration", "failed", "trace"])
          == ["POST api.example.com /v1/orders/:id /v1/orders/2041 q=1 503 12500 1 4bf92f3577b34da6a3ce929d0e0e4736"])
      #expect(
        try await cluster.texts(TelemetryTables.spans, ["trace", "span", "name", "duration", "status"])
          == ["4bf92f3577b34da6a3ce929d0e0e4736 17 checkout 2000 ok"])
      #expect(
        try await cluster.texts(TelemetryTables.reports, ["kind", "version", "cause", "message", "bundle", "session"])
          == ["failure 2.1 PaymentError card declined dev.example.shop s-1"])
      #expect(
        try await cluster.texts(
          TelemetryTables.measurements,
          ["kind", "name", "total", "part", "frames", "slow", "worst", "element", "version"])
          == [
            "launch cold 812000 100000 0 0 0  2.1", "frames Home 5000 0 300 4 40000  2.1",
            "rage_tap Cart 0 0 0 0 0 Buy 2.1",
          ])
      #expect(
        try await cluster.texts(TelemetryTables.launchEnds, ["launch", "verdict", "evidence", "version", "memory"])
          == ["\(earlier) crash signal 2.0 412"])
      #expect(
        try await cluster.texts(
          TelemetryTables.summaries, ["session", "about", "revision", "same_as", "ending", "events", "crashes", "kept"])
          == ["s-0 \(earlier) 3 0 0 7 0 5", "s-0 \(launch) 4 3 crash 0 0 0"])
      #expect(
        try await cluster.texts(
          TelemetryTables.contexts, ["launch", "context", "session", "user", "version"], order: [])
          == ["\(launch) 1 s-1 ada 2.1"])
      #expect(
        try await cluster.texts(TelemetryTables.launches, ["launch", "recorded", "dropped", "final"], order: [])
          == [#"\#(launch) 13 {"evicted":2} 0"#])
      let parts = try await cluster.texts(
        TelemetryTables.launchParts, ["launch", "session", "first", "last", "last_event", "bundle"], order: ["first"])
      #expect(parts.contains("\(launch) s-1 1000 2000 2000 dev.example.shop"))
      #expect(parts.contains("\(earlier) s-0 0 0 0 "))

      let names = ["first", "last", "version", "user", "tags", "screen", "failed", "types", "launches"]
      let values = names.map { "toString(\(SessionTables.value($0) ?? ""))" as SQL }
      let sessions = try await cluster.client.rows(
        """
        SELECT `session`, \(SQL.joined(values, ", ")) FROM \(cluster.readableSessions) \
        GROUP BY `project`, `session` ORDER BY `session`
        """
      ) { row in try (0..<10).map { _ in try row.string() } }
      #expect(sessions.map(\.[0]) == ["s-0", "s-1"])
      #expect(
        sessions[1].prefix(8)
          == ["s-1", "1000", "2000", "2.1", "ada", #"{"plan":"pro"}"#, "Home", "1"])
      #expect(sessions[0][9].contains(earlier))
      follower.close()
    }
  }

  @Test func `The same log read again is the same rows, under the same numbers, however it is cut into batches`()
    async throws
  {
    try await ClickHousePair.shared.with { cluster in
      let kept = try TemporaryDirectory()
      try Self.fill(kept.url, Self.many(30))
      var before: [[String]]?
      for most in [20_000, 20_000, 7] {
        let directory = try TemporaryDirectory()
        try FileManager.default.removeItem(at: directory.url)
        // Nothing says what has been confirmed.
        try FileManager.default.copyItem(at: kept.url, to: directory.url)
        let follower = try FollowedLog(directory.url, cluster) { $0.mostEvents = most }
        try await follower.drain()
        follower.close()
        let content = try await Self.content(cluster)
        #expect(content[0].count == 330)
        #expect(before == nil || content == before)
        before = content
      }
    }
  }

  @Test func `Records of one launch that go to different collectors find each other`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
      let (first, second) = (
        try FollowedLog(one.url, cluster, writer: 1), try FollowedLog(other.url, cluster, writer: 2)
      )
      var told = RawBatch()
      told.addContext(7, session: "s-7", user: "ada")
      try await first.append(told)
      try await first.drain()
      var events = RawBatch(launch: told.launch, from: told.position)
      events.addLog("named", context: 7)
      events.add(.breadcrumb, #"{"timestamp":5.5,"message":"not named"}"#)
      events.addLog("of a context that nobody has told", context: 99)
      try await second.append(events)
      try await second.drain()
      #expect(
        try await cluster.texts(TelemetryTables.events, ["session", "type", "context"])
          == ["s-7 log 7", "s-7 breadcrumb 7", "launch:\(told.launch) log 99"])
      #expect(second.metrics.registry.text().contains("automobile_clickhouse_lookups_total 3"))
      // It is known from then on.
      var more = RawBatch(launch: told.launch, from: events.position)
      more.addLog("again", context: 7)
      try await second.append(more)
      try await second.drain()
      #expect(second.metrics.registry.text().contains("automobile_clickhouse_lookups_total 3"))
      #expect(try await cluster.texts(TelemetryTables.events, ["session"]).last == "s-7")
      first.close()
      second.close()
    }
  }

  @Test func `What names a context that is still on its way at another collector waits for it, and nothing else does`()
    async throws
  {
    try await ClickHousePair.shared.with { cluster in
      let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
      let first = try FollowedLog(one.url, cluster, writer: 1)
      var second = try FollowedLog(other.url, cluster, writer: 2) { $0.contextPatience = 600 }
      var told = RawBatch()
      told.addContext(7, session: "s-7")
      var early = RawBatch(launch: told.launch, from: told.position)
      early.addLog("before its context", context: 7)
      early.add(.breadcrumb, #"{"timestamp":5.5,"message":"a crumb"}"#)
      let now = WallClock.now
      try await second.append(early, receivedAt: now)
      var others = RawBatch()
      others.addLog("of somebody else", context: nil)
      try await second.append(others, receivedAt: now)
      try await eventually("the others go on") { try await cluster.count(TelemetryTables.events) == 1 }
      try await eventually("it waits") { second.indexer.backlog.deliveries == 1 }
      // Also in the next process; and its file of the log with it.
      second.close()
      second = try FollowedLog(other.url, cluster, writer: 2) { $0.contextPatience = 600 }
      try await eventually("it waits again") { second.indexer.backlog.deliveries == 1 }
      #expect(try await cluster.count(TelemetryTables.events) == 1)
      try await first.append(told, receivedAt: now)
      try await second.drain()
      #expect(
        Set(try await cluster.texts(TelemetryTables.events, ["session", "type"]))
          == ["s-7 breadcrumb", "s-7 log", "launch:\(others.launch) log"])
      first.close()
      second.close()
      #expect(try LogDirectory(path: other.url.path).segments().isEmpty)
    }
  }

  @Test func `What nobody ever tells is waited for no longer than there is patience`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let follower = try FollowedLog(directory.url, cluster) {
        $0.contextPatience = 0.5
        $0.askEvery = 0.05
      }
      var batch = RawBatch()
      batch.addLog("of nobody", context: 99)
      try await follower.append(batch, receivedAt: WallClock.now)
      try await follower.drain()
      #expect(
        try await cluster.texts(TelemetryTables.events, ["session", "context"]) == ["launch:\(batch.launch) 99"])
      follower.close()
    }
  }

  @Test func `What cannot be read is put aside, exactly where SQLite puts it aside`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let follower = try FollowedLog(directory.url, cluster)
      let batches = Self.hostile()
      for batch in batches { try await follower.append(batch) }
      try await follower.drain()
      follower.close()
      let aside = try await cluster.texts(TelemetryTables.quarantine, ["launch", "position", "kind", "length"])
      let kept = try await cluster.texts(TelemetryTables.events, ["launch", "position", "session", "type"])
      let (wantedAside, wantedKept) = try await Self.sqlite(batches)
      #expect(aside.sorted() == wantedAside.sorted())
      #expect(kept.sorted() == wantedKept.sorted())
      #expect(aside.count > 10)
    }
  }

  // MARK: Content

  private static func content(_ cluster: ClickHouseCluster) async throws -> [[String]] {
    [
      try await cluster.texts(TelemetryTables.events, ["id", "session", "launch", "position", "payload", "words"]),
      try await cluster.texts(TelemetryTables.arrivals, ["id", "session", "launch", "position", "type"]),
      try await cluster.texts(
        TelemetryTables.contexts, ["launch", "context", "session", "json"], order: ["`launch`", "`context`"]),
    ]
  }

  static func many(_ count: Int) -> [RawBatch] {
    (0..<count).map { index in
      var batch = RawBatch(
        launch: LaunchID(uuid: UUID(uuidString: launchText(index % 5)) ?? UUID()), from: UInt64(index) << 20)
      batch.addContext(1, session: "s-\(index % 5)")
      for number in 0..<10 { batch.addLog("event \(number) of \(index)", at: 1000 * index + number) }
      batch.add(.breadcrumb, #"{"timestamp":5.5,"message":"a crumb"}"#)
      return batch
    }
  }

  private static func launchText(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

  /// A log's files with these deliveries, numbered as a log would, that nobody has followed.
  private static func fill(_ folder: URL, _ batches: [RawBatch]) throws {
    let directory = try LogDirectory(path: folder.path)
    var numbers = try FrameNumbers(directory: directory, writer: 0) { 1_780_000_000_000 }
    var file = Data()
    for batch in batches {
      let checked = try CheckedBatch(raw: batch.body())
      let bytes = Array(buffer: checked.body)
      var head = bytes.withUnsafeBytes {
        LogFrame.Head(
          receivedAt: 1_700_000_100_000, events: checked.events, owner: FollowedLog.owner, body: $0, isNumbered: true)
      }
      head.number(try numbers.take(checked.records))
      file.append(contentsOf: head.bytes + bytes)
      file.append(contentsOf: [UInt8](repeating: 0, count: (8 - file.count % 8) % 8))
    }
    try file.write(to: URL(filePath: directory.file(1)))
  }
}
