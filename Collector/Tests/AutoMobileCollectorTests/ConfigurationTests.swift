import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

@Suite struct `Configuration documents` {
  private func tell(_ collector: RunningCollector, _ bundle: String, tag: String? = nil) async throws
    -> RunningCollector.Answer
  {
    try await collector.send(
      .GET, "/sdk-config?bundleId=\(bundle)&launchId=x", headers: tag.map { [("If-None-Match", $0)] } ?? [])
  }

  @Test func `without any document an app is told nothing, under a tag`() async throws {
    try await RunningCollector.with { collector in
      let answer = try await tell(collector, "a")
      #expect(answer.status == 200)
      #expect(try answer.json()["version"].int == 0)
      let issuer = try #require(try answer.json()["issuer"].string)
      let tag = "0-\(issuer.prefix(8))"
      #expect(answer.headers["ETag"] == ["\"\(tag)\""])
      #expect(answer.headers["X-AutoMobile-Config"] == [tag])
      for candidate in ["\"\(tag)\"", "W/\"\(tag)\"", "\"x\", \"\(tag)\""] {
        let again = try await tell(collector, "a", tag: candidate)
        #expect(again.status == 304)
        #expect(again.body.readableBytes == 0)
      }
      #expect(try await tell(collector, "a", tag: "\"other\"").status == 200)
    }
  }

  @Test func `a document is laid over the one for all, and what is off in either is off`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put("*", #"{"sampling":{"sessionRate":0.5},"capture":{"bodies":false,"headers":true}}"#)
      let rule = #"{"id":"x","respond":{"status":204}}"#
      try await collector.put("a", #"{"capture":{"bodies":true},"mocks":[\#(rule)],"recording":{"enabled":true}}"#)
      let a = try await tell(collector, "a").json()
      #expect(a["version"].int == 2)
      #expect(a["sampling"]["sessionRate"] == .number(0.5))
      #expect(a["capture"]["bodies"].bool == true && a["capture"]["headers"].bool == true)
      #expect(a["mocks"][0]["id"].string == "x")
      let other = try await tell(collector, "b").json()
      #expect(other["version"].int == 1)
      #expect(other["mocks"] == .null)
      try await collector.put("*", #"{"recording":{"enabled":false}}"#)
      #expect(try await tell(collector, "a").json()["recording"]["enabled"].bool == false)
      #expect(try await tell(collector, "a").json()["version"].int == 3)
      #expect(try await tell(collector, "b").json()["recording"]["enabled"].bool == false)
    }
  }

  @Test func `every answer to a delivery names the app's document`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put("dev.example.other", #"{"recording":{"enabled":false}}"#)
      let own = try await tell(collector, "dev.example.other").headers["X-AutoMobile-Config"]
      let general = try await tell(collector, "dev.example.shop").headers["X-AutoMobile-Config"]
      #expect(own != general)
      #expect(try await collector.post(envelope: envelope([])).headers["X-AutoMobile-Config"] == own)
      var batch = RawBatch()
      batch.addLog("a", context: nil)
      #expect(try await collector.post(raw: batch).headers["X-AutoMobile-Config"] == general)
      // Also when it brings nothing new.
      #expect(try await collector.post(raw: batch).headers["X-AutoMobile-Config"] == general)
    }
  }

  @Test func `what was written survives the collector, with who wrote it and when`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.put("a", #"{"recording":{"enabled":false},"later":{"x":[1,2.5,null,"ü"]}}"#)
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let answer = try await collector.json("/api/config/a")
      #expect(answer["version"].int == 1)
      #expect(answer["document"]["later"]["x"] == .list([.number(1), .number(2.5), .null, .text("ü")]))
      #expect(answer["changedBy"].string == "Somebody on this machine")
      #expect(answer["effective"]["recording"]["enabled"].bool == false)
      #expect(try await tell(collector, "a").json()["recording"]["enabled"].bool == false)
      try await collector.put("a", "{}")
      let history = try await collector.json("/api/config/a/history")["changes"].array
      #expect(history.map(\.["version"].int) == [2, 1])
      #expect(history.last?["document"]["recording"]["enabled"].bool == false)
      #expect(try await collector.json("/api/config")["documents"].array.map(\.["bundleId"].string) == ["a"])
    }
  }

  @Test func `a version that is sent along guards against overwriting what somebody else wrote`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put("a", #"{"version":0,"capture":{}}"#)
      try await collector.put("a", #"{"version":1,"issuer":"whatever","capture":{"x":1}}"#)
      let late = try await collector.tryPut("a", #"{"version":1,"capture":{"x":2}}"#)
      #expect(late.status == 409)
      #expect(late.errorCode == "conflict")
      #expect(try await collector.json("/api/config/a")["document"]["capture"]["x"].int == 1)
      // Of writers at the same time each gets a version of its own, and one that expects the same version wins.
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for n in 0..<8 {
          group.addTask { try await collector.tryPut("a", #"{"version":2,"n":{"n":\#(n)}}"#).status }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 7))
    }
  }

  @Test(arguments: [
    ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_configuration"), ("7", "invalid_configuration"),
    (#"{"recording":true}"#, "invalid_configuration"), (#"{"recording":{"enabled":"no"}}"#, "invalid_configuration"),
    (#"{"sampling":{"sessionRate":1.01}}"#, "invalid_configuration"),
    (#"{"sampling":{"sessionRate":"0.5"}}"#, "invalid_configuration"),
    (#"{"control":{"checkSeconds":1}}"#, "invalid_configuration"), (#"{"version":"1"}"#, "invalid_configuration"),
    (#"{"":{}}"#, "invalid_configuration"), (#"{"x":1e999}"#, "invalid_json"),
    (#"{"x":"# + String(repeating: "[", count: 13) + String(repeating: "]", count: 13) + "}", "invalid_json"),
    (String(repeating: "[", count: 20_000), "invalid_json"),
    (#"{"x":""# + String(repeating: "y", count: 40_000) + #""}"#, "too_large"),
  ])
  func `what is no document is refused, with the reason`(body: String, code: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.tryPut("a", body)
      #expect(answer.errorCode == code)
      #expect((400..<500).contains(answer.status))
      #expect(try await collector.json("/api/config/a")["version"].int == 0)
    }
  }

  @Test func `a web page of another origin can neither write nor give commands`() async throws {
    try await RunningCollector.with { collector in
      let body = ByteBuffer(string: #"{"recording":{"enabled":false}}"#)
      for headers in [
        [("Origin", "https://evil.example"), ("Content-Type", "application/json")],
        [("Sec-Fetch-Site", "cross-site"), ("Content-Type", "application/json")],
        [("Host", "evil.example"), ("Content-Type", "application/json")],
        // What a form or a page without permission can send.
        [("Content-Type", "text/plain")], [("Content-Type", "application/x-www-form-urlencoded")], [],
      ] {
        let written = try await collector.send(.PUT, "/api/config/a", headers: headers, body: body).status
        #expect(written >= 400)
        let given = try await collector.send(.POST, "/api/commands", headers: headers, body: body).status
        #expect(given >= 400)
      }
      let version = try await collector.json("/api/config/a")["version"].int
      #expect(version == 0)
    }
  }

  @Test func `an app's key lets it ask, an operator's is needed to decide`() async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["app-key-1"]
      options.operatorKeys = ["operator-key-1"]
    } _: { collector in
      func status(_ method: HTTPMethod, _ path: String, _ key: String?) async throws -> Int {
        let headers = [("Content-Type", "application/json")] + (key.map { [("Authorization", "Bearer \($0)")] } ?? [])
        return try await collector.send(
          method, path, headers: headers, body: method == .GET ? nil : ByteBuffer(string: "{}")
        ).status
      }
      for path in ["/sdk-config?bundleId=a", "/sdk-commands?launchId=a&wait=0", "/api/config/a", "/api/commands"] {
        let nobody = try await status(.GET, path, nil)
        #expect(nobody == 401)
        let app = try await status(.GET, path, "app-key-1")
        #expect(app < 300)
        let decider = try await status(.GET, path, "operator-key-1")
        #expect(decider < 300)
      }
      for key in [nil, "app-key-1", "operator-key-2"] {
        let put = try await status(.PUT, "/api/config/a", key)
        #expect(put == 401)
        let post = try await status(.POST, "/api/commands", key)
        #expect(post == 401)
      }
      let own = try await status(.PUT, "/api/config/a", "operator-key-1")
      #expect(own == 200)
      let empty = try await status(.POST, "/api/commands", "operator-key-1")
      #expect(empty == 400)
      let result = try await status(.POST, "/sdk-commands/x/result", "app-key-1")
      #expect(result == 404)
    }
  }

  @Test func `a collector that other machines can reach lets nobody decide without an operator's key`() async throws {
    try await RunningCollector.with { options in
      options.host = "0.0.0.0"
      options.ingestKeys = ["app-key-1"]
    } _: { collector in
      let answer = try await collector.send(
        .PUT, "/api/config/a", headers: [("Content-Type", "application/json"), ("Authorization", "Bearer app-key-1")],
        body: ByteBuffer(string: "{}"))
      #expect(answer.status == 403)
      #expect(answer.errorCode == "no_operator_key")
    }
  }
}

extension RunningCollector {
  /// Writes a document, and expects that it is taken.
  func put(_ bundle: String, _ json: String) async throws {
    let answer = try await tryPut(bundle, json)
    try #require(answer.status == 200, "\(answer.text)")
  }

  func tryPut(_ bundle: String, _ json: String) async throws -> Answer {
    try await send(
      .PUT, "/api/config/\(bundle == "*" ? "%2A" : bundle)",
      headers: [("Content-Type", "application/json"), ("User-Agent", "a tester")], body: ByteBuffer(string: json))
  }
}
