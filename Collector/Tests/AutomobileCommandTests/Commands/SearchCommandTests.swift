import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Searching from the command line` {
  private static let table: JSON = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Search/cases.json")
    return (try? JSON(text: String(contentsOf: file, encoding: .utf8))) ?? .null
  }()

  private static var events: [JSON] {
    (table["sessions"]?.array ?? []).flatMap { session in
      (session["events"]?.array ?? []).map { event in
        var members = event.object ?? [:]
        members["sessionId"] = session["session"]
        members["context"] = .object([
          "sessionId": session["session"] ?? .null, "userId": session["user"] ?? .null,
          "appVersion": session["version"] ?? .null, "tags": session["tags"] ?? .null,
          "device": session["device"] ?? .null,
        ])
        return .object(members)
      }
    }
  }

  private static func with(_ body: (Served) async throws -> Void) async throws {
    try await Served.with { served in
      try await served.deliver(events, bundle: table["app"]?.string ?? "")
      try await body(served)
    }
  }

  private static func arguments(_ domain: String, _ query: String) -> [String]? {
    switch domain {
    case "sessions": ["sessions", "--", query]
    case "requests": ["network", "--search=\(query)"]
    case "issues": ["issues", "--status", "all", "--search=\(query)"]
    // `show` is about one session.
    default: nil
    }
  }

  @Test(.timeLimit(.minutes(5))) func `finds what the table says`() async throws {
    try await Self.with { served in
      let cases = Self.table["cases"]?.array ?? []
      #expect(cases.count > 100)
      // A process for each is slow: every third, and all that was seen to fail.
      let seen = ["mira payment", "app:coffeeshop", "version:2.4", "503", "status:503", "payment", "user:mira payment"]
      for (index, one) in cases.enumerated() {
        let (domain, query) = (one["in"]?.string ?? "", one["q"]?.string ?? "")
        guard index % 3 == 0 || seen.contains(query), !query.isEmpty, let command = Self.arguments(domain, query) else {
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
      let none = try await Tool.run("sessions", "user:jonas", "payment", "--url", served.url)
      #expect(none.code == 0 && none.lines.isEmpty)
      let model = try await Tool.run("sessions", "device:Pixel 9", "has:crash", "--url", served.url, "--json")
      #expect(model.lines.count == 1)
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
