import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Searching from the command line` {
  private static let table: JSON = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Search/cases.json")
    return (try? JSON(text: String(contentsOf: file, encoding: .utf8))) ?? .null
  }()

  /// Of each session its launch and its events.
  private static var sessions: [(launch: String, events: [JSON])] {
    (table["sessions"]?.array ?? []).map { session in
      let events = (session["events"]?.array ?? []).map { event in
        var members = event.object ?? [:]
        members["sessionId"] = session["session"]
        members["context"] = .object([
          "sessionId": session["session"] ?? .null, "userId": session["user"] ?? .null,
          "appVersion": session["version"] ?? .null, "tags": session["tags"] ?? .null,
          "device": session["device"] ?? .null,
        ])
        return JSON.object(members)
      }
      return (session["launch"]?.text ?? "", events)
    }
  }

  private static func deliver(to served: Served, isAgain: Bool = false) async throws {
    for session in sessions {
      let launch = isAgain ? UUID() : try #require(UUID(uuidString: session.launch))
      try await served.deliver(session.events, launch: launch, bundle: table["app"]?.string ?? "")
    }
  }

  private static func with(_ body: (Served) async throws -> Void) async throws {
    try await Served.with { served in
      try await deliver(to: served)
      try await body(served)
    }
  }

  /// What the table says that people decided.
  private static func decide(_ served: Served) async throws {
    let issues = try await Tool.run("issues", "--status", "all", "--json", "--url", served.url)
    for decision in table["decided"]?.array ?? [] {
      let issue = try issues.lines.map { try JSON(text: String($0)) }.first { $0["cause"] == decision["issue"] }
      let id = try #require(issue?["id"]?.string)
      #expect(decision["status"] == "resolved")
      let decided = try await Tool.run(
        "issues", id, "--resolve", "--assign", decision["assignee"]?.text ?? "", "--url", served.url)
      #expect(decided.code == 0, "\(decided.errors)")
    }
  }

  private static func arguments(_ domain: String, _ query: String) -> [String]? {
    switch domain {
    case "sessions": ["sessions", "--", query]
    case "requests": ["network", "--search=\(query)"]
    // A search that names a status needs no option for it.
    case "issues": ["issues"] + (query.contains("status:") ? [] : ["--status", "all"]) + ["--search=\(query)"]
    // `show` is about one session, and `tail` about what arrives: each has a test of its own.
    default: nil
    }
  }

  @Test(.timeLimit(.minutes(5))) func `finds what the table says`() async throws {
    try await Self.with { served in
      let cases = Self.table["cases"]?.array ?? []
      #expect(cases.count > 150)
      try await Self.decide(served)
      // A process for each is slow: every third, and all that was seen to fail.
      let seen = ["mira payment", "app:coffeeshop", "version:2.4", "503", "status:503", "payment", "user:mira payment"]
      for (index, one) in cases.enumerated() {
        let (domain, query) = (one["in"]?.string ?? "", one["q"]?.string ?? "")
        guard index % 3 == 0 || seen.contains(query) || query.contains("status:"), !query.isEmpty,
          let command = Self.arguments(domain, query)
        else {
          continue
        }
        // Options come before what is taken as it stands.
        let options = ["--url", served.url, "--json"]
        let found = try await Tool.run([command[0]] + options + command.dropFirst())
        #expect(found.code == 0, "\(query): \(found.errors)")
        let name = ["sessions": "sessionId", "requests": "path", "issues": "cause"][domain] ?? ""
        let names = try found.lines.map { try JSON(text: String($0))[name]?.string ?? "" }
        #expect(names.sorted() == (one["found"]?.array ?? []).map(\.text).sorted(), "\(domain): \(query)")
      }
    }
  }

  /// Everything arrives twice: what is told twice in the same order leaves no room for anything else between.
  @Test(.timeLimit(.minutes(5))) func `what arrives is searched as the table says`() async throws {
    try await Served.with { served in
      let cases = (Self.table["cases"]?.array ?? []).filter {
        $0["in"] == "events" && $0["found"]?.array?.isEmpty == false
      }
      #expect(cases.count > 20)
      let tails = try cases.map { one in
        let count = 2 * (one["found"]?.array?.count ?? 0)
        return try Tool.start([
          "tail", "--json", "--count", "\(count)", "--search=\(one["q"]?.text ?? "")", "--url", served.url,
        ])
      }
      for tail in tails { #expect(await tail.errors.line()?.contains("Waiting for events") == true) }
      try await Self.deliver(to: served)
      try await Self.deliver(to: served, isAgain: true)
      for (one, tail) in zip(cases, tails) {
        let lines = await tail.output.text().split(separator: "\n")
        let found = try lines.map { try JSON(text: String($0))["timestamp"]?.int ?? 0 }
        let expected = (one["found"]?.array ?? []).compactMap(\.int).sorted()
        #expect(found == expected + expected, "\(one["q"]?.text ?? "")")
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a session is searched as the table says`() async throws {
    try await Self.with { served in
      let own = (Self.table["sessions"]?.array?.first?["events"]?.array ?? []).compactMap { $0["timestamp"]?.int }
      for one in (Self.table["cases"]?.array ?? []) where one["in"] == "events" {
        let query = one["q"]?.text ?? ""
        // What is known of the session says nothing within it.
        guard !query.hasPrefix("mira") else { continue }
        let shown = try await Tool.run("show", "A1", "--search=\(query)", "--json", "--url", served.url)
        let found = try shown.lines.map { try JSON(text: String($0))["timestamp"]?.int ?? 0 }
        #expect(found == (one["found"]?.array ?? []).compactMap(\.int).filter(own.contains), "\(query)")
      }
    }
  }

  @Test func `says what cannot be read, and where`() async throws {
    try await Self.with { served in
      for command in [
        ["sessions", "verson:2.4"], ["show", "latest", "--search", "tpe:log"], ["network", "--grep", "stauts:503"],
        ["issues", "--search", "knd:crash"], ["tail", "--search", "tpe:log"],
      ] {
        let refused = try await Tool.run(command + ["--url", served.url])
        #expect(refused.code == 1, "\(command)")
        #expect(
          refused.errors.contains("did you mean") && refused.errors.contains("at character 1"), "\(refused.errors)")
      }
    }
  }

  @Test func `several arguments are one search, and a session says by which event it was found`() async throws {
    try await Self.with { served in
      let found = try await Tool.run("sessions", "user:mira", "payment", "--url", served.url)
      #expect(found.lines.count == 3)
      #expect(found.output.contains("0:03.400  log  payment: the service does not answer"))
      // With the number by which `symbolicate` and `network` know it.
      let event = try await Tool.run("sessions", "user:mira", "payment", "--json", "--url", served.url)
      let number = try #require(JSON(text: event.output)["match"]?["event"]?.text)
      #expect(found.output.contains("\(number)  0:03.400  log"))
      let none = try await Tool.run("sessions", "user:jonas", "payment", "--url", served.url)
      #expect(none.code == 0 && none.lines.isEmpty)
      let model = try await Tool.run("sessions", "device:Pixel 9", "has:crash", "--url", served.url, "--json")
      #expect(model.lines.count == 1)
    }
  }

  @Test func `requests, issues and events say what was found where their lines do not show it`() async throws {
    try await Self.with { served in
      for (command, line) in [
        (["network", "--search", "autumn10"], "requestBody  {\"voucher\":\"AUTUMN10\"}"),
        (["issues", "--search", "user:mira"], "user  mira@example.com"),
        (["issues", "--search", "function:submit"], "function  submit_order"),
        (["show", "A1", "--search", "autumn10"], "requestBody  {\"voucher\":\"AUTUMN10\"}"),
        (["sessions", "status:503"], "network_request  POST /v1/checkout: 503"),
      ] {
        let shown = try await Tool.run(command + ["--url", served.url])
        #expect(shown.lines.contains { $0.hasSuffix(line) }, "\(command): \(shown.output)")
      }
      // What the line shows is not said again.
      let plain = try await Tool.run("network", "--search", "503", "--url", served.url)
      #expect(plain.lines.count == 2, "\(plain.output)")
    }
  }

  @Test func `in a terminal what arrives is marked, also where it is not in the line`() async throws {
    try await Served.with { served in
      let command = "'\(Tool.path.path)' tail --search 'mira voucher' --count 1 --url \(served.url)"
      let tail = try Tool.start(
        ["-qec", command, "/dev/null"], path: URL(filePath: "/usr/bin/script"),
        environment: ["COLUMNS": "200", "TERM": "xterm-256color"])
      #expect(await tail.output.line()?.contains("Waiting for events") == true)
      try await Self.deliver(to: served)
      let seen = await tail.output.text()
      #expect(seen.contains("\u{1B}[7mmira\u{1B}[27m"), "\(seen)")
      #expect(seen.contains("\u{1B}[7mvoucher\u{1B}[27m"), "\(seen)")
    }
  }

  @Test func `without an open issue it says whether that is because of what was asked for`() async throws {
    try await Self.with { served in
      let nobody = try await Tool.run("issues", "--assignee", "nobody", "--url", served.url)
      #expect(nobody.errors.contains("No issue matches."), "\(nobody.errors)")
    }
  }

  @Test func `a session's events are searched by the same language`() async throws {
    try await Self.with { served in
      for (query, expected) in [("level:error type:log", 1), ("ayment", 2), ("status:5xx", 1), ("-type:log", 5)] {
        let shown = try await Tool.run("show", "A1", "--search=\(query)", "--url", served.url, "--json")
        #expect(shown.lines.count == expected, "\(query): \(shown.errors)")
      }
    }
  }

  @Test(arguments: [
    (["mira", "payment"], "mira payment"), (["user:a b", "c"], "user:\"a b\" c"), (["a b", "c"], "\"a b\" c"),
    (["mira \"a b\""], "mira \"a b\""), (["\"a b\"", "c"], "\"a b\" c"),
  ])
  func `what the shell took apart is put together`(arguments: [String], text: String) {
    #expect(SearchText.joined(arguments) == text)
  }

  @Test func `marks are shown in a terminal, whatever the case, and colours around them stay`() {
    let style = Style(coloured: true)
    let marked = Printable.terminal(style.marked(style.red("The PAYMENT failed"), ["payment", "pay"]), as: .text)
    #expect(marked == "\u{1B}[31mThe \u{1B}[7mPAYMENT\u{1B}[27m failed\u{1B}[0m")
    #expect(Style(coloured: false).marked("payment", ["pay"]) == "payment")
    #expect(style.marked("payment", []) == "payment")
  }
}
