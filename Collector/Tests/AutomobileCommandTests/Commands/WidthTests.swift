import AutoMobileCollector
import Foundation
import Testing

@testable import automobile

/// What an app recorded can be anything; what is printed fits the terminal, and moves nothing in it.
@Suite(.serialized) struct `Output of any width` {
  /// Wide characters, marks that combine, escapes, controls, a change of direction, and much of each.
  private static let hostile =
    String(repeating: "店👩‍👩‍👧é", count: 30) + "\u{1B}[31m\u{1B}]0;title\u{7}\u{9B}2J\r\n\t\u{0}\u{202E}" + "end"

  private static let story: [JSON] = {
    let text = JSON.string(hostile)
    let version: JSON = .string("9.9.9-" + hostile.prefix(60))
    return [
      Served.event("navigation", ["destination": text, "source": "custom"], user: hostile),
      Served.event("log", ["level": 4, "message": text, "tag": text, "filterName": "all"], user: hostile),
      Served.event(
        "network_request",
        [
          "url": .string("http://host.example/" + String(repeating: "segment/", count: 40)), "method": "POST",
          "statusCode": 503, "error": text, "durationMs": .number(12.5),
        ], user: hostile),
      Served.event(
        "crash",
        ["errorDomain": text, "errorMessage": text, "stackTrace": "", "bundleId": text, "appVersion": version],
        user: hostile),
      Served.event("hang", ["durationMs": 2500, "stackTrace": text, "bundleId": text], user: hostile),
      Served.event(
        "custom", ["name": "Frames", "properties": ["screen": text, "frames": 100, "slow": 3]], user: hostile),
      Served.event(
        "custom", ["name": "App Launch", "properties": ["kind": text, "totalMs": 700]], user: hostile, at: WallClock.now
      ),
    ]
  }()

  private static func check(_ text: String, width: Int, _ what: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(DisplayWidth.of(String(line)) <= width, "\(what): \(line)")
    }
    // Nothing but line breaks: no escape, no other control, nothing that turns the text around.
    let unsafe = text.unicodeScalars.filter {
      $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || (0x202A...0x202E).contains($0.value))
    }
    #expect(unsafe.isEmpty, "\(what): \(unsafe.map(\.value))")
  }

  @Test(arguments: [80, 200])
  func `every list fits the terminal, whatever was recorded`(width: Int) async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let commands = [
        ["sessions"], ["issues"], ["crashes"], ["crashes", "--kind", "crash,hang"], ["network"],
        ["network", "--stats"],
        ["health"], ["projects"], ["keys"], ["retention"], ["config"], ["mock", "list", "*"],
      ]
      for command in commands {
        let result = try await Tool.run(command + ["--url", served.url], environment: ["COLUMNS": "\(width)"])
        #expect(result.code == 0, "\(command): \(result.errors)")
        Self.check(result.output, width: width, command.joined(separator: " "))
      }
      // Below the heading, which is prose and wraps.
      let shown = try await Tool.run("show", "latest", "--url", served.url, environment: ["COLUMNS": "\(width)"])
      Self.check(shown.lines.dropFirst(2).dropLast(2).joined(separator: "\n"), width: width, "show")
    }
  }

  @Test func `into a pipe nothing is cut, and JSON is a line each`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      let list = try await Tool.run("sessions", "--url", served.url)
      #expect(list.output.contains("👩‍👩‍👧é"))
      Self.check(list.output, width: .max, "sessions")
      for command in [["sessions"], ["issues"], ["crashes"], ["network"], ["health"], ["retention"], ["doctor"]] {
        let result = try await Tool.run(command + ["--url", served.url, "--json"])
        #expect(!result.lines.isEmpty, "\(command)")
        for line in result.lines { _ = try JSON(text: String(line)) }
        Self.check(result.output, width: .max, command.joined(separator: " "))
      }
    }
  }

  #if os(Linux)
  @Test func `colours come on a terminal only, and not when somebody says no`() async throws {
    try await Served.with { served in
      try await served.deliver(Self.story)
      func onTerminal(_ environment: [String: String] = [:]) async throws -> String {
        let command = "stty cols 100; '\(Tool.path.path)' sessions --url \(served.url)"
        var variables = ["TERM": "xterm-256color"]
        variables.merge(environment) { $1 }
        return try await Tool.run(
          program: "/usr/bin/script", ["-qec", command, "/dev/null"], environment: variables
        ).output
      }
      let coloured = try await onTerminal()
      #expect(coloured.contains("\u{1B}[2mSESSION"))
      for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
        let plain = try await onTerminal(environment)
        #expect(plain.contains("SESSION") && !plain.contains("\u{1B}"))
      }
      // The terminal's own width counts.
      for line in coloured.split(whereSeparator: \.isNewline) {
        let text = String(line).replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(DisplayWidth.of(text) <= 100, "\(text)")
      }
    }
  }
  #endif
}
