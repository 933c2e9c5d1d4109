import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

/// Whole collectors whose state is in PostgreSQL.
@Suite(.enabled(if: SharedState.isThere)) struct `Collectors with their state in PostgreSQL` {
  private static let operatorKey = "operators-key"
  private static let asOperator = [("Authorization", "Bearer operators-key"), ("Content-Type", "application/json")]

  /// With their blobs where both can read them.
  private static func two(
    _ adjust: @escaping @Sendable (inout CollectorOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (RunningCollector, RunningCollector) async throws -> Void
  ) async throws {
    let blobs = BlobPlace.s3(try await S3Server.shared.settings())
    try await SharedState.with { database in
      let share: @Sendable (inout CollectorOptions) -> Void = {
        $0.operatorKeys = [operatorKey]
        ($0.blobs, $0.blobCredentials) = (blobs, S3Server.credentials)
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
        adjust(&$0)
      }
      try await RunningCollector.with(share) { one in
        try await RunningCollector.with(share) { other in try await body(one, other) }
      }
    }
  }

  private static func fail(_ text: String, at: Int, in collector: RunningCollector, session: String) async throws {
    var batch = RawBatch()
    batch.addContext(1, session: session, user: "mira")
    batch.add(.event, `What people write down about issues`.failure(text, at: at, fingerprint: text))
    try await collector.post(raw: batch)
  }

  private static func issues(_ collector: RunningCollector, _ count: Int) async throws -> [JSONValue] {
    try await collector.wait(for: "/api/issues") { $0["issues"].array.count == count }["issues"].array
  }

  @Test func `know the same projects and keys, and each has its own sessions`() async throws {
    try await Self.two { one, other in
      let made = try await one.send(
        .POST, "/api/projects", headers: Self.asOperator,
        body: .init(string: #"{"name":"Shop","bundleId":"dev.example.shop"}"#)
      ).json()
      let project = try #require(made["id"].int)
      let key = try await other.send(
        .POST, "/api/keys", headers: Self.asOperator,
        body: .init(string: #"{"name":"viewer","role":"viewer","project":\#(project)}"#)
      ).json()
      let secret = try #require(key["key"].string)
      var batch = RawBatch(bundleId: "dev.example.shop")
      batch.addContext(1, session: "s-1", user: "mira")
      batch.addLog("hello", level: 2)
      try await other.post(raw: batch)
      try await other.waitForLaunch(batch.launch, stored: 1)
      for collector in [one, other] {
        try await eventually("the key opens both") {
          try await collector.get("/api/sessions", headers: [("Authorization", "Bearer \(secret)")]).status == 200
        }
      }
      // Seen through the wall of the project, which the other one learned of.
      let seen = try await other.get("/api/sessions", headers: [("Authorization", "Bearer \(secret)")]).json()
      #expect(seen["sessions"].array.count == 1)
      #expect(try await one.json("/api/sessions")["sessions"].array.isEmpty)
      #expect(try await one.json("/health")["status"].string == "ok")
    }
  }

  @Test func `show what was decided about an issue, wherever that was`() async throws {
    try await Self.two { one, other in
      for (collector, session) in [(one, "s-1"), (other, "s-2")] {
        try await Self.fail("The payment failed", at: 1000, in: collector, session: session)
        try await Self.fail("The basket is empty", at: 2000, in: collector, session: session)
      }
      let found = try await Self.issues(one, 2)
      _ = try await Self.issues(other, 2)
      let names = try found.map { try #require($0["id"].string) }.sorted()
      let set = try await one.send(
        .PUT, "/api/issues/\(names[0])/status", headers: Self.asOperator, body: .init(string: #"{"status":"resolved"}"#)
      )
      #expect(set.status == 200, "\(set.text)")
      // At once where it was decided.
      #expect(try await one.json("/api/issues/\(names[0])")["status"].string == "resolved")
      try await other.wait(for: "/api/issues/\(names[0])") { $0["status"].string == "resolved" }
      #expect(try await other.json("/api/issues/\(names[0])")["history"].array.count == 1)
      // It comes back at the other one, and both know.
      let text = try #require(found.first { $0["id"].string == names[0] }?["title"].string)
      try await Self.fail(text, at: Int(WallClock.now) + 60_000, in: other, session: "s-3")
      for collector in [other, one] {
        try await collector.wait(for: "/api/issues/\(names[0])") {
          $0["status"].string == "open" && $0["history"].array.count == 2
        }
      }
      // Put together, and taken apart.
      let merged = try await other.send(
        .POST, "/api/issues/\(names[1])/merge", headers: Self.asOperator,
        body: .init(string: #"{"issues":["\#(names[0])"]}"#))
      #expect(merged.status == 200, "\(merged.text)")
      for collector in [other, one] { _ = try await Self.issues(collector, 1) }
      #expect(try await one.json("/api/issues/\(names[1])")["count"].int == 2)
      let split = try await one.send(
        .POST, "/api/issues/\(names[1])/split", headers: Self.asOperator,
        body: .init(string: #"{"issue":"\#(names[0])"}"#))
      #expect(split.status == 200, "\(split.text)")
      for collector in [one, other] { _ = try await Self.issues(collector, 2) }
    }
  }

  @Test func `go on taking what apps record while it is away, and say that nothing can be changed`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try server.makeDatabase()
    let place = try StatePlace("postgres://automobile@127.0.0.1:\(server.port)/\(database)")
    try await RunningCollector.with {
      ($0.state, $0.statePassword) = (place, PostgresServer.password)
      $0.operatorKeys = [Self.operatorKey]
    } _: { collector in
      try await Self.fail("The payment failed", at: 1000, in: collector, session: "s-1")
      let issue = try #require(try await Self.issues(collector, 1)[0]["id"].string)
      func decide(_ status: String) async throws -> RunningCollector.Answer {
        try await collector.send(
          .PUT, "/api/issues/\(issue)/status", headers: Self.asOperator,
          body: .init(string: #"{"status":"\#(status)"}"#))
      }
      #expect(try await decide("resolved").status == 200)
      try server.kill()
      let refused = try await decide("ignored")
      #expect(
        refused.status == 503 && refused.errorCode == "state_unavailable" && refused.headers["Retry-After"] == ["10"])
      #expect(!refused.text.contains("127.0.0.1") && !refused.text.contains(PostgresServer.password))
      // What comes is taken, and indexed: also that it is back.
      try await Self.fail("The payment failed", at: Int(WallClock.now) + 60_000, in: collector, session: "s-2")
      try await collector.wait(for: "/api/issues") { $0["issues"][0]["status"].string == "open" }
      try await collector.wait(for: "/health") { $0["status"].string == "degraded" && $0["state"].string != nil }
      try server.start()
      try await collector.wait(for: "/health") { $0["status"].string == "ok" }
      // The state has been told.
      try await collector.wait(for: "/api/issues/\(issue)") {
        $0["history"].array.map { $0["what"].string } == ["regressed", "status"]
      }
      #expect(try await decide("resolved").status == 200)
    }
  }

  @Test func `start with the state that they had, or not at all`() async throws {
    let directory = try TemporaryDirectory()
    try await SharedState.with { database in
      try await RunningCollector.with(directory: directory.url) {
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      } _: { _ in
      }
      let options = CollectorOptions(dataDirectory: directory.url)
      let alone = Self.problem(options)
      #expect(
        alone?.description.contains("/\(database), not in the data directory") == true, "\(String(describing: alone))")
      #expect(throws: CollectorError.self) { _ = try RecordedData(directory.url, logger: RunningCollector.quiet) }
      #expect(throws: CollectorError.self) { _ = try StoreMaintenance(directory.url) }
      try await SharedState.with { other in
        var options = options
        try options.shareState(in: other)
        #expect(Self.problem(options)?.description.contains("/\(database), not in postgres://") == true)
      }
      var wrong = options
      try wrong.shareState(in: database)
      wrong.statePassword = "guess"
      let refusal = Self.problem(wrong)?.description ?? ""
      #expect(refusal.contains("authentication failed") && !refusal.contains("guess"), "\(refusal)")
      // A backup has no copy of it, and says so.
      let backups = try TemporaryDirectory()
      let backup = try Backup.make(of: directory.url, in: backups.url)
      #expect(backup.stateElsewhere?.hasSuffix("/\(database)") == true)
      // The tables are of a newer program.
      try PostgresServer.shared.sql(
        "INSERT INTO automobile_schema(number, name, oldest) VALUES (900, 'new', 900)", in: database)
      var newer = options
      try newer.shareState(in: database)
      #expect(Self.problem(newer)?.description.contains("newer than this program") == true)
    }
  }

  private static func problem(_ options: CollectorOptions) -> CollectorError? {
    do {
      try Collector(options, logger: RunningCollector.quiet).close()
      return nil
    } catch {
      return error as? CollectorError
    }
  }

  @Test func `take no password where others see it`() throws {
    for text in [
      "postgres://ada:secret@db/x", "postgres://db/x?user=ada&password=secret",
      "postgres://ada@db/x?sslpassword=secret",
    ] {
      let error = #expect(throws: StatePlace.Invalid.self) { try StatePlace(text) }
      #expect(error?.description.contains("PGPASSWORD") == true && error?.description.contains("secret") == false)
    }
    for text in ["", "mysql://db/x", "/var/lib", "postgres://[/x", "clickhouse://x"] {
      #expect(throws: StatePlace.Invalid.self, "\(text)") { try StatePlace(text) }
    }
    #expect(try StatePlace("folder") == .folder)
    #expect(
      try StatePlace("postgresql://ada@db:5433/x?sslmode=require")
        == .postgres("postgresql://ada@db:5433/x?sslmode=require"))
  }

  @Test func `keep blobs in one data directory at most`() async throws {
    try await SharedState.with { database in
      let share: @Sendable (inout CollectorOptions) -> Void = {
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      }
      try await RunningCollector.with(share) { _ in
        let directory = try TemporaryDirectory()
        var options = CollectorOptions(dataDirectory: directory.url)
        share(&options)
        let refusal = Self.problem(options)
        #expect(refusal == .folderElsewhere && refusal?.description.contains("--blobs s3://") == true)
      }
    }
  }

  @Test func `forward each what is its own, from when they hear of it`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "") }
    defer { receiver.stop() }
    let egress = try EgressPolicy(["127.0.0.1:\(receiver.port)"])
    try await Self.two({ $0.egress = egress }) { one, other in
      func send(_ text: String, to collector: RunningCollector) async throws {
        var batch = RawBatch(bundleId: "dev.example.shop")
        batch.addContext(1, session: text, user: "ada")
        batch.addLog(text, level: 2)
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      // Where it is added there is nothing yet: its number of the newest event says nothing to the other one.
      for index in 0..<3 { try await send("first-other-\(index)", to: other) }
      let made = try await one.send(
        .POST, "/api/forwarders", headers: Self.asOperator,
        body: .init(string: #"{"name":"f","url":"http://127.0.0.1:\#(receiver.port)","types":["log"],"gzip":false}"#))
      #expect(made.status == 200, "\(made.text)")
      try await other.wait(for: "/api/forwarders") {
        $0["forwarders"][0]["lanes"].array.contains { $0["state"].string == "up_to_date" }
      }
      try await send("second-one", to: one)
      try await send("second-other", to: other)
      try await eventually("both send") {
        let sent = receiver.requests.joined()
        return sent.contains("second-one") && sent.contains("second-other")
      }
      #expect(!receiver.requests.joined().contains("first-"))
    }
  }
}
