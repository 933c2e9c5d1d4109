import AutoMobileState
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Sign-in links` {
  @Test func `the one that is printed at the start signs an admin in, once`() async throws {
    try await Browser.with { collector, browser in
      let path = try await collector.collector.signInLink()
      let token = String(path.dropFirst("/sign-in#token=".count))
      // 256 bits.
      #expect(token.utf8.count == 43)
      #expect(try await browser.send(.GET, "/api/sessions").status == 401)
      let answer = try await browser.signIn(token)
      #expect(answer.status == 200)
      #expect(try answer.json()["session"]["grants"][0]["role"].string == "admin")
      #expect(try await browser.send(.GET, "/api/sessions").status == 200)
      #expect(
        try await browser.send(.POST, "/api/projects", "{\"bundleId\":\"com.example.a\",\"name\":\"A\"}").status == 200)
      let other = Browser(collector)
      let again = try await other.signIn(token)
      #expect(again.status == 401 && again.errorCode == "wrong_link")
      #expect(other.cookies.isEmpty)
    }
  }

  @Test func `asking for the page as often as one likes uses nothing up`() async throws {
    try await Browser.with { collector, browser in
      let token = try await Browser.token(collector, "{}")
      for _ in 0..<3 {
        let page = try await collector.get("/sign-in", headers: [("Purpose", "prefetch")])
        #expect(page.status == 200 && page.text.contains("<title>AutoMobile</title>"))
        #expect(page.headers["Referrer-Policy"] == ["no-referrer"])
      }
      #expect(try await browser.signIn(token).status == 200)
    }
  }

  @Test func `it is over after its time`() async throws {
    try await Browser.with { collector, _ in
      let pool = try DatabasePool(path: collector.directory.appending(path: "index.sqlite").path)
      let links = SignInLinks(state: SQLiteState(pool))
      let person = Person.byLink("Mira", [.admin])
      let (late, early) = (
        try await links.make(person, minutes: 15, by: "test", at: 1_000),
        try await links.make(person, minutes: 15, by: "test", at: 1_000)
      )
      #expect(try await links.take(late, at: 1_000 + 15 * 60_000) == nil)
      #expect(try await links.take(early, at: 999 + 15 * 60_000) == person)
    }
  }

  @Test func `neither the index file nor the log holds a token or a cookie`() async throws {
    try await Browser.with { collector, browser in
      let open = try await Browser.token(collector, "{}")
      try await browser.signIn(as: "viewer")
      let secret = try #require(browser.cookies.values.first)
      for name in try FileManager.default.contentsOfDirectory(atPath: collector.directory.path) {
        guard let data = FileManager.default.contents(atPath: collector.directory.appending(path: name).path) else {
          continue
        }
        #expect(data.range(of: Data(open.utf8)) == nil && data.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
  }

  @Test func `only who decides makes them, and only such as make sense`() async throws {
    try await Browser.with { collector, browser in
      func make(_ body: String, _ headers: [(String, String)] = Browser.operatorKey) async throws
        -> RunningCollector.Answer
      {
        try await collector.send(
          .POST, "/api/sign-in/links", headers: headers + [("Content-Type", "application/json")],
          body: .init(string: body))
      }
      #expect(try await make("{}", []).status == 401)
      #expect(try await make("{}", [("X-API-Key", "started-with-1")]).status == 401)
      #expect(try await make("{\"role\":\"root\"}").errorCode == "invalid_role")
      #expect(try await make("{\"role\":\"admin\",\"project\":\"com.example.a\"}").errorCode == "invalid_role")
      #expect(try await make("{\"role\":\"viewer\",\"project\":\"com.example.none\"}").errorCode == "no_project")
      #expect(try await make("{\"minutes\":0}").errorCode == "invalid_minutes")
      #expect(try await make("{\"minutes\":99999}").errorCode == "invalid_minutes")
      #expect(try await make("{\"name\":\"\"}").errorCode == "invalid_name")
      try await browser.signIn(as: "viewer")
      #expect(try await browser.send(.POST, "/api/sign-in/links", "{}").errorCode == "not_operator")
    }
  }

  @Test func `wrong tokens are counted, and then wait; a right one does not`() async throws {
    try await Browser.with { options in
      options.sessions.failures = 5
    } _: { collector, browser in
      let token = try await Browser.token(collector, "{}")
      for text in ["", "short", String(repeating: "A", count: 43), String(repeating: "é", count: 43), "'; DROP"] {
        #expect(try await browser.signIn(text).status == 401)
      }
      let refused = try await browser.signIn(String(repeating: "B", count: 43))
      #expect(refused.status == 429 && refused.errorCode == "too_many_attempts")
      #expect(Int(refused.headers["Retry-After"].first ?? "").map { $0 >= 1 } == true)
      // Somebody at the same address, who was sent a link, is not kept out by the others.
      #expect(try await browser.signIn(token).status == 200)
    }
  }

  @Test func `addresses are counted apart, and in all`() throws {
    var limits = SessionLimits()
    (limits.failures, limits.allFailures) = (2, 5)
    let throttle = SignInThrottle(limits)
    for _ in 0..<2 { throttle.failed("192.0.2.1", at: 10) }
    #expect(throws: APIError.self) { try throttle.check("192.0.2.1", at: 11) }
    try throttle.check("192.0.2.2", at: 11)
    for end in 1...2 { throttle.failed("2001:db8::\(end)", at: 12) }
    // One network of IPv6 is one somebody.
    #expect(throws: APIError.self) { try throttle.check("2001:db8::77", at: 13) }
    throttle.failed("192.0.2.3", at: 14)
    #expect(throws: APIError.self) { try throttle.check("198.51.100.1", at: 15) }
    try throttle.check("192.0.2.1", at: 300_011)
  }
}
