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
