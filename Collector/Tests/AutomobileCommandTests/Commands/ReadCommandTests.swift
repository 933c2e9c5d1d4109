import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Reading from the command line` {
  private static let story = [
    Served.event("navigation", ["destination": "Menu", "source": "custom", "arguments": [:], "metadata": [:]]),
    Served.event(
      "log", ["level": 4, "message": "the \u{1B}[31mcard\n was declined", "tag": "pay", "filterName": "all"]),
    Served.event(
      "network_request", ["url": "http://shop/v1/pay", "path": "/v1/pay", "method": "POST", "statusCode": 503]),
  ]

  @Test func `sessions and their events are shown, as text and as JSON`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let list = try await Tool.run("sessions", "--url", served.url, environment: ["COLUMNS": "120"])
      #expect(list.code == 0)
      #expect(list.lines.count == 2)
      #expect(list.output.contains("kim@example.com") && list.output.contains("cli 3.1.4"))
      #expect(!list.output.contains("\u{1B}"))

      let json = try await Tool.run("sessions", "--url", served.url, "--json")
      #expect(try JSON(text: String(try #require(json.lines.first)))["sessionId"] == "11111111-AAAA")

      // Errors are those that the list counts, each with a number and the address of its moment.
      let errors = try await Tool.run("show", "1111", "--errors", "--link", "--url", served.url)
      #expect(try JSON(text: String(try #require(json.lines.first)))["errors"] == 2)
      let marked = errors.lines.filter { $0.contains("#/sessions/11111111-AAAA?event=") }
      #expect(marked.count == 2 && !errors.output.contains("Menu"), "\(errors.output)")
      let answers = try await Tool.run("show", "1111", "--errors", "--link", "--url", served.url, "--json")
      for (line, answer) in zip(marked, answers.lines) {
        let event = try JSON(text: String(answer))
        let number = try #require(event["id"]?.text)
        #expect(event["viewerUrl"]?.text == "\(served.url)#/sessions/11111111-AAAA?event=\(number)")
        #expect(line.split(separator: " ").contains { $0 == number } && line.hasSuffix("event=\(number)"))
      }
      #expect(answers.lines.count == 2)

      for name in ["11111111-AAAA", "1111", "latest"] {
        let shown = try await Tool.run("show", name, "--url", served.url)
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.output.contains("the \\u{1B}[31mcard\\n was declined"))
        #expect(!shown.output.contains("\u{1B}"))
        #expect(shown.output.contains("3 recorded · 3 stored · 0 dropped · 0 lost"))
      }
      let filtered = try await Tool.run("show", "latest", "--url", served.url, "--json", "--type", "log,hang")
      #expect(filtered.lines.count == 1)
      #expect(try JSON(text: filtered.output)["payload"]?["message"] == "the \u{1B}[31mcard\n was declined")
      let searched = try await Tool.run("show", "latest", "--url", served.url, "--json", "--grep", "v1/pay")
      #expect(searched.lines.count == 1)
    }
  }

  @Test func `a session's beginning that fits several is refused, and so is an unknown one`() async throws {
    try await Served.with { served in
      try await served.deliver([Served.event("custom", ["name": "a"], session: "7777-A")])
      try await served.deliver([Served.event("custom", ["name": "b"], session: "7777-B")])
      let ambiguous = try await Tool.run("show", "7777", "--url", served.url)
      #expect(ambiguous.code == 1 && ambiguous.errors.contains("2 sessions"))
      let unknown = try await Tool.run("show", "8888", "--url", served.url)
      #expect(unknown.code == 1 && unknown.errors.contains("No session “8888”."))
    }
  }

  @Test func `what was mistyped is answered with what may have been meant`() async throws {
    try await Served.with { served in
      let none = try await Tool.run("show", "--url", served.url)
      #expect(none.code == 1 && none.errors.contains("No sessions yet.") && none.errors.contains("automobile doctor"))
      try await served.deliver(Self.story)
      for (arguments, code, said) in [
        (["show", "11111112-AAAA"], 1, "Did you mean “11111111-AAAA”?"),
        (["show", "kim"], 1, "1 session found by searching for it: automobile sessions 'kim'"),
        (["show", "--type", "netwrk_request"], 0, "Did you mean “network_request”?"),
        (["network", "--app", "com.exmple.cli", "--status", "404"], 0, "Did you mean “com.example.cli”?"),
        (["health", "--app", "cli"], 0, "Did you mean “com.example.cli”?"),
        (["health", "--app-version", "3.1.3"], 0, "Did you mean “3.1.4”?"),
        (["issues", "--app", "com.example.cl", "--kind", "hang"], 0, "Did you mean “com.example.cli”?"),
        (["config", "kill", "com.example.clii"], 0, "Did you mean “com.example.cli”?"),
        (["db", "com.example.cli"], 1, "No app is listening."),
      ] as [([String], Int32, String)] {
        let result = try await Tool.run(arguments + ["--url", served.url])
        #expect(result.code == code && result.errors.contains(said), "\(arguments): \(result.errors)")
      }
      // Nothing is doubted that is there.
      let fine = try await Tool.run("health", "--app", "com.example.cli", "--app-version", "3.1.4", "--url", served.url)
      #expect(fine.code == 0 && fine.errors.isEmpty, "\(fine.errors)")
    }
  }

  @Test(.timeLimit(.minutes(2))) func `the tail prints what arrives, and only what was asked for`() async throws {
    try await Served.with { served in
      let tail = try Tool.start(["tail", "--url", served.url, "--json", "--count", "2", "--type", "custom"])
      defer { if tail.process.isRunning { tail.process.terminate() } }
      #expect(try #require(await tail.errors.line()).contains("Waiting for events"))
      try await served.deliver([
        Served.event("custom", ["name": "first"]), Served.event("log", ["message": "not this"]),
        Served.event("custom", ["name": "second"]),
      ])
      for name in ["first", "second"] {
        let line = try #require(await tail.output.line())
        #expect(try JSON(text: line)["payload"]?["name"] == .string(name))
      }
      #expect(await tail.output.line() == nil)
      tail.process.waitUntilExit()
      #expect(tail.process.terminationStatus == 0)
    }
  }

  @Test(arguments: [80, 200])
  func `lines fit the terminal`(width: Int) async throws {
    try await Served.with { served in
      let long = String(repeating: "überlang 長い ", count: 60)
      try await served.deliver([
        Served.event("log", ["level": 2, "message": .string(long), "tag": .string(long)], user: long)
      ])
      for command in [["sessions"], ["show", "latest"]] {
        let shown = try await Tool.run(command + ["--url", served.url], environment: ["COLUMNS": "\(width)"])
        // The heading of a session is prose, and wraps.
        for line in shown.lines.dropFirst(command.count - 1) {
          #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
        }
      }
    }
  }
}
