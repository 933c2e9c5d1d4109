import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `A page for a user` {
  private static let name = "mira/ö&k?@example.com"
  private static let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz.")
  private static var path: String {
    "/api/users/" + (name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
  }

  private static func deliver(_ collector: RunningCollector, sessions: Int, user: String, crashed: Int = 0) async throws
  {
    var batch = RawBatch()
    for index in 0..<sessions {
      batch.addContext(
        index + 1, session: "\(user.count)-\(index)", user: user, tags: ["plan": index % 2 == 0 ? "pro" : "free"])
      batch.addLog("seen", at: 1000 * (index + 1), context: index + 1, level: index == 0 ? 4 : 2)
      if index < crashed {
        batch.add(
          .event,
          """
          {"eventType":"crash","timestamp":\(1000 * (index + 1) + 1),"errorDomain":"SIGSEGV","stackTrace":"0 pay",\
          "bundleId":"dev.example.shop","contextId":\(index + 1)}
          """)
      }
    }
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: sessions + crashed)
  }

  @Test func `it adds up all sessions of one name, and of no other`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(collector, sessions: 7, user: Self.name, crashed: 2)
      try await Self.deliver(collector, sessions: 3, user: Self.name + ".de", crashed: 1)
      let user = try await collector.json(Self.path)
      #expect(user["userId"].string == Self.name)
      #expect(
        user["sessions"].int == 7 && user["crashed"].int == 2 && user["events"].int == 9 && user["errors"].int == 3)
      #expect(user["first"].int == 1000 && user["last"].int == 7000)
      #expect(user["apps"][0]["name"].string == "dev.example.shop" && user["devices"][0]["sessions"].int == 7)
      let tags = Dictionary(user["tags"].array.map { ($0["name"].string ?? "", $0["sessions"].int ?? 0) }) { first, _ in
        first
      }
      #expect(tags == ["plan=pro": 4, "plan=free": 3])
      #expect(user["issues"].array.count == 1)
      #expect(user["issues"][0]["count"].int == 2 && user["issues"][0]["sessions"].int == 2)

      var seen: [String] = []
      var path = Self.path + "/sessions?limit=3"
      while true {
        let page = try await collector.json(path)
        seen += page["sessions"].array.compactMap { $0["sessionId"].string }
        guard let next = page["next"].string else { break }
        path = Self.path + "/sessions?limit=3&before=\(next)"
      }
      #expect(seen == (0..<7).reversed().map { "\(Self.name.count)-\($0)" })
      #expect(try await collector.get("/api/users/nobody").status == 404)
      #expect(try await collector.json("/api/users/nobody/sessions")["sessions"].array.isEmpty)
    }
  }

  @Test func `two apps' users of one name are told apart when the app is asked for`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(collector, sessions: 2, user: "1", crashed: 1)
      var other = RawBatch(bundleId: "dev.example.bank")
      other.add(
        .context,
        "{\"contextId\":1,\"sessionId\":\"b\",\"userId\":\"1\",\"bundleId\":\"dev.example.bank\",\"tags\":{},\"device\":{}}"
      )
      other.addLog("seen", at: 9000)
      try await collector.post(raw: other)
      try await collector.waitForLaunch(other.launch, stored: 1)
      #expect(try await collector.json("/api/users/1")["sessions"].int == 3)
      let shop = try await collector.json("/api/users/1?app=dev.example.shop")
      #expect(shop["sessions"].int == 2 && shop["last"].int == 2000 && shop["issues"].array.count == 1)
      let bank = try await collector.json("/api/users/1?app=dev.example.bank")
      #expect(bank["sessions"].int == 1 && bank["crashed"].int == 0 && bank["issues"].array.isEmpty)
      let sessions = try await collector.json("/api/users/1/sessions?app=dev.example.bank")["sessions"].array
      #expect(sessions.map { $0["sessionId"].string } == ["b"])
      #expect(try await collector.get("/api/users/1?app=dev.example").status == 404)
    }
  }

  @Test func `issues of more sessions than there is time for are those of the newest, and it says so`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    try await store.pool.write { database in
      try database.execute(
        sql: """
          INSERT INTO issue(id, name, kind, cause) VALUES (1, 'old', 'crash', 'SIGSEGV'), (2, 'new', 'crash', 'SIGABRT');
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200)
          INSERT INTO session(id, sessionId, given, userId, first, last, events) SELECT i, 's-' || i, 's-' || i, 'mira', i, i, 1 FROM n;
          INSERT INTO issue_event(event, issue, session, timestamp)
            SELECT id, CASE WHEN id <= 200 THEN 1 ELSE 2 END, id, id FROM session;
          """)
    }
    let query = SQLiteSessions(store: store)
    let scope = try store.readScope()
    let whole = try #require(try await query.user(scope, "mira", patience: 60))
    #expect(whole.sessions == 5000 && whole.isPartial && whole.issueSessions == nil)
    #expect(whole.issues.map(\.name) == ["new"] && whole.issues.first?.sessions == 5000)
    let hurried = try #require(try await query.user(scope, "mira", patience: 0))
    #expect(hurried.isPartial && hurried.issueSessions == 100 && hurried.issues.map(\.sessions) == [100])
  }

  @Test func `crash-free users are counted once, beside crash-free sessions`() async throws {
    try await RunningCollector.with { collector in
      try await Self.deliver(collector, sessions: 6, user: "mira", crashed: 2)
      try await Self.deliver(collector, sessions: 4, user: "tom", crashed: 0)
      let sessions = try await collector.json("/api/health?from=0&to=100000")["sessions"]
      #expect(sessions["count"].int == 10 && sessions["crashed"].int == 2)
      #expect(sessions["users"]["count"].int == 2 && sessions["users"]["crashed"].int == 1)
      #expect(sessions["versions"][0]["users"]["count"].int == 2)
    }
  }
}
