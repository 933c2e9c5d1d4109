import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileCollector

/// The same files taken in by a collector on one machine, and by some whose telemetry is in two real shards.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `A session file taken in where telemetry is in ClickHouse` {
  private typealias Cluster = `Collectors with their telemetry in ClickHouse`

  private static let headers = [
    ("Content-Type", SessionFile.mediaType), ("Authorization", "Bearer operators-key"),
  ]
  private static let asOperator = [("Authorization", "Bearer operators-key"), ("Content-Type", "application/json")]
  private static let head = #"{"automobile":{"file":"session","version":1,"sessionId":"s-1"}}"#

  private static func take(_ body: ByteBuffer, _ collector: RunningCollector) async throws -> RunningCollector.Answer {
    try await collector.send(.POST, "/api/import", headers: headers, body: body)
  }

  private static func file(_ lines: [String]) -> ByteBuffer { gzip(Array(lines.map { $0 + "\n" }.joined().utf8)) }

  private static func laptop(_ options: inout CollectorOptions) { options.operatorKeys = ["operators-key"] }

  /// A session of every type of event, with a replay, as a collector on one machine writes it.
  private static func written() async throws -> (file: ByteBuffer, replay: ReplaySender, launch: LaunchID) {
    let written = NIOLockedValueBox<(file: ByteBuffer, replay: ReplaySender, launch: LaunchID)?>(nil)
    try await RunningCollector.with(Self.laptop) { collector in
      let batch = `The way into ClickHouse`.everything()
      #expect(try await collector.post(raw: batch).status == 200)
      try await collector.waitForLaunch(batch.launch, stored: 13)
      var sender = ReplaySender(collector: collector)
      sender.sessions = ["s-1"]
      for segment in [ReplaySender.Segment("frames"), .init("{\"t\":1}\n", at: 2, kind: "events")] {
        #expect(try await sender.upload(segment) == [200, 204, 200])
      }
      _ = try await sender.end()
      let answer = try await collector.get("/api/sessions/s-1/file")
      #expect(answer.status == 200)
      let found = (answer.body, sender, batch.launch)
      written.withLockedValue { $0 = found }
    }
    return try #require(written.withLockedValue { $0 })
  }

  /// Without what is each store's own: numbers of events, when something came, orders of equals.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      var members = members.filter {
        !["id", "ids", "screens", "event", "sample", "newest", "receivedAt", "at"].contains($0.key)
      }
      // A segment's name is its own.
      if case .text = value["id"] { members["id"] = value["id"] }
      return .object(members.mapValues(plain))
    case .list(let values): return .list(values.map(plain))
    default: return value
    }
  }

  private static func events(_ collector: RunningCollector) async throws -> Int {
    try await collector.json("/api/sessions/s-1/events?limit=1000")["events"].array.count
  }

  @Test func `has the same answers, and adds nothing when it comes again`() async throws {
    let (file, replay, launch) = try await Self.written()
    try await RunningCollector.with(Self.laptop) { laptop in
      try await RunningCollector.with(try await Cluster.shared()) { cluster in
        let answers = [try await Self.take(file, laptop), try await Self.take(file, cluster)]
        #expect(answers[0].status == 200 && answers[0].text == answers[1].text, "\(answers.map(\.text))")
        let wanted = try answers[0].json()["events"].int ?? 0
        #expect(wanted > 5 && answers[0].text.contains("\"segments\":2"))
        for collector in [laptop, cluster] {
          // Breadcrumbs and summaries are no events of a session's list.
          try await collector.waitForLaunch(launch, stored: wanted)
          try await collector.wait(for: "/api/sessions/s-1/replays") {
            $0["replays"][0]["segments"].array.count == 2 && $0["replays"][0]["endReason"].string != nil
          }
        }
        let paths = [
          "/api/sessions/s-1", "/api/sessions", "/api/sessions/s-1/events?limit=1000", "/api/sessions/s-1/outline",
          "/api/sessions/s-1/replays", "/api/replays/\(replay.replay)", "/api/network", "/api/users/ada",
          "/api/launches", "/api/issues",
        ]
        for path in paths {
          let found = [Self.plain(try await laptop.json(path)), Self.plain(try await cluster.json(path))]
          let isSame = found[0] == found[1]
          #expect(isSame, "\(path): \(found[1]) and not \(found[0])")
        }
        let imported = try await cluster.json("/api/sessions/s-1")["imported"]
        #expect(imported["at"].int != nil && imported["collector"].string == Collector.version)
        let segment =
          try await cluster.json("/api/sessions/s-1/replays")["replays"][0]["segments"][0]["id"].string ?? ""
        let path = "/api/replays/\(replay.replay)/segments/\(segment)"
        let pictures = [try await laptop.get(path), try await cluster.get(path)]
        #expect(pictures[0].status == 200 && pictures[0].body == pictures[1].body)
        // Once more.
        let before = try await cluster.json("/api/sessions/s-1")
        let count = try await Self.events(cluster)
        let again = try await Self.take(file, cluster)
        #expect(try again.json()["segments"].int == 0 && again.json()["sessionId"].string == "s-1")
        try await cluster.wait(for: "/health") { $0["clickhouse"]["backlogBytes"].int == 0 }
        #expect(try await Self.events(cluster) == count)
        #expect(try await cluster.json("/api/sessions/s-1")["imported"] == before["imported"])
        #expect(try await cluster.json("/api/sessions/s-1")["events"] == before["events"])
        #expect(try await cluster.json("/api/sessions")["sessions"].array.count == 1)
      }
    }
  }

  @Test func `stands beside a session and a replay of the same names, and takes neither's place`() async throws {
    try await RunningCollector.with(try await Cluster.shared()) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "mira")
      batch.addLog("of the app")
      #expect(try await collector.post(raw: batch).status == 200)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      var live = ReplaySender(collector: collector)
      live.sessions = ["s-1"]
      #expect(try await live.upload(ReplaySender.Segment("live")) == [200, 204, 200])
      let own = try await collector.json("/api/sessions/s-1")
      let answer = try await Self.take(try await collector.get("/api/sessions/s-1/file").body, collector)
      let name = try #require(try answer.json()["sessionId"].string)
      #expect(answer.status == 200 && name.hasPrefix("s-1@file-"), "\(answer.text)")
      let found = try await collector.wait(for: "/api/sessions/\(name)") { $0["events"].int == 1 }
      #expect(found["userId"].string == "mira" && found["imported"]["at"].int != nil)
      #expect(try await collector.json("/api/sessions/s-1")["imported"] == .null)
      #expect(try await collector.json("/api/sessions/s-1")["events"] == own["events"])
      let replay = try await collector.wait(for: "/api/sessions/\(name)/replays") { !$0["replays"].array.isEmpty }
      let called = replay["replays"][0]["replayId"].string ?? ""
      #expect(called.hasPrefix("\(live.replay)@file-"), "\(replay)")
      #expect(try await collector.json("/api/replays/\(called)")["replayId"].string == called)
      #expect(try await collector.json("/api/replays/\(live.replay)")["bundleId"].string == "dev.example.shop")
      #expect(try await collector.json("/api/sessions/s-1/replays")["replays"].array.count == 1)
    }
  }

  @Test func `is refused for the same reasons, in the same words, and leaves nothing behind`() async throws {
    func events(_ payload: String) -> String {
      let event = #"{"sequence":0,"payload":"\#(Data(payload.utf8).base64EncodedString())"}"#
      return #"{"events":{"launchId":"\#(UUID().uuidString)","bundleId":"dev.example.shop","events":[\#(event)]}}"#
    }
    let good = events(#"{"eventType":"log","timestamp":5,"message":"x","sessionId":"s-1"}"#)
    let files = [
      ByteBuffer(), ByteBuffer(string: "no gzip"), Self.file(["{}"]), Self.file([Self.head]),
      Self.file([Self.head, good, #"{"complete":{"lines":9}}"#]),
      Self.file([Self.head, good, events(#"{"eventType":"log","timestamp":5,"sessionId":"another"}"#)]),
      Self.file([Self.head, good, String(repeating: "[", count: 100_000)]), Self.file([Self.head, good]),
      gzip(Array(Self.head.utf8) + [UInt8](repeating: 0x20, count: 64 << 20)),
    ]
    try await RunningCollector.with(Self.laptop) { laptop in
      try await RunningCollector.with(try await Cluster.shared()) { cluster in
        for (index, file) in files.enumerated() {
          let answers = [try await Self.take(file, laptop), try await Self.take(file, cluster)]
          #expect((400..<500).contains(answers[0].status))
          #expect(answers[0].status == answers[1].status && answers[0].text == answers[1].text, "\(index)")
        }
        #expect(try await cluster.get("/api/sessions/s-1").status == 404)
        #expect(try await cluster.json("/api/launches")["launches"].array.isEmpty)
        #expect(cluster.collector.log.backlog == 0)
      }
    }
  }

  @Test func `is known to be from a file as long as it is there, when it was opened again on a later day`() async throws
  {
    try await RunningCollector.with(try await Cluster.shared()) { collector in
      let cluster = try #require(collector.collector.cluster)
      let imports = ClickHouseImports(cluster)
      let first = WallClock.now - 20 * 86_400_000
      for at in [first, first + 1000, WallClock.now, WallClock.now] {
        let origin = SessionImport(sessionId: "s-1", importedAt: at, exportedAt: 5, collector: "1.0")
        #expect(try await imports.keep(origin, as: .file("opened-twice")) == "s-1")
      }
      let name = SessionName(
        project: DataOwner.file("opened-twice").name, session: "s-1",
        shard: ShardKey.of(project: DataOwner.file("opened-twice").name, session: "s-1"))
      let days = try await cluster.telemetry.readOwn { reading in
        try await reading.rows(reading.copies("toUInt32(day)", of: TelemetryTables.sessionImports, name.range)) {
          Int64(try $0.int(UInt32.self))
        }
      }
      // Once for each day, until parts are merged.
      #expect(Set(days) == [RecordColumns.day(first), RecordColumns.day(WallClock.now)])
      for shard in cluster.cluster.map.shards {
        try await cluster.cluster.client.only(shard.hosts).run(
          TelemetryTables.sessionImports.drop(day: RecordColumns.day(first), in: cluster.cluster.database))
      }
      let left = try await cluster.telemetry.readOwn { try await $0.imports(of: [name])[name] }
      #expect(left?.importedAt == first && left?.exportedAt == 5)
    }
  }

  @Test func `is redacted like all that comes, and does not come back when it has been erased`() async throws {
    let line =
      #"{"eventType":"log","timestamp":5,"message":"ada@example.com","sessionId":"s-1","context":{"sessionId":"s-1"}}"#
    let event = #"{"sequence":0,"payload":"\#(Data(line.utf8).base64EncodedString())"}"#
    let file = Self.file([
      Self.head, #"{"events":{"launchId":"\#(UUID().uuidString)","bundleId":"dev.example.shop","events":[\#(event)]}}"#,
      #"{"complete":{"lines":2}}"#,
    ])
    try await RunningCollector.with(try await Cluster.shared()) { collector in
      let rule = try await collector.send(
        .POST, "/api/redactions", headers: Self.asOperator, body: ByteBuffer(string: #"{"pattern":"email"}"#))
      #expect(rule.status == 200, "\(rule.text)")
      #expect(try await Self.take(file, collector).status == 200)
      try await collector.wait(for: "/api/sessions/s-1") { $0["events"].int == 1 }
      let found = try await collector.get("/api/sessions/s-1/events").text
      #expect(!found.contains("ada@example.com"), "\(found)")
      let erasure = try await collector.send(
        .POST, "/api/erasures", headers: Self.asOperator, body: ByteBuffer(string: #"{"session":"s-1"}"#))
      #expect((200..<300).contains(erasure.status), "\(erasure.text)")
      let gone = ContinuousClock.now + .seconds(60)
      while try await collector.get("/api/sessions/s-1").status != 404 {
        try #require(ContinuousClock.now < gone)
        try await Task.sleep(for: .milliseconds(20))
      }
      let again = try await Self.take(file, collector)
      #expect(again.status == 410 && again.errorCode == "erased", "\(again.text)")
      #expect(try await collector.get("/api/sessions/s-1").status == 404)
    }
  }

  @Test(.enabled(if: SharedState.isThere))
  func `is shown, with its replay, by all collectors, and taken in once by all`()
    async throws
  {
    let (file, replay, launch) = try await Self.written()
    let share = try await Cluster.shared()
    let settings = try await S3Server.shared.settings()
    try await SharedState.with { database in
      let both: @Sendable (inout CollectorOptions) -> Void = {
        share(&$0)
        ($0.blobs, $0.blobCredentials) = (.s3(settings), S3Server.credentials)
        $0.packSeconds = 0.2
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      }
      try await RunningCollector.with(both) { one in
        try await RunningCollector.with(both) { other in
          let answer = try await Self.take(file, one)
          #expect(answer.status == 200, "\(answer.text)")
          let events = try answer.json()["events"].int ?? 0
          try await other.waitForLaunch(launch, stored: events)
          let shown = try await other.wait(for: "/api/sessions/s-1/replays") {
            $0["replays"][0]["segments"].array.count == 2 && $0["replays"][0]["endReason"].string != nil
          }
          let segment = shown["replays"][0]["segments"][0]["id"].string ?? ""
          let path = "/api/replays/\(replay.replay)/segments/\(segment)"
          #expect(try await other.get(path).body == one.get(path).body)
          let again = try await Self.take(file, other)
          #expect(try again.json()["segments"].int == 0, "\(again.text)")
          try await other.wait(for: "/health") { $0["clickhouse"]["backlogBytes"].int == 0 }
          #expect(try await one.json("/api/launches").launch(launch)["stored"].int == events)
          let parts = try await one.json("/api/sessions/s-1/replays")["replays"].array
          #expect(parts.count == 1 && parts[0]["segments"] == shown["replays"][0]["segments"])
          #expect(parts[0]["bytes"] == shown["replays"][0]["bytes"])
        }
      }
    }
  }
}
