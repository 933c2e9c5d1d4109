import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Sessions of people` {
  private static func cookie(_ answer: RunningCollector.Answer) -> String { answer.headers["Set-Cookie"].first ?? "" }

  @Test func `the cookie is read by no script, sent by no other site, and only over TLS where there is TLS`()
    async throws
  {
    try await Browser.with { collector, browser in
      let plain = Self.cookie(try await browser.signIn(try await Browser.token(collector, "{}")))
      #expect(plain.hasPrefix("automobile-\(collector.port)="))
      for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(plain.contains("; \(part)"), "\(plain)") }
      #expect(!plain.contains("Secure") && !plain.contains("Domain"))
    }
    try await Browser.with {
      $0.publicURL = "https://automobile.example.com"
    } _: { collector, browser in
      let secure = Self.cookie(try await browser.signIn(try await Browser.token(collector, "{}")))
      #expect(secure.hasPrefix("__Host-automobile=") && secure.contains("; Secure") && secure.contains("; HttpOnly"))
      #expect(try await browser.send(.GET, "/api/sessions").status == 200)
    }
  }

  @Test func `signing in again ends what the browser had, and gives it another secret`() async throws {
    try await Browser.with { collector, browser in
      // Somebody else put their own session into the browser beforehand.
      let attacker = Browser(collector)
      try await attacker.signIn(as: "viewer", name: "Attacker")
      browser.cookies = attacker.cookies
      try await browser.signIn(as: "admin")
      #expect(browser.cookies != attacker.cookies)
      #expect(try await attacker.send(.GET, "/api/sessions").status == 401)
      #expect(try await browser.send(.GET, "/api/sign-in").json()["session"]["name"].string == "Mira")
    }
  }

  @Test func `two cookies of the name are none`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "viewer")
      let pair = try #require(browser.cookies.first.map { "\($0)=\($1)" })
      for header in ["\(pair); \(pair)", "automobile-\(collector.port)=x; \(pair)"] {
        #expect(try await collector.get("/api/sessions", headers: [("Cookie", header)]).status == 401)
      }
      #expect(try await collector.get("/api/sessions", headers: [("Cookie", "a=b; \(pair); c=d")]).status == 200)
    }
  }

  @Test func `it ends when it is not used for a while, and at last in any case`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64,
      limits: CollectorLimits())
    var limits = SessionLimits()
    (limits.idleSeconds, limits.seconds) = (10, 25)
    let people = try PersonSessions(store.state, limits: limits, logger: RunningCollector.quiet)
    let mira = Person.byLink("Mira", [.admin])
    let secret = try await people.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 1_000).secret
    #expect(people.session(secret, at: 10_999) != nil)
    #expect(people.session(secret, at: 20_998) != nil)
    #expect(people.session(secret, at: 25_999) != nil)
    #expect(people.session(secret, at: 26_000) == nil)
    #expect(people.session(secret, at: 26_000 + 1_000_000) == nil)
    let idle = try await people.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 50_000).secret
    #expect(people.session(idle, at: 60_000) == nil)
    #expect(people.list(at: 60_000).isEmpty)
  }

  @Test func `a restart signs nobody out`() async throws {
    let directory = try TemporaryDirectory()
    func run(_ body: @Sendable (Browser) async throws -> Void) async throws {
      try await RunningCollector.with(directory: directory.url) { options in
        options.ingestKeys = ["started-with-1"]
        options.operatorKeys = ["operator-secret"]
        options.publicURL = "https://automobile.example.com"
      } _: { collector in
        try await body(Browser(collector))
      }
    }
    let cookies = Cookies()
    try await run { browser in
      try await browser.signIn(as: "viewer")
      cookies.kept = browser.cookies
    }
    try await run { browser in
      browser.cookies = cookies.kept
      let status = try await browser.send(.GET, "/api/sessions").status
      #expect(status == 200)
    }
  }

  @Test func `signing out ends this browser, another one, or all`() async throws {
    try await Browser.with { collector, browser in
      let (second, third, other) = (Browser(collector), Browser(collector), Browser(collector))
      for each in [browser, second, third] { try await each.signIn(as: "viewer") }
      try await other.signIn(as: "viewer", name: "Lea")
      let own = try await browser.send(.GET, "/api/sign-in").json()
      #expect(own["sessions"].array.count == 3)
      let theirs = try #require(try await other.send(.GET, "/api/sign-in").json()["session"]["id"].int)
      // Somebody else's is none of theirs.
      let refused = try await browser.send(.POST, "/api/sign-out", "{\"session\":\(theirs)}")
      #expect(try refused.json()["ended"].int == 0)
      let id = try #require(try await second.send(.GET, "/api/sign-in").json()["session"]["id"].int)
      _ = try await browser.send(.POST, "/api/sign-out", "{\"session\":\(id)}")
      #expect(try await second.send(.GET, "/api/sessions").status == 401)
      #expect(try await browser.send(.GET, "/api/sessions").status == 200)
      let all = try await browser.send(.POST, "/api/sign-out", "{\"everywhere\":true}")
      #expect(try all.json()["ended"].int == 2 && browser.cookies.isEmpty)
      #expect(try await third.send(.GET, "/api/sessions").status == 401)
      #expect(try await other.send(.GET, "/api/sessions").status == 200)
    }
  }

  @Test func `operators see who is signed in, and end it`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "viewer")
      let listed = try await collector.get("/api/sign-ins", headers: Browser.operatorKey).json()["sessions"].array
      #expect(listed.count == 1 && listed[0]["name"].string == "Mira")
      let id = try #require(listed[0]["id"].int)
      #expect(try await browser.send(.GET, "/api/sign-ins").status == 403)
      #expect(try await collector.send(.DELETE, "/api/sign-ins/\(id)", headers: Browser.operatorKey).status == 200)
      #expect(try await browser.send(.GET, "/api/sessions").status == 401)
      #expect(try await collector.send(.DELETE, "/api/sign-ins/\(id)", headers: Browser.operatorKey).status == 404)
    }
  }

  @Test func `the browsers of one person are bounded`() async throws {
    try await Browser.with {
      $0.sessions.ofOnePerson = 2
    } _: { collector, first in
      try await first.signIn(as: "viewer")
      for _ in 0..<2 { try await Browser(collector).signIn(as: "viewer") }
      #expect(try await first.send(.GET, "/api/sessions").status == 401)
      let listed = try await collector.get("/api/sign-ins", headers: Browser.operatorKey).json()["sessions"].array
      #expect(listed.count == 2)
    }
  }
}

/// Of one run for the next one.
private final class Cookies: @unchecked Sendable {
  // Unchecked because one run is over before the next one begins.
  var kept: [String: String] = [:]
}
