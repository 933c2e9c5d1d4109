import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Whole collectors over two real shards, asked over HTTP.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Collectors with their telemetry in ClickHouse` {
  private static let operatorKey = "operators-key"
  private static let asOperator = [("Authorization", "Bearer operators-key"), ("Content-Type", "application/json")]

  static func place(_ hosts: [ClickHouseAddress.Host], _ database: String, cluster: String? = "pair") throws
    -> TelemetryPlace
  {
    let names = hosts.map(\.description).joined(separator: ",")
    return try TelemetryPlace(
      "clickhouse://\(ClickHouseServer.user)@\(names)/\(database)" + (cluster.map { "?cluster=\($0)" } ?? ""))
  }

  static func database() -> String { "test_\(UUID().uuidString.prefix(8))" }

  static func shared(_ database: String = database()) async throws -> @Sendable (inout CollectorOptions) -> Void {
    let place = try Self.place(try await ClickHousePair.shared.servers.map(\.http), database)
    return {
      ($0.store, $0.storePassword) = (place, ClickHouseServer.password)
      $0.operatorKeys = [operatorKey]
      hurry(&$0)
    }
  }

  /// Nobody waits for batches to become full, nor for shards that are away.
  static func hurry(_ options: inout CollectorOptions) {
    options.batches.patience = 0.02
    options.batches.tellAfter = .milliseconds(200)
    options.limits.indexSeconds = 2
  }

  // MARK: Answers

  @Test func `answer what was delivered, and have nothing of it in the index`() async throws {
    try await RunningCollector.with(try await Self.shared()) { collector in
      let batch = `The way into ClickHouse`.everything()
      #expect(try await collector.post(raw: batch).status == 200)
      try await collector.waitForLaunch(batch.launch, stored: 13)
      let session = try await collector.json("/api/sessions")["sessions"][0]
      #expect(session["sessionId"].string == "s-1" && session["userId"].string == "ada")
      let events = try await collector.json("/api/sessions/s-1/events")["events"].array
      #expect(
        Set(events.compactMap { $0["eventType"].string }).isSuperset(of: ["log", "navigation", "network_request"]))
      let found = try await collector.json("/api/events?q=leute")["events"].array
      #expect(found.count == 1 && found[0]["payload"]["message"].string == "Grüße, an 2 Leute!")
      #expect(try await collector.get("/api/sessions?q=grusse").text.contains("s-1"))
      #expect(try await collector.get("/api/network").text.contains("/v1/orders/2041"))
      let archive = try await collector.get("/api/network/har")
      #expect(archive.status == 200 && archive.text.contains("2041?q=1"))
      let records = try await collector.get("/api/sessions/s-1/otlp/logs")
      #expect(records.status == 200 && records.text.contains("Leute"))
      let failure = try #require(events.first { $0["eventType"].string == "handled_exception" }?["id"].int)
      #expect(try await collector.json("/api/events/\(failure)/report")["message"].string == "card declined")
      let file = try await collector.get("/api/sessions/s-1/file")
      #expect(file.status == 200 && file.body.readableBytes > 1000)
      for path in [
        "/api/health", "/api/apps", "/api/users/ada", "/api/sessions/s-1/outline",
        "/api/search/values?in=sessions&field=version",
      ] {
        #expect(try await collector.get(path).status == 200, "\(path)")
      }
      let state = try await collector.json("/health")
      #expect(state["status"].string == "ok" && state["telemetry"] == .null && state["index"] == .null)
      #expect(state["clickhouse"]["backlogBytes"].int == 0 && state["clickhouse"]["silentShards"].array.isEmpty)
      let metrics = try await collector.get("/metrics", headers: Self.asOperator).text
      #expect(
        metrics.contains("automobile_clickhouse_rows_total") && metrics.contains("automobile_clickhouse_rows_waiting 0")
      )
      let rows = try await collector.collector.store.pool.read { database in
        try Int.fetchOne(
          database,
          sql: "SELECT (SELECT COUNT(*) FROM event) + (SELECT COUNT(*) FROM session) + (SELECT COUNT(*) FROM launch)")
      }
      #expect(rows == 0)
    }
  }

  @Test func `let no stranger import a session, and count nothing that they do not have`() async throws {
    try await RunningCollector.with(try await Self.shared()) { collector in
      let stranger = try await collector.send(
        .POST, "/api/import", headers: [("Content-Type", "application/json")], body: .init(string: "{}"))
      #expect(stranger.status == 401 || stranger.status == 403)
      // What people see of it does not count nothing.
      let storage = try await collector.json("/api/settings")
      #expect(storage["storage"]["sessions"] == .null)
    }
  }

  // MARK: Places

  static func problem(_ options: CollectorOptions) async -> CollectorError? {
    do {
      try await Collector.open(options, logger: RunningCollector.quiet).close()
      return nil
    } catch {
      if !(error is CollectorError) { Issue.record(error) }
      return error as? CollectorError
    }
  }

  @Test func `start with the place where their telemetry is, or not at all`() async throws {
    let directory = try TemporaryDirectory()
    let database = Self.database()
    let share = try await Self.shared(database)
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    batch.addLog("before")
    try await RunningCollector.with(directory: directory.url, share) { [batch] collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
    }
    var options = CollectorOptions(dataDirectory: directory.url)
    options.port = 0
    let alone = await Self.problem(options)
    #expect(
      alone?.description.contains("/\(database)?cluster=pair, not in the data directory") == true,
      "\(String(describing: alone))")
    #expect(throws: CollectorError.self) { _ = try RecordedData(directory.url, logger: RunningCollector.quiet) }
    let backups = try TemporaryDirectory()
    #expect(
      try Backup.make(of: directory.url, in: backups.url).telemetryElsewhere?.hasSuffix("/\(database)?cluster=pair")
        == true)
    var other = options
    try await Self.shared(Self.database())(&other)
    #expect(await Self.problem(other)?.description.contains("not in clickhouse://") == true)
    // One of its hosts is enough to know it by; a password that is wrong is said without being told.
    var wrong = options
    share(&wrong)
    wrong.storePassword = "guess"
    let refusal = await Self.problem(wrong)?.description ?? ""
    #expect(refusal.contains("telemetry cannot be kept in ClickHouse") && !refusal.contains("guess"), "\(refusal)")
    // A directory with sessions of its own.
    let full = try TemporaryDirectory()
    try await RunningCollector.with(directory: full.url) { [batch] collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
    }
    var late = CollectorOptions(dataDirectory: full.url)
    share(&late)
    let kept = await Self.problem(late)?.description ?? ""
    #expect(kept.contains("in the data directory, not in clickhouse://"), "\(kept)")
    // And again where it was.
    try await RunningCollector.with(directory: directory.url, share) { [batch] collector in
      var next = RawBatch(launch: batch.launch, from: batch.position)
      next.addLog("after")
      try await collector.post(raw: next)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      #expect(try await collector.json("/api/sessions/s-1/events")["events"].array.count == 2)
    }
  }

  @Test func `may go elsewhere as long as they have not begun to write`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    defer { try? store.close() }
    let pair = try await ClickHousePair.shared
    let cluster = try await ClickHouseCluster.open(try pair.address(Self.database()))
    let known = cluster.remembered
    try await cluster.shutdown()
    let (one, other) = (try pair.address("one"), try pair.address("other"))
    try TelemetryMark(one, identity: "here", number: nil, known: known).write(store.own)
    try TelemetryMark.check(store)
    try TelemetryMark.check(other, try TelemetryMark.read(store.own), in: store)
    #expect(try await store.pool.read { try TelemetryMark.place(in: $0) } == nil)
    try TelemetryMark(one, identity: "here", number: 3, known: known).write(store.own)
    #expect(throws: CollectorError.self) { try TelemetryMark.check(store) }
    #expect(throws: CollectorError.self) {
      try TelemetryMark.check(other, try TelemetryMark.read(store.own), in: store)
    }
    #expect(try await store.pool.read { try TelemetryMark.place(in: $0) } != nil)
  }

  @Test func `begin with servers that answer, and go on without them later`() async throws {
    let ports = try await ClickHouseServer.freePorts(2)
    let server = try ClickHouseServer(http: ports[0], tcp: ports[1])
    try server.configure(clusters: "")
    let directory = try TemporaryDirectory()
    let place = try Self.place([server.http], Self.database(), cluster: nil)
    let share: @Sendable (inout CollectorOptions) -> Void = {
      ($0.store, $0.storePassword) = (place, ClickHouseServer.password)
      Self.hurry(&$0)
      $0.limits.indexSeconds = 0.2
    }
    var options = CollectorOptions(dataDirectory: directory.url)
    share(&options)
    #expect(await Self.problem(options)?.description.contains("no connection to ClickHouse") == true)
    try await server.start()
    try await RunningCollector.with(directory: directory.url, share) { _ in }
    server.kill()
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    batch.addLog("meanwhile")
    try await RunningCollector.with(directory: directory.url, share) { [batch] collector in
      #expect(try await collector.post(raw: batch).status == 200)
      let state = try await collector.wait(for: "/health") { $0["status"].string == "degraded" }
      #expect(state["telemetry"].string?.contains("shard 1") == true, "\(state)")
      #expect(state["clickhouse"]["silentShards"].array.map(\.int) == [1])
      #expect(state["clickhouse"]["batches"].int == 1)
      #expect(!(state["telemetry"].string ?? "").contains("127.0.0.1"))
      let refused = try await collector.get("/api/sessions")
      #expect(refused.status == 503 && refused.errorCode == "telemetry_unavailable")
    }
    // Stopped in order, without them: it is in the log.
    try await RunningCollector.with(directory: directory.url, share) { [batch] collector in
      try await server.start()
      try await collector.wait(for: "/health") { $0["status"].string == "ok" && $0["clickhouse"]["batches"].int == 0 }
      try await collector.waitForLaunch(batch.launch, stored: 1)
    }
    server.kill()
  }

  // MARK: Several

  @Test(.enabled(if: SharedState.isThere)) func `answer the same, whichever of them is asked`() async throws {
    let share = try await Self.shared()
    let blobs = try await S3Server.shared
    let settings = try blobs.settings()
    try await SharedState.with { database in
      let both: @Sendable (inout CollectorOptions) -> Void = {
        share(&$0)
        ($0.blobs, $0.blobCredentials) = (.s3(settings), S3Server.credentials)
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      }
      try await RunningCollector.with(both) { one in
        try await RunningCollector.with(both) { other in
          #expect(one.collector.cluster?.writer.number == 0 && other.collector.cluster?.writer.number == 1)
          // One launch, whose context came to one, and events to both.
          var first = RawBatch()
          first.addContext(1, session: "s-1", user: "ada")
          for number in 0..<20 { first.addLog("one \(number)") }
          var second = RawBatch(launch: first.launch, from: first.position)
          for number in 0..<20 { second.addLog("other \(number)") }
          #expect(try await one.post(raw: first).status == 200)
          #expect(try await other.post(raw: second).status == 200)
          for collector in [one, other] { try await collector.waitForLaunch(first.launch, stored: 40) }
          let answers = try await [one, other].asyncMap { try await $0.get("/api/sessions/s-1/events?limit=100").text }
          #expect(answers[0] == answers[1])
          let ids = try await one.json("/api/sessions/s-1/events?limit=100")["events"].array.compactMap { $0["id"].int }
          #expect(Set(ids).count == 40)
        }
      }
    }
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
