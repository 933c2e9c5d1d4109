import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Requests from the command line` {
  private static func request(
    _ method: String, _ url: String, _ status: Int?, _ duration: Double, _ more: [String: JSON] = [:],
    session: String = "11111111-AAAA"
  ) -> JSON {
    var members: [String: JSON] = ["method": .string(method), "url": .string(url), "durationMs": .number(duration)]
    if let status { members["statusCode"] = JSON(status) }
    return Served.event("network_request", .object(members.merging(more) { $1 }), session: session)
  }

  private static let story = [
    request("GET", "http://api.shop.example/v1/menu?section=\u{1B}[31m", 200, 40),
    request(
      "POST", "http://api.shop.example/v1/pay", 503, 1234.5,
      [
        "tracerId": "conv-7", "requestHeaders": ["Content-Type": "application/json"], "requestBody": "{\"n\":1}",
        "requestBodySize": 7, "responseBody": "no service \u{1B}[2J", "responseBodySize": 12,
      ]),
    request("GET", "http://img.shop.example/a.png", nil, 60_000, ["error": "timed out"], session: "22222222-BBBB"),
    Served.event("log", ["message": "nothing"]),
  ]

  private func number(_ served: Served, _ arguments: String...) async throws -> String {
    let list = try await Tool.run(["network", "--json", "--url", served.url] + arguments)
    let line = try #require(list.lines.first)
    return try #require(try JSON(text: String(line))["id"]?.text)
  }

  @Test(arguments: [60, 80, 200])
  func `requests are listed, and fit the terminal`(width: Int) async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      for arguments in [["network"], ["network", "--slowest"], ["network", "--stats"]] {
        let list = try await Tool.run(arguments + ["--url", served.url], environment: ["COLUMNS": "\(width)"])
        #expect(list.code == 0, "\(list.errors)")
        #expect(list.lines.count == 4, "\(list.output)")
        #expect(!list.output.contains("\u{1B}"))
        #expect(list.lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(list.output)")
      }
      let slowest = try await Tool.run("network", "--slowest", "--url", served.url, environment: ["COLUMNS": "200"])
      #expect(slowest.lines[1].contains("img.shop.example/a.png · timed out") && slowest.lines[1].contains("1 min"))
      #expect(slowest.lines[2].contains("conv-7") && slowest.lines[2].contains("503"))
    }
  }

  @Test func `options narrow the list`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let expected: [([String], Int)] = [
        (["--errors"], 2), (["--status", "5xx"], 1), (["--status", "none,200"], 2), (["--method", "post"], 1),
        (["--host", "*.shop.example", "--path", "/v1/*"], 2), (["--slower-than", "1s"], 2),
        (["--tracer", "conv-7"], 1),
        (["--grep", "service"], 1), (["--session", "2222"], 1), (["--session", "latest", "--mocked"], 0),
        (["--since", "2026-09-20"], 3), (["--since", "1h"], 0), (["--until", "1h"], 3), (["--limit", "2"], 2),
        (["--app", "nobody"], 0),
      ]
      for (options, count) in expected {
        let list = try await Tool.run(["network", "--json", "--url", served.url] + options)
        #expect(list.code == 0 && list.lines.count == count, "\(options): \(list.output)\(list.errors)")
      }
      for wrong in [
        ["--status", "bad"], ["--slower-than", "soon"], ["--since", "then"], ["--curl"], ["-f", "--stats"],
      ] {
        #expect(try await Tool.run(["network", "--url", served.url] + wrong).code == 2, "\(wrong)")
      }
    }
  }

  @Test func `one request is shown, as a command line and as an archive`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let id = try await number(served, "--status", "503")
      let shown = try await Tool.run("network", id, "--url", served.url)
      #expect(shown.code == 0 && shown.output.contains("http://api.shop.example/v1/pay"), "\(shown.errors)")
      #expect(shown.output.contains("503") && !shown.output.contains("\u{1B}"))
      let curl = try await Tool.run("network", id, "--curl", "--url", served.url)
      #expect(curl.output.contains("curl 'http://api.shop.example/v1/pay'"))
      let archive = try await Tool.run("network", id, "--har", "-", "--url", served.url)
      #expect(try JSON(text: archive.output)["log"]?["entries"]?.array?.count == 1)
      for unknown in ["9999", "x"] {
        #expect(try await Tool.run("network", unknown, "--url", served.url).code == 1)
      }
    }
  }

  @Test func `requests and events are exported to files`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await Served.with { served in
      try await served.deliver(Self.story)
      let file = directory.appending(path: "a.har")
      for (arguments, count) in [
        (["network", "--har", file.path, "--errors"], 2), (["export", "har", "-o", file.path], 3),
        (["export", "har", "2222", "-o", file.path], 1), (["export", "har", "--limit", "2", "-o", file.path], 2),
        (["export", "har", "--path", "/none", "-o", file.path], 0),
      ] {
        let export = try await Tool.run(arguments + ["--url", served.url])
        #expect(export.code == 0 && export.output.isEmpty, "\(export.errors)")
        let archive = try JSON(text: String(contentsOf: file, encoding: .utf8))
        #expect(archive["log"]?["entries"]?.array?.count == count)
        let size = try #require(FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
        let what = count == 1 ? "1 request" : "\(count) requests"
        #expect(export.errors == "Saved \(what) to \(file.path) (\(Format.bytes(size)))\n")
      }
      let told = try await Tool.run("export", "har", "-o", file.path, "--json", "--url", served.url)
      #expect(try JSON(text: told.output)["requests"] == 3 && told.errors.isEmpty)
      // What goes into a pipe is the archive alone.
      #expect(try await Tool.run("export", "har", "--url", served.url).errors.isEmpty)
      // What fails leaves the file as it was, and nothing beside it.
      #expect(try await Tool.run("export", "har", "--session", "none", "-o", file.path, "--url", served.url).code == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.har"])
      #expect(try await Tool.run("export", "har", "-o", "/nowhere/a", "--url", served.url).code == 2)

      let lines = try await Tool.run("export", "ndjson", "1111", "--url", served.url)
      #expect(lines.lines.count == 3 && lines.lines.allSatisfy { (try? JSON(text: String($0))) != nil })
      let some = try await Tool.run(
        "export", "ndjson", "--type", "network_request", "--limit", "2", "--url", served.url)
      #expect(some.lines.count == 2)
    }
  }

  @Test(.timeLimit(.minutes(2))) func `what arrives is listed while one looks, if it matches`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let follow = try Tool.start(["network", "-f", "--url", served.url, "--json", "--limit", "2", "--errors"])
      defer { if follow.process.isRunning { follow.process.terminate() } }
      #expect(try #require(await follow.errors.line()).contains("Waiting for requests"))
      try await served.deliver([
        Self.request("GET", "http://h/first", 500, 1), Self.request("GET", "http://h/fine", 200, 1),
        Self.request("GET", "http://h/second", 404, 1),
      ])
      for path in ["/first", "/second"] {
        let line = try #require(await follow.output.line())
        #expect(try JSON(text: line)["path"] == .string(path))
      }
      #expect(await follow.output.line() == nil)
      follow.process.waitUntilExit()
      #expect(follow.process.terminationStatus == 0)
    }
  }

  private static let moments: [(String, Int64?)] = [
    ("30m", 998_200_000), ("2h", 992_800_000), ("1d", 913_600_000), ("1970-01-02T00:00:00Z", 86_400_000),
    ("then", nil), ("", nil), ("-5m", nil), ("1e999d", nil),
  ]

  @Test(arguments: moments)
  func `moments are so long ago, or dates`(text: String, milliseconds: Int64?) {
    #expect(Moment(text, now: 1_000_000_000)?.milliseconds == milliseconds)
  }
}
