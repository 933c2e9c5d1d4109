import AutoMobileJournal
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

@Suite struct `What people write down about issues` {
  static func failure(
    _ message: String, at timestamp: Int, fingerprint: String? = nil, bundle: String = "dev.example.shop"
  ) -> String {
    """
    {"eventType":"handled_exception","timestamp":\(timestamp),"errorDomain":"Shop.Failure","customMessage":"\(message)","stackTrace":"",\
    "bundleId":"\(bundle)","appVersion":"2.1","currentScreen":"Checkout","contextId":1\(fingerprint.map { ",\"fingerprint\":\"\($0)\"" } ?? "")}
    """
  }

  /// The issues of these messages, by title.
  private static func issues(
    _ collector: RunningCollector, _ messages: [String], query: String = ""
  ) async throws -> [String: JSONValue] {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1", user: "mira")
    for (index, message) in messages.enumerated() { batch.add(.event, failure(message, at: 1000 + index)) }
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: messages.count)
    return try await named(collector, query)
  }

  private static func named(_ collector: RunningCollector, _ query: String = "?status=all") async throws -> [String:
    JSONValue]
  {
    let issues = try await collector.json("/api/issues\(query)")["issues"].array
    return Dictionary(issues.map { ($0["title"].string ?? "", $0) }) { first, _ in first }
  }

  private static func send(
    _ collector: RunningCollector, _ method: HTTPMethod, _ path: String, _ body: String, author: String? = "Lea%20M"
  ) async throws -> RunningCollector.Answer {
    try await collector.send(
      method, path,
      headers: [("Content-Type", "application/json"), ("User-Agent", "Mozilla/5.0")]
        + (author.map { [("X-AutoMobile-Author", $0)] } ?? []), body: ByteBuffer(string: body))
  }

  @Test func `an issue has an assignee, a link and comments, and its history says who changed what`() async throws {
    try await RunningCollector.with { collector in
      let issues = try await Self.issues(collector, ["The payment failed", "No points were added"])
      #expect(issues.count == 2)
      let path = "/api/issues/\(issues["The payment failed"]?["id"].string ?? "")"
      #expect(
        try await Self.send(collector, .PUT, path + "/assignee", #"{"assignee":"Tom"}"#).json()["assignee"].string
          == "Tom")
      #expect(
        try await Self.send(collector, .PUT, path + "/link", #"{"link":"https://tracker.example/7"}"#).status == 200)
      #expect(try await Self.send(collector, path: path + "/comments", #"{"text":"Seen\nagain"}"#).status == 200)
      let resolved = try await Self.send(
        collector, .PUT, path + "/status", #"{"status":"resolved","version":"2.2"}"#, author: nil)
      #expect(try resolved.json()["changedBy"].string == "Somebody on this machine")
      let issue = try await collector.json(path)
      #expect(issue["link"].string == "https://tracker.example/7" && issue["users"].int == 1)
      #expect(issue["history"].array.map { $0["what"].string } == ["status", "comment", "link", "assignee"])
      #expect(issue["history"].array.dropFirst().allSatisfy { $0["by"].string == "Lea M" })
      #expect(issue["history"].array[1]["value"]["text"].string == "Seen\nagain")
      #expect(issue["reports"].array.first?["screen"].string == "Checkout")
      #expect(try await Self.named(collector, "?status=all&assignee=Tom").keys.sorted() == ["The payment failed"])
      // Nobody any more.
      #expect(
        try await Self.send(collector, .PUT, path + "/assignee", #"{"assignee":null}"#).json()["assignee"].string == nil
      )
    }
  }

  @Test func `the last decision is taken back, once`() async throws {
    try await RunningCollector.with { collector in
      let issues = try await Self.issues(collector, ["The payment failed"])
      let path = "/api/issues/\(issues["The payment failed"]?["id"].string ?? "")"
      #expect(try await Self.send(collector, path: path + "/undo", "{}").status == 409)
      _ = try await Self.send(collector, .PUT, path + "/status", #"{"status":"resolved","after":"2.1"}"#)
      _ = try await Self.send(collector, .PUT, path + "/status", #"{"status":"ignored"}"#)
      let back = try await Self.send(collector, path: path + "/undo", "{}").json()
      #expect(back["status"].string == "resolved" && back["resolvedAfter"].string == "2.1")
      #expect(back["history"].array.map { $0["what"].string } == ["undone", "status", "status"])
      #expect(try await Self.send(collector, path: path + "/undo", "{}").status == 409)
      // What was open before is open again, as if nothing had been.
      _ = try await Self.send(collector, .PUT, path + "/status", #"{"status":"open"}"#)
      let open = try await Self.send(collector, .PUT, path + "/status", #"{"status":"resolved"}"#)
      #expect(try open.json()["status"].string == "resolved")
      #expect(try await Self.send(collector, path: path + "/undo", "{}").json()["status"].string == "open")
    }
  }

  @Test(arguments: [
    ("PUT", "/link", #"{"link":"javascript:alert(1)"}"#), ("PUT", "/link", #"{"link":"https://"}"#),
    ("PUT", "/link", #"{"link":"https://a b"}"#), ("PUT", "/assignee", #"{}"#),
    ("PUT", "/assignee", #"{"assignee":7}"#),
    ("PUT", "/assignee", "{\"assignee\":\"\(String(repeating: "x", count: 81))\"}"),
    ("POST", "/comments", #"{"text":"  "}"#),
    ("POST", "/comments", "{\"text\":\"\(String(repeating: "x", count: 4001))\"}"),
    ("POST", "/merge", #"{"issues":[]}"#),
    ("POST", "/merge", #"{"issues":[7]}"#), ("POST", "/split", "{}"), ("PUT", "/status", #"{"status":"gone"}"#),
  ])
  func `what makes no sense is refused with what would`(method: String, path: String, body: String) async throws {
    try await RunningCollector.with { collector in
      let issues = try await Self.issues(collector, ["The payment failed"])
      let name = issues["The payment failed"]?["id"].string ?? ""
      let refused = try await Self.send(collector, HTTPMethod(rawValue: method), "/api/issues/\(name)\(path)", body)
      #expect(refused.status == 400, "\(refused.text)")
      let nobody = try await Self.send(collector, HTTPMethod(rawValue: method), "/api/issues/nothing\(path)", body)
      #expect([400, 404].contains(nobody.status))
      #expect(try await collector.json("/api/issues/\(name)")["history"].array.isEmpty)
    }
  }

  @Test(
    arguments: [
      (nil, nil, "127.0.0.1", "Somebody on this machine"), (nil, nil, "10.0.0.7", "Somebody at 10.0.0.7"),
      (nil, "release team", "10.0.0.7", "release team"), ("Lea", nil, "::1", "Lea"),
      ("Lea", "release team", "::1", "Lea (release team)"),
      ("J%C3%BCrgen", nil, "::1", "Jürgen"), ("%0A%E2%80%AE", nil, "::1", "Somebody on this machine"),
      ("%", nil, "::1", "Somebody on this machine"),
    ] as [(String?, String?, String, String)])
  func `who changes something has a name`(claim: String?, key: String?, address: String, text: String) {
    #expect(Author.text(claim: claim, key: key, address: address) == text)
  }

  @Test(arguments: [
    ("127.0.0.1 Mozilla/5.0 (X11; Linux)", "Somebody on this machine"),
    ("10.0.0.7 release team Mozilla/5.0", "release team"),
    ("::1 automobile/0.1.0 (lea)", "lea"), ("Lea", "Lea"), ("", ""),
  ])
  func `what was noted down before there were names gets one`(before: String, after: String) {
    #expect(Author.named(before: before) == after)
  }

  @Test func `a project's tracker is a template of known names, and of nothing that could be a script`() async throws {
    try await RunningCollector.with { collector in
      let issues = try await Self.issues(collector, ["The payment & co failed"])
      let path = "/api/issues/\(issues.values.first?["id"].string ?? "")"
      let made = try await Self.send(
        collector, path: "/api/projects", #"{"name":"Shop","bundleId":"dev.example.shop"}"#)
      let project = "/api/projects/\(try made.json()["id"].int ?? 0)"
      for wrong in ["javascript:{url}", "https://x/{secret}", "https://x/{title", "ftp://x", ""] {
        #expect(try await Self.send(collector, .PUT, project, "{\"tracker\":\"\(wrong)\"}").status == 400, "\(wrong)")
      }
      #expect(try await collector.json(path)["trackerUrl"].string == nil)
      #expect(
        try await Self.send(
          collector, .PUT, project, #"{"tracker":"https://t.example/new?t={title}&v={version}&u={url}"}"#
        ).status == 200)
      #expect(
        try await collector.json(path)["trackerUrl"].string
          == "https://t.example/new?t=The%20payment%20%26%20co%20failed&v=2.1&u={url}")
      #expect(try await collector.json("/api/projects")["projects"][0]["name"].string == "Shop")
      #expect(try await Self.send(collector, .PUT, project, #"{"tracker":null}"#).status == 200)
      #expect(try await collector.json(path)["trackerUrl"].string == nil)
    }
  }
}

extension `What people write down about issues` {
  fileprivate static func send(
    _ collector: RunningCollector, path: String, _ body: String
  ) async throws -> RunningCollector.Answer {
    try await send(collector, .POST, path, body)
  }
}
