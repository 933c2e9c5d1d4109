import AutoMobileHTTP
import Foundation
import Logging
import Testing

@testable import AutoMobileCollector

@Suite struct `Sending a recorded request again` {
  private static func exchange(_ method: String, _ url: String) -> HTTPExchange {
    HTTPExchange(id: "r", startedAt: 0, method: method, url: url)
  }

  // MARK: Where

  @Test(arguments: [
    ("http://api.example.com/x", true), ("https://api.example.com/x", true), ("https://api.example.com:443/x", true),
    ("https://api.example.com:8443/x", false), ("https://a.staging.example.org/", true),
    ("https://staging.example.org/", false),
    ("https://evilstaging.example.org/", false), ("http://localhost:3000/", true), ("http://localhost/", false),
    ("https://api.example.com.evil.org/", false), ("https://api.example.com@evil.org/", false),
    ("https://user:pw@api.example.com/", false), ("https://user@api.example.com/", false),
    ("ftp://api.example.com/", false), ("file:///etc/passwd", false), ("gopher://api.example.com/", false),
    ("javascript:x", false),
    ("//api.example.com/", false), ("", false), ("http://[::1]/", false),
    ("http://169.254.169.254/latest/meta-data/", false),
    ("http://API.example.com/", true),
  ])
  func `a request goes to hosts that were named alone`(url: String, isAllowed: Bool) throws {
    let targets = try ResendTargets(["api.example.com", "*.staging.example.org", "localhost:3000"])
    #expect(((try? targets.host(of: url)) != nil) == isAllowed, "\(url)")
    #expect(throws: ResendTargets.Refusal.self) { try ResendTargets.none.host(of: url) }
  }

  @Test(arguments: [
    "", "*", "*.com", "*.", "a b", "http://x", "x/y", "host:port", "host:99999", "a:1:2", "ho_st", "[::1]",
  ])
  func `a name that is no host is refused`(name: String) {
    #expect(throws: ResendTargets.InvalidName.self) { try ResendTargets([name]) }
  }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.1", "127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "100.100.100.200",
    "168.63.129.16", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "febf::1", "fd00:ec2::254", "ff02::1", "::ffff:169.254.169.254",
    "::ffff:127.0.0.1",
    "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "::ffff:0:0",
  ])
  func `a name that leads inside is refused, whatever was named`(text: String) throws {
    let address = try #require(EgressAddress(text))
    let good = try #require(EgressAddress("203.0.113.7"))
    #expect(throws: ResendTargets.Refusal.self) { try ResendTargets.address([address], of: "api.example.com") }
    // One of several is enough.
    #expect(throws: ResendTargets.Refusal.self) { try ResendTargets.address([good, address], of: "api.example.com") }
  }

  @Test func `other addresses are taken, and loopback for its own name`() throws {
    for text in ["203.0.113.7", "10.0.0.5", "192.168.1.1", "2001:db8::1"] {
      #expect(try ResendTargets.address([try #require(EgressAddress(text))], of: "api.example.com").text == text)
    }
    #expect(try ResendTargets.address([try #require(EgressAddress("127.0.0.1"))], of: "localhost").text == "127.0.0.1")
    #expect(throws: ResendTargets.Refusal.self) { try ResendTargets.address([], of: "api.example.com") }
    #expect(throws: ResendTargets.Refusal.self) {
      try ResendTargets.address([try #require(EgressAddress("169.254.169.254"))], of: "localhost")
    }
  }

  @Test func `the address that was looked at is asked, and not what the name says later`() async throws {
    try await RunningCollector.with { target in
      let resender = Resender(
        targets: try ResendTargets(["localhost:\(target.port)"]),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        find: { _ in [EgressAddress("169.254.169.254")!] })
      await #expect(throws: ResendTargets.Refusal.self) {
        try await resender.send(Self.exchange("GET", "http://localhost:\(target.port)/health"), by: "test")
      }
    }
  }

  @Test func `it is the address that was looked at, however the app wrote the name`() async throws {
    try await RunningCollector.with { target in
      // Only the address that is given out here answers: the name leads nowhere.
      let resender = Resender(
        targets: try ResendTargets(["nowhere.invalid:\(target.port)"]),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        find: { _ in [EgressAddress("127.0.0.1")!] })
      for name in ["nowhere.invalid", "NOWHERE.Invalid"] {
        await #expect(throws: ResendTargets.Refusal.self, "loopback was not named") {
          try await resender.send(Self.exchange("GET", "http://\(name):\(target.port)/health"), by: "test")
        }
      }
      let local = Resender(
        targets: try ResendTargets(["localhost:\(target.port)"]),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        find: { _ in [EgressAddress("127.0.0.1")!] })
      let asked = [
        try await local.send(Self.exchange("GET", "http://LocalHost:\(target.port)/health"), by: "test"),
        try await local.send(Self.exchange("GET", "HTTP://LOCALHOST:\(target.port)/health?Case=Kept"), by: "test"),
      ]
      #expect(asked.allSatisfy { $0.status == 200 })
    }
  }

  @Test func `who answers a byte at a time is not waited for, and only a few are asked at one time`() async throws {
    let server = try DrippingServer()
    defer { server.stop() }
    let resender = Resender(
      targets: try ResendTargets(["localhost:\(server.port)"]),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, seconds: 1,
      find: { _ in [EgressAddress("127.0.0.1")!] })
    let url = "http://localhost:\(server.port)/"
    let refused = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<Resender.places + 2 {
        group.addTask {
          do {
            _ = try await resender.send(Self.exchange("GET", url), by: "test")
            Issue.record("there is no end of the answer")
            return false
          } catch { return error is ResendTargets.Refusal }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(refused == 2)
    // The places are free again.
    await #expect(throws: (any Error).self) { try await resender.send(Self.exchange("GET", url), by: "test") }
  }

  // MARK: What

  @Test func `what was redacted is left out, and a request that is not whole is not sent`() {
    var exchange = Self.exchange("POST", "https://api.example.com/x")
    exchange.requestHeaders = [
      "Authorization": "REDACTED", "Accept": "a", "Host": "evil", "Content-Length": "9", "X-Bad": "a\r\nb: c",
    ]
    exchange.requestBody = HTTPBody(bytes: Data("hello".utf8), size: 5)
    let request = RepeatableRequest(exchange)
    #expect(request.headers.map(\.name) == ["Accept"] && request.redacted == ["Authorization"])
    #expect(request.obstacles.isEmpty && request.body == Data("hello".utf8))
    exchange.requestBody = HTTPBody(bytes: Data("hello".utf8), size: 50)
    #expect(RepeatableRequest(exchange).obstacles.count == 1)
    exchange.requestBody = HTTPBody(bytes: Data("{\"card\":\"REDACTED\"}".utf8), size: 19)
    #expect(RepeatableRequest(exchange).obstacles.count == 1)
    #expect(RepeatableRequest(Self.exchange("GET", "https://a/?token=REDACTED")).obstacles.count == 1)
    #expect(RepeatableRequest(Self.exchange("GE T", "https://a/")).obstacles.count == 1)
  }

  @Test func `nothing is sent by a collector that was not told where`() async throws {
    try await RunningCollector.with { target in
      try await RunningCollector.with { collector in
        let event = try await Self.record(collector, "GET", target.url + "/health")
        #expect(try await collector.json("/api/resend")["hosts"].array.isEmpty)
        let answer = try await collector.post("/api/network/\(event)/resend", "{}")
        #expect(answer.status == 403 && answer.text.contains("--resend-to HOST"))
      }
    }
  }

  @Test func `a request is sent to a host that was named, and its answer comes back; redirects are not followed`()
    async throws
  {
    try await RunningCollector.with { target in
      let port = target.port
      try await RunningCollector.with { options in
        options.resendTargets = try? ResendTargets(["localhost:\(port)"])
      } _: { collector in
        let event = try await Self.record(collector, "GET", "http://localhost:\(port)/health")
        let answer = try await collector.post("/api/network/\(event)/resend", "{}")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
          try answer.json()["statusCode"].int == 200 && answer.json()["responseBody"].string?.contains("ok") == true)
        // The viewer's files of another version are elsewhere.
        let moved = try await Self.record(collector, "GET", "http://localhost:\(port)/viewer-0000000000000000.js")
        #expect(try await collector.post("/api/network/\(moved)/resend", "{}").json()["statusCode"].int == 307)
        let elsewhere = try await Self.record(collector, "GET", "http://127.0.0.1:\(port)/health")
        #expect(try await collector.post("/api/network/\(elsewhere)/resend", "{}").status == 403)
        #expect(try await collector.post("/api/network/999999/resend", "{}").status == 404)
      }
    }
  }

  /// Records a request, and returns its number.
  private static func record(_ collector: RunningCollector, _ method: String, _ url: String) async throws -> Int {
    let known = try await collector.json("/api/network")["requests"].array.count
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    batch.add(RecordedRequest(method: method, url: url, at: 1_700_000_000_000 + known))
    try await collector.post(raw: batch)
    let list = try await collector.wait(for: "/api/network") { $0["requests"].array.count == known + 1 }
    return try #require(list["requests"][0]["id"].int)
  }

  // MARK: As fetch

  @Test func `a request as a call of fetch is JavaScript, whatever stands in it`() {
    var exchange = Self.exchange("POST", "https://a.example/\"x\u{2028}</script>")
    exchange.requestHeaders = ["X-Note": "a\"b\\c", "Authorization": "REDACTED"]
    exchange.requestBody = HTTPBody(bytes: Data("line\n\"quote\" ü".utf8), size: 14)
    #expect(
      FetchExport.call(exchange) == #"""
        // redacted when it was recorded, fill in the real values: Authorization
        await fetch("https://a.example/\"x\u2028\u003c/script>", {
          "method": "POST",
          "headers": {
            "X-Note": "a\"b\\c",
            "Authorization": "REDACTED"
          },
          "body": "line\n\"quote\" \u00fc"
        });
        """#)
    exchange.requestBody = HTTPBody(bytes: Data([0xFF, 0x00]), size: 2)
    #expect(FetchExport.call(exchange).contains(#"Uint8Array.from(atob("/wA="), (byte) => byte.charCodeAt(0))"#))
    var get = Self.exchange("GET", "https://a.example/")
    get.requestBody = HTTPBody(bytes: Data("x".utf8), size: 1)
    #expect(
      FetchExport.call(get).hasPrefix("// fetch sends no body with GET") && !FetchExport.call(get).contains("\"body\""))
  }
}
