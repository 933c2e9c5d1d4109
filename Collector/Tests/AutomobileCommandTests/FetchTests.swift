import Foundation
import Testing

@testable import automobile

/// The real collector, the real SDK in a process of its own that keeps what it records, and the command line between them.
@Suite(.serialized) struct `Fetching what is kept, end to end` {
  private func client(_ served: Served) throws -> CollectorClient {
    CollectorClient(url: try #require(URL(string: String(served.url.dropLast()))), key: "operator-1")
  }

  private func wait<T>(_ what: String, for body: () async throws -> T?) async throws -> T {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      if let found = try await body() { return found }
      try #require(ContinuousClock.now < deadline, "waited in vain for \(what)")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `a session that is kept comes whole when it is asked for while the app runs, and the accounts add up`()
    async throws
  {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let client = try client(served)
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: false, keeps: true)
      defer { app.kill() }
      try app.record(40)
      try app.flush()
      // Of the session there is a summary, and nothing else.
      let session = try await wait("the session") {
        try await client.get("/api/sessions")["sessions"]?.array?.first?["sessionId"]?.string
      }
      func events(_ type: String) async throws -> Int {
        try await client.get("/api/sessions/\(session)/events", [("type", type), ("limit", "200")])["events"]?.array?
          .count ?? 0
      }
      #expect(try await events("custom") == 0)
      #expect(try await events("session_summary") > 0)
      let before = try await app.wait { $0["upload"]?["isKeeping"] == true }
      #expect(before["upload"]?["asks"]?.array?.isEmpty == true)

      let start = ContinuousClock.now
      let fetched = try await Tool.run(
        "fetch", String(session.prefix(12)), "--reason", "Ticket 88", "--wait", "--url", served.url, "--key",
        "operator-1")
      #expect(fetched.code == 0 && fetched.output.contains("came: "), "\(fetched.output) \(fetched.errors)")
      #expect(ContinuousClock.now - start < .seconds(40))
      _ = try await wait("all events") { try await events("custom") == 40 ? true : nil }
      // What the app records from now on comes, too, and nothing twice.
      try app.record(2)
      _ = try await wait("what follows") { try await events("custom") == 42 ? true : nil }
      let status = try await app.wait { status in
        let recorded = status["recorded"]?.int ?? -1
        return recorded >= 42 && status["upload"]?["asks"]?.array?.count == 1
      }
      let launch = try await wait("the ledger") { () -> JSON? in
        let launch = try await client.get("/api/launches")["launches"]?.array?.first
        return launch?["stored"]?.int == status["recorded"]?.int ? launch : nil
      }
      #expect(launch["duplicates"]?.int ?? 0 == 0)

      let list = try await Tool.run("fetch", "--list", "--url", served.url, "--key", "operator-1")
      #expect(list.output.contains("Ticket 88") && list.output.contains("came"), "\(list.output)")
      let withdrawn = try await Tool.run("fetch", "--withdraw", "1", "--url", served.url, "--key", "operator-1")
      #expect(withdrawn.code == 0 && withdrawn.output.contains("withdrawn"), "\(withdrawn.errors)")
      // The app hears of that, too.
      try await app.wait { $0["upload"]?["asks"]?.array?.isEmpty == true }
    }
  }

  /// To its collector it is like an app that nobody opens: the ask is over after 14 days, as any that nobody hears of.
  @Test(.timeLimit(.minutes(4)))
  func `an app whose user denies consent hears of no ask, and nothing of what is asked for comes`() async throws {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let client = try client(served)
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: false, keeps: true)
      defer { app.kill() }
      try app.record(40)
      try app.flush()
      let session = try await wait("the session") {
        try await client.get("/api/sessions")["sessions"]?.array?.first {
          $0["summary"]?["place"]?.string == "device"
        }?["sessionId"]?.string
      }
      try await app.wait { $0["upload"]?["isKeeping"] == true }
      try app.deny()
      try await app.wait { $0["consent"]?.string == "denied" }

      let asked = try await client.send(.POST, "/api/asks", ["session": .string(session), "reason": "Ticket 89"])
      let number = try #require(asked["id"]?.int)
      #expect(asked["state"]?.string == "asked")
      // Ten times as long as it takes an app in the foreground to hear of it.
      try app.record(3)
      try await Task.sleep(for: .seconds(5))
      let ask = try await client.get("/api/asks/\(number)")
      #expect(
        ask["state"]?.string == "asked" && ask["events"]?.int == 0 && ask["toldAt"]?.integer == nil, "\(ask.line)")
      let status = try await app.status()
      #expect(status["upload"]?["asks"]?.array?.isEmpty != false, "\(status.line)")
      let events = try await client.get("/api/sessions/\(session)/events", [("type", "custom")])["events"]?.array
      #expect(events?.isEmpty == true)
      let ends = try #require(ask["endsAt"]?.integer)
      #expect(ends - (ask["askedAt"]?.integer ?? 0) == 14 * 86_400_000)
    }
  }

  @Test func `what cannot be asked for is refused with what to do`() async throws {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      func fetch(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["fetch"] + arguments + ["--url", served.url, "--key", "operator-1"])
      }
      for (arguments, words) in [
        ([], "Name a session"), (["--user", "a", "--device", "b", "--reason", "r"], "Name a session"),
        (["--user", "a", "--reason", "r"], "--bundle"), (["--user", "a", "--bundle", "b"], "--reason"),
        (["--user", "a", "--bundle", "b", "--reason", "  "], "--reason"),
        (["--user", "a", "--bundle", "b", "--reason", "r", "--from", "yesterday"], "--from"),
        (["--user", "a", "--bundle", "b", "--reason", "r", "--from", "2", "--to", "1"], "later than"),
        (["--list", "--wait"], "stand alone"), (["--withdraw", "1", "--user", "a"], "nothing else"),
      ] as [([String], String)] {
        let refused = try await Tool.run(["fetch"] + arguments + ["--url", served.url, "--key", "operator-1"])
        #expect(refused.code == 2 && refused.errors.contains(words), "\(arguments): \(refused.errors)")
      }
      let nobody = try await fetch("3f2a51c0", "--reason", "r")
      #expect(nobody.code == 1 && nobody.errors.contains("No sessions yet"), "\(nobody.errors)")
      #expect(try await fetch("--list").errors.contains("Nothing is asked for"))
      let unknown = try await fetch("--withdraw", "7")
      #expect(unknown.code == 1 && unknown.errors.contains("no ask"), "\(unknown.errors)")
      let asked = try await fetch(
        "--user", "a", "--bundle", "com.example.cli", "--reason", "r", "--from", "2026-01-02T10:00:00Z", "--json")
      #expect(asked.code == 0, "\(asked.errors)")
      #expect(try JSON(text: asked.output)["from"]?.integer == 1_767_348_000_000)
      let again = try await fetch(
        "--user", "a", "--bundle", "com.example.cli", "--reason", "r", "--from", "1767348000000")
      #expect(again.code == 1 && again.errors.contains("already"), "\(again.errors)")
      let reader = try await Tool.run(
        "fetch", "--user", "b", "--bundle", "c.d", "--reason", "r", "--url", served.url, "--key", "app-key-1")
      #expect(reader.code != 0, "\(reader.errors)")
    }
  }

  @Test func `times are read as people write them, and nothing else is one`() {
    #expect(AskedTime(argument: "2026-01-02T10:00:00Z")?.milliseconds == 1_767_348_000_000)
    #expect(AskedTime(argument: "2026-01-02T10:00:00.250Z")?.milliseconds == 1_767_348_000_250)
    #expect(AskedTime(argument: "0")?.milliseconds == 0)
    for text in [
      "", "-1", "now", "99999999999999999999", "253402300800000", "2026-13-02T10:00:00Z",
      String(repeating: "9", count: 300),
    ] {
      #expect(AskedTime(argument: text) == nil, "\(text.prefix(40))")
    }
  }
}
