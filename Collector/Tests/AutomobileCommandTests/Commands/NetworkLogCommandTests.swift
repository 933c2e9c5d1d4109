import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `A log of requests from the command line` {
  private static let start: Int64 = 1_790_000_000_000

  private static func exchange(
    _ index: Int, _ method: String, _ url: String, _ status: Int?, _ duration: Double
  ) -> HTTPExchange {
    var exchange = HTTPExchange(id: "r-\(index)", startedAt: start + Int64(index) * 1000, method: method, url: url)
    exchange.statusCode = status
    exchange.durationMs = duration
    if status == nil { exchange.error = HTTPFailure(message: "timed out") }
    return exchange
  }

  private static func story() -> [HTTPExchange] {
    var pay = exchange(1, "POST", "https://api.shop.example/v1/pay?a=1", 503, 1234.5)
    pay.requestHeaders = ["Content-Type": "application/json"]
    pay.requestBody = HTTPBody(bytes: Data("{\"n\":1}".utf8), size: 7)
    pay.responseBody = HTTPBody(bytes: Data("no \u{1B}[2J service".utf8), size: 16)
    pay.tracerId = "conv-7"
    return [
      exchange(0, "GET", "https://api.shop.example/v1/orders/1", 200, 40), pay,
      exchange(2, "GET", "https://img.shop.example/a.png", nil, 60_000),
      exchange(3, "GET", "https://api.shop.example/v1/orders/2", 200, 60),
    ]
  }

  private func withLog(_ body: (String, NetworkLogWriter) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let writer = try NetworkLogWriter(NetworkLogDirectory(directory), owner: "test")
    for exchange in Self.story() { #expect(writer.record(exchange)) }
    try await body(directory.path, writer)
    writer.closeAndWait()
  }

  @Test(arguments: [60, 200])
  func `it is listed and counted like a collector's requests`(width: Int) async throws {
    try await withLog { path, _ in
      for (arguments, lines) in [([], 5), (["--slowest"], 5), (["--stats"], 4)] {
        let list = try await Tool.run(["network", "--log", path] + arguments, environment: ["COLUMNS": "\(width)"])
        #expect(list.code == 0 && list.lines.count == lines, "\(list.output)\(list.errors)")
        #expect(list.lines.allSatisfy { DisplayWidth.of(String($0)) <= width } && !list.output.contains("\u{1B}"))
      }
      let stats = try await Tool.run("network", "--log", path, "--stats", "--json")
      let first = try JSON(text: String(try #require(stats.lines.first)))
      #expect(first["route"] == "/v1/orders/:id" && first["count"]?.int == 2 && first["p95Ms"]?.number == 60)
    }
  }

  @Test func `it is narrowed by the same options`() async throws {
    try await withLog { path, _ in
      let expected: [([String], Int)] = [
        (["--errors"], 2), (["--status", "5xx,none"], 2), (["--status", "503"], 1), (["--method", "post"], 1),
        (["--host", "*.shop.example", "--path", "/v1/*"], 3), (["--host", "api.shop.example"], 3),
        (["--path", "/v1/orders/?"], 2), (["--slower-than", "1s"], 2), (["--tracer", "conv-7"], 1),
        (["--tracer", "conv"], 0), (["--grep", "service"], 1), (["--since", "1h"], 0), (["--limit", "3"], 3),
        (["--mocked"], 0),
      ]
      for (options, count) in expected {
        let list = try await Tool.run(["network", "--json", "--log", path] + options)
        #expect(list.code == 0 && list.lines.count == count, "\(options): \(list.output)\(list.errors)")
      }
      for wrong in [["--session", "a"], ["--app", "b"]] {
        #expect(try await Tool.run(["network", "--log", path] + wrong).code == 2)
      }
      #expect(try await Tool.run("network", "--log", path + "/nothing").code == 2)
    }
  }

  @Test func `it is searched for a text, and a field is refused with the option for it`() async throws {
    try await withLog { path, _ in
      for (search, advice) in [
        ("status:503", "Use --status."), ("service host:api", "Use --host."), ("duration:>1s", "Use --slower-than."),
        ("user:mira", "To find the text itself, quote it: --search '\"user:mira\"'"),
      ] {
        let refused = try await Tool.run("network", "--log", path, "--search", search)
        #expect(refused.code == 2 && refused.output.isEmpty, "\(search)")
        #expect(refused.errors.contains(advice), "\(refused.errors)")
      }
      // What only looks like a field, or is quoted, is text.
      for (search, count) in [("\"n\":1", 1), ("https://api", 3), ("\"no service\"", 0), ("nothing:here", 0)] {
        let found = try await Tool.run("network", "--log", path, "--json", "--search", search)
        #expect(found.code == 0 && found.lines.count == count, "\(search): \(found.output)\(found.errors)")
      }
    }
  }

  @Test func `it is cleared when that is meant, and what the app records then is listed`() async throws {
    try await withLog { path, writer in
      for refused in [["--clear"], ["--clear", "--yes", "--errors"], ["--clear", "--yes", "1"]] {
        #expect(try await Tool.run(["network", "--log", path] + refused).code != 0, "\(refused)")
      }
      #expect(try await Tool.run("network", "--clear", "--yes").code != 0, "of a log on the device only")
      #expect(try await Tool.run("network", "--log", path, "--json").lines.count == Self.story().count)
      let cleared = try await Tool.run("network", "--log", path, "--clear", "--yes", "--json")
      #expect(try JSON(text: cleared.output)["cleared"]?.int == Self.story().count)
      #expect(writer.record(Self.exchange(1, "GET", "https://h/later", 200, 1)))
      let list = try await Tool.run("network", "--log", path, "--json")
      #expect(try list.lines.map { try JSON(text: String($0))["url"] } == ["https://h/later"])
    }
  }

  @Test func `one is shown, as a command line and as an archive`() async throws {
    try await withLog { path, _ in
      let list = try await Tool.run("network", "--log", path, "--json", "--status", "503")
      let whole = try #require(try JSON(text: list.output)["id"]?.string)
      for name in [whole, String(Self.start + 1000)] {
        let shown = try await Tool.run("network", name, "--log", path)
        #expect(shown.code == 0 && shown.output.contains("https://api.shop.example/v1/pay?a=1"), "\(shown.errors)")
        #expect(!shown.output.contains("\u{1B}"))
      }
      let curl = try await Tool.run("network", whole, "--curl", "--log", path)
      #expect(curl.output.contains("--data-raw '{\"n\":1}'"))
      let archive = try await Tool.run("export", "har", "--log", path, "--limit", "3")
      #expect(try JSON(text: archive.output)["log"]?["entries"]?.array?.count == 3)
      for unknown in ["1", "x"] {
        #expect(try await Tool.run("network", unknown, "--log", path).code == 1)
      }
    }
  }

  @Test func `what is under way is listed, and what never ended when its app is gone`() async throws {
    try await withLog { path, writer in
      var begun = HTTPExchange(
        id: "open", startedAt: Self.start + 9000, method: "POST", url: "https://api.shop.example/v1/hangs")
      writer.begin(begun)
      begun.id = "quick"
      writer.begin(begun)
      begun.statusCode = 201
      #expect(writer.record(begun))
      func shown(_ arguments: [String]) async throws -> String {
        try await Tool.run(["network", "--log", path] + arguments).output
      }
      let open = try await shown(["--status", "unfinished", "--json"])
      let json = try JSON(text: open)
      #expect(json["unfinished"]?.bool == true && json["underWay"]?.bool == true)
      #expect(try await shown(["--status", "unfinished"]).contains("under way"))
      #expect(try await shown(["--json"]).split(separator: "\n").count == Self.story().count + 2)
      #expect(try await shown(["--json", "--errors"]).split(separator: "\n").count == 2)
      #expect(try await shown(["--json", "--status", "none"]).split(separator: "\n").count == 2)
      let name = try #require(json["id"]?.string)
      #expect(try await shown([name]).contains("under way: no response yet"))
      writer.closeAndWait()
      // Another process cannot know that a log was closed, as long as its writer's process runs; this one does.
      let requests = try LogRequests(path: path)
      let list = try await requests.requests(try RequestFilter.parse([]), slowest: false, limit: 100)
      #expect(list.compactMap(\.unfinished) == ["app ended"] && !list.contains { $0.unfinished != nil && $0.hasFailed })
      #expect(try await requests.exchange(name).isUnderWay == false)
      #expect(try await shown([name, "--curl"]).contains("if it had a body, it is not here"))
      let archive = try JSON(text: try await Tool.run("export", "har", "--log", path).output)
      #expect(archive["log"]?["entries"]?.array?.count == Self.story().count + 2)
      let last = archive["log"]?["entries"]?.array?.first { $0["_requestId"] == "open" }
      #expect(last?["response"]?["status"]?.int == 0 && last?["response"]?["comment"]?.string != nil)
    }
  }

  @Test(.timeLimit(.minutes(2))) func `what the app adds is listed while one looks`() async throws {
    try await withLog { path, writer in
      let follow = try Tool.start(["network", "-f", "--log", path, "--json", "--limit", "2", "--errors"])
      defer { if follow.process.isRunning { follow.process.terminate() } }
      #expect(try #require(await follow.errors.line()).contains("Waiting for requests"))
      #expect(writer.record(Self.exchange(9, "GET", "https://h/fine", 200, 1)))
      // Told of when it has ended.
      writer.begin(Self.exchange(10, "GET", "https://h/second", 404, 1))
      // Began before one that is there already.
      #expect(writer.record(Self.exchange(1, "GET", "https://h/first", 500, 1)))
      let line = try #require(await follow.output.line())
      #expect(try JSON(text: line)["url"] == "https://h/first")
      #expect(writer.record(Self.exchange(10, "GET", "https://h/second", 404, 1)))
      let second = try #require(await follow.output.line())
      #expect(try JSON(text: second)["url"] == "https://h/second")
      #expect(await follow.output.line() == nil)
      follow.process.waitUntilExit()
      #expect(follow.process.terminationStatus == 0)
    }
  }

  @Test(arguments: [
    ("/v1/orders", "/v1/*", true), ("/v1/", "/v1/*", true), ("/v2/a", "/v1/*", false), ("", "*", true), ("", "", true),
    ("abc", "a?c", true), ("ac", "a?c", false), ("aXbXc", "a*b*c", true), ("abcb", "a*b", true), ("a", "", false),
    (String(repeating: "a", count: 2000), "*a*a*a*a*a*b", false),
  ])
  func `patterns match whole paths`(text: String, pattern: String, matches: Bool) {
    #expect(Wildcard.matches(text, pattern) == matches)
  }
}
