import AsyncHTTPClient
import AutoMobileCollector
import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation
import NIOCore
import Testing

@testable import automobile

/// A real terminal, a real collector, and data that would take the terminal over, in every field of every command.
@Suite(.serialized) struct `A terminal that recorded text wants to take over` {
  /// Clears the screen, sets the title, asks the terminal to type, hides, turns around, and all as C1 too.
  private static let hostile =
    "a\u{1B}[2J\u{1B}]0;owned\u{7}\u{1B}P+q\u{1B}\\\u{1B}[6n\u{9B}2J\u{9D}0;x\u{9C}\u{85}\u{7F}\u{8}"
    + "\u{8}\r\u{0B}\u{0C}\u{E}"
    + "\u{202E}txt\u{2066}\u{2069}\u{200E}\u{200B}\u{FEFF}\u{2028}\u{E0041}\u{1B}[31mred\u{1B}[0mz"
  private static let bundle = "com.example.cli"

  private static let story: [JSON] = {
    let text = JSON.string(hostile)
    let headers: JSON = [
      "X-Tab\t": text, "X-Evil": text, "X-C1": .string("\u{9B}2J\u{202E}"), hostile: "x", "Accept": "\u{85}a",
    ]
    let members: [(String, JSON)] = [
      ("navigation", ["destination": text, "source": text, "arguments": [hostile: text]]),
      ("log", ["level": 6, "message": text, "tag": text, "filterName": text]),
      (
        "network_request",
        [
          "url": .string("http://\(hostile)/p\u{1B}[2J?q=\(hostile)"), "method": text, "statusCode": 503, "error": text,
          "durationMs": 12, "requestHeaders": headers, "responseHeaders": headers, "requestBody": text,
          "responseBody": text, "contentType": text, "protocol": text, "host": text, "path": text,
        ]
      ),
      ("websocket_frame", ["connectionId": text, "url": text, "payload": text, "direction": text]),
      ("custom", ["name": text, "properties": [hostile: text]]),
      ("custom", ["name": "App Launch", "properties": ["kind": text, "totalMs": 700]]),
      ("custom", ["name": "Frames", "properties": ["screen": text, "frames": 100, "slow": 3, "worstMs": 9]]),
      ("storage_changed", ["suiteName": text, "key": text, "value": text, "valueType": text]),
      ("os_event", ["name": text, "details": [hostile: text]]),
      ("handled_exception", crashMembers), ("crash", crashMembers), ("hang", ["durationMs": 2500, "stackTrace": text]),
      (hostile, ["anything": text]),
    ]
    return members.map { type, members in
      let event = Served.event(type, members, user: hostile, at: WallClock.now)
      var object = event.object ?? [:]
      object["context"] = [
        "sessionId": "11111111-AAAA", "userId": text, "appVersion": text, "bundleId": .string(bundle),
        "buildNumber": text, "tags": [hostile: text],
        "device": ["model": text, "systemName": text, "osVersion": text],
      ]
      return .object(object)
    }
  }()

  private static let crashMembers: JSON = {
    let text = JSON.string(hostile)
    let frames: JSON = [
      ["address": "0x5010", "image": 0, "offset": "0x1010", "symbol": text, "trust": "context"],
      ["address": "0x5020", "image": 0, "offset": "0x1020", "symbol": text, "file": text, "line": 3],
    ]
    let report: JSON = [
      "format": 1, "kind": "signal", "process": ["name": text, "pid": 4],
      "signal": ["number": 11, "name": text, "codeName": text, "address": "0x0"],
      "threads": [["name": text, "crashed": true, "frames": frames]],
      "images": [["name": text, "path": text, "uuid": "aabbccddee", "base": "0x4000", "size": 65536]],
    ]
    return [
      "errorDomain": text, "errorMessage": text, "stackTrace": text, "appVersion": text, "bundleId": .string(bundle),
      "report": report,
    ]
  }()

  /// What is left when the program's own colours are taken away must be harmless.
  private static func check(_ result: PseudoTerminal.Result, isColoured: Bool, _ command: [String]) {
    let what = command.joined(separator: " ")
    guard let text = String(validating: result.bytes, as: UTF8.self) else {
      Issue.record("\(what): no UTF-8, so C1 controls may be in it")
      return
    }
    let own = #"\x1B\[(0|1|2|3[1-6])m"#
    let rest = isColoured ? text.replacingOccurrences(of: own, with: "", options: .regularExpression) : text
    let unsafe = rest.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && Printable.isUnsafe($0) }
    #expect(unsafe.isEmpty, "\(what): \(unsafe.map { String($0.value, radix: 16) })")
    // A recorded colour is shown, not obeyed.
    #expect(!text.contains("\u{1B}[31mred"), "\(what)")
  }

  private static func post(_ served: Served, _ path: String, _ body: Data) async throws -> JSON {
    var request = HTTPClientRequest(url: served.url + path)
    request.method = .POST
    request.headers.add(
      name: "Content-Type", value: path.hasPrefix("api/symbols") ? "application/octet-stream" : "application/json")
    request.body = .bytes(ByteBuffer(data: body))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let answer = try await response.body.collect(upTo: 1 << 20)
    return try JSON(text: String(buffer: answer))
  }

  /// The first thing's number in a list.
  private static func first(_ command: [String], _ served: Served) async throws -> String {
    let list = try await Tool.run(command + ["--url", served.url])
    let line = try #require(list.lines.first, "\(command): \(list.errors)")
    let json = try JSON(text: String(line))
    return try #require(json["id"] ?? json["event"]).text
  }

  /// Every command that reads, with names that it is given.
  private static func commands(_ served: Served) async throws -> [[String]] {
    let request = try await first(["network", "--json"], served)
    let issue = try await first(["issues", "--json"], served)
    let report = try await first(["crashes", "--json"], served)
    let plain = [
      ["sessions"], ["searches"], ["show"], ["show", "latest"], ["network"], ["network", "--slowest"],
      ["network", "--stats"], ["network", request], ["network", request, "--har", "-"], ["network", "--har", "-"],
      ["network", request, "--curl"], ["issues"], ["issues", issue], ["crashes"], ["symbolicate", report],
      ["symbolicate", report, "--format", "ips"], ["symbolicate", report, "--format", "json"], ["health"],
      ["projects"], ["keys"], ["symbols"], ["symbols", "list"], ["retention"], ["config"], ["config", "show", "*"],
      ["mock", "list", "*"], ["command"], ["doctor"], ["export", "ndjson"], ["export", "har"],
      ["tail", "--count", "3"], ["network", "-f", "--limit", "1"],
      ["show", hostile], ["issues", hostile], ["sessions", "--app", hostile], ["network", "--host", hostile],
      ["db", hostile], ["defaults", hostile], ["symbolicate", hostile], ["import", hostile], [hostile],
      ["sessions", "--limit", hostile], ["export", "har", "-o", "/\(hostile)/x"], ["export", "session", hostile],
      ["sessions", "--key-file", "/\(hostile)"],
    ]
    let json = [
      "sessions", "searches", "show", "network", "issues", "crashes", "health", "projects", "keys", "symbols",
    ].map { [$0, "--json"] }
    return plain + json
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `no control of an app reaches it, whichever command is run`(isColoured: Bool) async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      for (path, body) in [
        ("api/searches", ["name": .string("x" + Self.hostile.filter { $0 != "\0" }), "address": "#/?q=a"] as JSON),
        ("api/keys", ["role": "viewer", "name": .string(Self.hostile)]),
        ("api/projects", ["bundleId": "com.example.project", "name": .string(Self.hostile)]),
      ] { _ = try await Self.post(served, path, JSONEncoder().encode(body)) }
      let name = try #require(Self.hostile.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      _ = try await Self.post(served, "api/symbols?name=\(name)", Data(contentsOf: Tool.path))

      for command in try await Self.commands(served) {
        let streams = command.contains("-f") || command.first == "tail"
        let needsNothing = command == [Self.hostile]
        async let delivery: Void = streams ? Self.goOn(served) : ()
        let result = try await PseudoTerminal.run(
          command + (needsNothing ? [] : ["--url", served.url]), isColoured: isColoured)
        try await delivery
        // Names with controls are refused by the collector itself, so there may be none to list.
        let mayBeEmpty = ["searches", "keys", "projects"].contains(command.first)
        #expect(!result.bytes.isEmpty || mayBeEmpty, "\(command)")
        Self.check(result, isColoured: isColoured, command)
      }
    }
  }

  /// Delivers until whoever follows must have seen some.
  private static func goOn(_ served: Served) async throws {
    for _ in 0..<6 { try await served.deliver(story) }
  }

  @Test func `an app's database, preferences and log on the device reach it no better`() async throws {
    try await Served.with { served in
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: true)
      defer { app.kill() }
      try await app.openStorage()
      let deadline = ContinuousClock.now + .seconds(60)
      while try await Tool.run("command", "--url", served.url, "--json").lines.isEmpty {
        try #require(ContinuousClock.now < deadline, "the app does not listen")
      }
      let bundle = RecordingApp.bundle
      for command in [
        ["defaults", bundle, "set", "k\(Self.hostile)", Self.hostile], ["defaults", bundle],
        ["defaults", bundle, "suites"], ["db", bundle], ["db", bundle, "rows", "shop.sqlite", "orders"],
        ["db", bundle, "schema", "shop.sqlite", "orders"],
        ["db", bundle, "query", "shop.sqlite", "SELECT '\(Self.hostile)' AS \"\(Self.hostile)\""],
        ["db", bundle, "query", "shop.sqlite", "SELEC \(Self.hostile)"], ["command"],
      ] {
        let result = try await PseudoTerminal.run(command + ["--url", served.url])
        Self.check(result, isColoured: false, command)
      }
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let writer = try NetworkLogWriter(NetworkLogDirectory(directory), owner: "test")
    var exchange = HTTPExchange(
      id: "r-1", startedAt: WallClock.now, method: Self.hostile, url: "http://h/\(Self.hostile)")
    exchange.requestHeaders = ["X-Evil": "\u{9B}2J\u{202E}", Self.hostile: Self.hostile]
    exchange.requestBody = HTTPBody(bytes: Data(Self.hostile.utf8), size: Self.hostile.utf8.count)
    exchange.error = HTTPFailure(message: Self.hostile)
    #expect(writer.record(exchange))
    for command in [[], ["--stats"], ["--har", "-"], ["r-1"], ["r-1", "--curl"], ["r-1", "--har", "-"], ["--json"]] {
      let command = ["network", "--log", directory.path] + command
      Self.check(try await PseudoTerminal.run(command), isColoured: false, command)
    }
    writer.closeAndWait()
  }

  @Test func `into a pipe the same data goes as it is`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let lines = try await Tool.run("export", "ndjson", "--type", "log", "--url", served.url)
      let line = try #require(lines.lines.first)
      let event = try JSON(text: String(line))
      #expect((event["payload"] ?? event)["message"]?.string == Self.hostile || lines.output.contains("owned"))
      let report = try await Self.first(["crashes", "--json"], served)
      let text = try await Tool.run("symbolicate", report, "--url", served.url, "--format", "ips")
      #expect(text.code == 0 && !text.output.isEmpty)
    }
  }

  @Test func `what cannot be started is named without its controls`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID().uuidString)\u{1B}[2J")
    defer { try? FileManager.default.removeItem(at: directory) }
    // Not started: the directory is a file, and its name is in what is said.
    _ = FileManager.default.createFile(atPath: directory.path, contents: nil)
    let result = try await PseudoTerminal.run(["serve", "--port", "0", "--data", directory.path + "/below"])
    #expect(result.code == 2)
    Self.check(result, isColoured: false, ["serve"])
  }
}
