import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Retention of a project of its own` {
  private static let day: Int64 = 86_400_000
  /// Each with a session that is quiet for eight days, and a replay whose telemetry never came.
  private static let apps = [
    "com.example.first", "com.example.first.widget", "com.example.first.inner", "com.example.firstborn",
    "com.example.second",
  ]

  private static func log(of session: String, app: String) -> RawBatch {
    var batch = RawBatch(bundleId: app)
    batch.add(
      .event, "{\"eventType\":\"log\",\"timestamp\":1700000000000,\"message\":\"a\",\"sessionId\":\"\(session)\"}")
    return batch
  }

  /// A directory in which all of it lies, and a session of the first app that is young.
  private static func filled() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let old = apps.map { log(of: "old \($0)", app: $0) }
      for batch in old + [log(of: "young", app: apps[0])] {
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    let past = Int64(Date().timeIntervalSince1970 * 1000) - 8 * day
    try await database.write { database in
      try database.execute(
        sql: "UPDATE session SET received = ? WHERE sessionId LIKE 'old%'", arguments: [past])
      try database.execute(
        sql: "INSERT INTO replay(replayId, given, owner, received) SELECT name, name, id, ? FROM owner",
        arguments: [past])
    }
    try database.close()
    return directory
  }

  private static func sessions(_ collector: RunningCollector) async throws -> Set<String> {
    Set(try await collector.json("/api/sessions")["sessions"].array.compactMap { $0["sessionId"].string })
  }

  private static func first(_ collector: RunningCollector) async throws -> JSONValue {
    for project in try await collector.json("/api/projects")["projects"].array
    where project["bundleId"].string == apps[0] {
      return project
    }
    return .null
  }

  /// Until so many sessions were deleted since the start, and it rests.
  private static func wait(_ collector: RunningCollector, deleted: Int) async throws {
    try await collector.wait(for: "/api/settings") {
      $0["retention"]["deletedSessions"].int == deleted && $0["retention"]["running"] == .bool(false)
    }
  }

  private static func replays(_ directory: TemporaryDirectory) throws -> Set<String> {
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    defer { try? database.close() }
    return try database.read { try String.fetchSet($0, sql: "SELECT substr(replayId, 5) FROM replay") }
  }

  @Test func `its sessions and replays go by its own days, with its extensions', and those of others stay`()
    async throws
  {
    let directory = try await Self.filled()
    let others = Set(Self.apps.dropFirst(2))
    try await RunningCollector.with(directory: directory.url) { collector in
      for bundle in ["com.example.first", "com.example.first.inner", "com.example.second"] {
        #expect(try await collector.post("/api/projects", "{\"bundleId\":\"\(bundle)\"}").status == 200)
      }
      let first = try await Self.first(collector)
      #expect(first["days"] == .null && first["keptDays"] == .null)
      let number = try #require(first["id"].int)
      let path = "/api/projects/\(number)/retention"
      let set = try await collector.replace(path, with: "{\"days\":7}")
      #expect(try set.json()["days"].int == 7 && set.json()["keptDays"].int == 7, "\(set.text)")
      try await Self.wait(collector, deleted: 2)
      #expect(try await Self.sessions(collector) == Set(others.map { "old \($0)" }).union(["young"]))
    }
    #expect(try Self.replays(directory) == others)
    // It is remembered; and what holds for all holds for it, too.
    try await RunningCollector.with(directory: directory.url) { collector in
      let first = try await Self.first(collector)
      #expect(first["days"].int == 7 && first["keptDays"].int == 7)
      #expect(try await collector.replace("/api/settings/retention", with: "{\"days\":3}").status == 200)
      try await Self.wait(collector, deleted: 3)
      let shortened = try await Self.first(collector)
      #expect(shortened["days"].int == 7 && shortened["keptDays"].int == 3)
      #expect(try await Self.sessions(collector) == ["young"])
    }
    #expect(try Self.replays(directory).isEmpty)
  }

  @Test func `whoever decides in one project sets the days of that one, and of no other`() async throws {
    try await TwoProjects.with { two in
      let collector = two.collector
      let projects = try await two.read("/api/projects")["projects"].array
      func number(_ bundle: String) throws -> Int {
        try #require(projects.first { $0["bundleId"].string == bundle }?["id"].int)
      }
      let (own, other) = (try number(TwoProjects.first), try number(TwoProjects.second))
      func key(_ role: String) async throws -> [(String, String)] {
        let made = try await collector.post(
          "/api/keys", "{\"project\":\(own),\"role\":\"\(role)\"}", headers: TwoProjects.operatorKey)
        return [("X-API-Key", try #require(try made.json()["key"].string))]
      }
      let (decides, reads) = (try await key("operator"), try await key("viewer"))
      func put(_ project: Int, _ body: String, _ key: [(String, String)]) async throws -> RunningCollector.Answer {
        try await collector.replace("/api/projects/\(project)/retention", with: body, headers: key)
      }
      #expect(try await put(own, "{\"days\":7}", decides).json()["days"].int == 7)
      // Another project's is as unknown as one that there is not.
      let theirs = try await put(other, "{\"days\":7}", decides)
      let nobodys = try await put(999_999, "{\"days\":7}", decides)
      #expect(theirs.status == 404 && nobodys.status == 404 && theirs.errorCode == "no_project")
      #expect(theirs.text.replacing("\(other)", with: "…") == nobodys.text.replacing("999999", with: "…"))
      for refused in [reads, two.first, two.second] {
        #expect(try await put(own, "{\"days\":1}", refused).status == 403)
      }
      for body in [
        "{\"days\":0}", "{\"days\":3651}", "{\"days\":1.5}", "{\"days\":\"7\"}", "{}", "[7]",
        "{\"days\":7,\"bytes\":1}",
      ] {
        #expect(try await put(own, body, decides).status == 400, "\(body)")
      }
      let seen = try await collector.json("/api/projects", headers: reads)["projects"].array
      #expect(seen.map { $0["days"].int } == [7])
      let all = try await two.read("/api/projects")["projects"].array
      #expect(all.first { $0["id"].int == other }?["days"] == .null)
      #expect(try await put(own, "{\"days\":null}", TwoProjects.operatorKey).json()["days"] == .null)
      func noted(_ log: JSONValue) -> [String?] {
        log["entries"].array.filter { $0["route"].string == "PUT /api/projects/{id}/retention" }
          .map { $0["thing"].string }
      }
      let log = try await two.wait(for: "/api/audit?action=change") { noted($0).count == 2 }
      #expect(noted(log) == ["com.example.first, as the collector", "com.example.first, 7 days"])
    }
  }

  @Test func `of its days and the collector's the shorter ones hold`() {
    let own = ["a": 7, "b": 30, "c": 31]
    #expect(ProjectRetention(own, among: ["a", "b", "c"], below: RetentionPolicy(days: 30)).days == ["a": 7])
    #expect(ProjectRetention(own, among: ["a", "b", "c"], below: RetentionPolicy(bytes: 1 << 30)).days == own)
    #expect(ProjectRetention.kept(31, RetentionPolicy(days: 30)) == 30)
    #expect(ProjectRetention.kept(7, RetentionPolicy(days: 30)) == 7)
    #expect(ProjectRetention.kept(nil, RetentionPolicy(days: 30)) == 30)
    #expect(ProjectRetention.kept(7, .everything) == 7 && ProjectRetention.kept(nil, .everything) == nil)
  }

  @Test func `the next one is looked up, however many sessions others have`() throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let plan = try store.pool.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(ProjectRetention.next)", arguments: [1, 2])
        .map { $0["detail"] as String }
    }
    #expect(plan.count == 1 && plan[0].contains("session_owner_received (owner=? AND received>? AND received<?)"))
    try store.close()
  }
}
