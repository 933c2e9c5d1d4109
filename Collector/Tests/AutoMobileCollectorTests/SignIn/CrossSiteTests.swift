import Foundation
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

/// What a page of somebody else can have a browser do that is signed in.
@Suite struct `Requests that carry a cookie` {
  private static let project = "{\"bundleId\":\"com.example.forged\",\"name\":\"forged\"}"

  @Test func `changes come from the viewer's page only`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "admin")
      let own = [("Sec-Fetch-Site", "same-origin"), ("X-AutoMobile-Viewer", "1")]
      let forged: [[(String, String)]] = [
        // A form, a script without the header, an old browser's form.
        [], [("Sec-Fetch-Site", "same-origin")], [("Origin", collector.url)],
        // The header, and nothing that says where it comes from; or a place that is not ours.
        [("X-AutoMobile-Viewer", "1")], [("Sec-Fetch-Site", "none"), own[1]],
        [("Sec-Fetch-Site", "same-site"), own[1]],
        [("Sec-Fetch-Site", "cross-site"), own[1]], [("Origin", "null"), own[1]],
        [("Origin", "https://evil.example"), own[1]],
        [("Origin", "http://127.0.0.1:1"), own[1]], own + [("Origin", "http://localhost.evil.example")],
      ]
      for headers in forged {
        let answer = try await browser.bare(.POST, "/api/projects", Self.project, headers: headers)
        #expect(answer.status == 403, "\(headers): \(answer.text)")
        #expect(["not_from_viewer", "foreign_origin"].contains(answer.errorCode ?? ""), "\(headers)")
        #expect(try await browser.bare(.DELETE, "/api/projects/1", headers: headers).status == 403)
        #expect(try await browser.bare(.POST, "/api/sign-out", "{}", headers: headers).status == 403)
      }
      let left = try await collector.get("/api/projects", headers: Browser.operatorKey).json()
      #expect(left["projects"].array.isEmpty)
      #expect(try await browser.bare(.POST, "/api/projects", Self.project, headers: own).status == 200)
      // Browsers that do not say the site say the origin.
      let old = [("Origin", collector.url), own[1]]
      #expect(try await browser.bare(.DELETE, "/api/projects/1", headers: old).status == 200)
    }
  }

  @Test func `nobody is signed in as somebody else by another page`() async throws {
    try await Browser.with { collector, browser in
      let token = try await Browser.token(collector, "{}")
      for headers in [[], [("Sec-Fetch-Site", "cross-site")], [("X-AutoMobile-Viewer", "1")]] as [[(String, String)]] {
        let answer = try await browser.bare(.POST, "/api/sign-in", "{\"token\":\"\(token)\"}", headers: headers)
        #expect(answer.status == 403 && browser.cookies.isEmpty)
      }
      // A form's type is not taken, whatever else is said.
      let form = try await browser.bare(
        .POST, "/api/sign-in",
        headers: [
          ("Content-Type", "text/plain"), ("Sec-Fetch-Site", "same-origin"), ("X-AutoMobile-Viewer", "1"),
        ])
      #expect(form.status == 415)
      #expect(try await browser.signIn(token).status == 200)
    }
  }

  @Test func `reading, following and saving go by the cookie alone`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "viewer")
      let link = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
      for path in ["/api/sessions", "/api/health", "/api/issues", "/api/network/har"] {
        #expect(try await browser.bare(.GET, path, headers: link).status < 400, "\(path)")
        #expect(try await collector.get(path).status == 401)
      }
      let socket = try RawSocket(port: collector.port)
      let cookie = browser.cookies.map { "\($0)=\($1)" }.joined()
      await socket.send(
        "GET /api/tail HTTP/1.1\r\nHost: 127.0.0.1:\(collector.port)\r\nCookie: \(cookie)\r\nAccept: text/event-stream\r\n\r\n"
      )
      #expect(await socket.readHead().first == "HTTP/1.1 200 OK")
    }
  }

  @Test func `what takes away what it hands out is a change`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "admin")
      let refused = try await browser.bare(.GET, "/sdk-events", headers: [("Sec-Fetch-Site", "same-origin")])
      #expect(refused.status == 403 && refused.errorCode == "not_from_viewer")
      #expect(try await browser.send(.GET, "/sdk-events").status == 200)
    }
  }

  @Test func `a key stands above a cookie`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "admin")
      let key = [("X-API-Key", "started-with-1")]
      #expect(try await browser.bare(.POST, "/api/projects", Self.project, headers: key).status == 401)
      #expect(try await browser.bare(.GET, "/api/sessions", headers: [("X-API-Key", "wrong-key-1")]).status == 401)
    }
  }

  @Test func `no page of the collector is framed, and none runs what is not its own`() async throws {
    try await RunningCollector.with { collector in
      var pages = 0
      for route in try Collector.routes() where route.method == "GET" && !route.path.contains("{") {
        let path = route.path == "/**" ? "/index.html" : route.path
        if ["/api/tail", "/sdk-commands"].contains(path) { continue }
        let answer = try await collector.get(path)
        guard answer.headers["Content-Type"].first?.contains("html") == true else { continue }
        pages += 1
        let policy = answer.headers["Content-Security-Policy"].first ?? ""
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self'"), "\(path)")
        #expect(!policy.contains("unsafe"), "\(path)")
        #expect(answer.headers["X-Frame-Options"] == ["DENY"], "\(path)")
        #expect(answer.headers["Referrer-Policy"] == ["no-referrer"], "\(path)")
        #expect(answer.headers["X-Content-Type-Options"] == ["nosniff"], "\(path)")
      }
      #expect(pages >= 3)
    }
  }
}
