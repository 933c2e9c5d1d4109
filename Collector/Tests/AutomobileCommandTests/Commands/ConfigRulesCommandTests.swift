import AutoMobileCollector
import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Rules for sending from the command line` {
  private static let rules: JSON = [
    "mode": "whenTriggered", "keepDays": 14, "bytesPerDay": 5_000_000,
    "rules": [
      ["name": "slow", "when": ["hang": ["atLeastMs": 2000]], "send": ["minutesBefore": 1, "perDay": 10]],
      [
        "name": "pro",
        "when": ["event": ["name": "purchase", "where": [["field": "properties.plan", "equals": "pro"]]]],
        "send": ["replay": false, "bodies": false],
      ],
    ],
  ]

  private func file(_ json: JSON, in served: Served) throws -> String {
    let file = served.directory.appending(path: "\(UUID().uuidString).json")
    try JSONEncoder().encode(json).write(to: file)
    return file.path
  }

  @Test func `the rules that an app gets are shown in words`() async throws {
    try await Served.with { served in
      let none = try await Tool.run("config", "rules", "com.example.cli", "--url", served.url)
      #expect(none.code == 0 && none.output.contains("as the app itself is configured"))
      let set = try await Tool.run("config", "set", "*", "upload=\(Self.rules.line)", "--url", served.url)
      try #require(set.code == 0, "\(set.errors)")
      let shown = try await Tool.run("config", "rules", "com.example.cli", "--url", served.url)
      #expect(shown.output.contains("what rules name is sent, the rest stays on devices"))
      #expect(shown.output.contains("kept for 14 days · at most 5.0 MB a day"))
      #expect(shown.output.contains("a hang of 2.0 s or more"))
      #expect(shown.output.contains("1 min before, 30 s after"))
      #expect(shown.output.contains("2 min before, 30 s after, without the screen, without bodies of requests"))
      #expect(shown.output.contains("an event named purchase where properties.plan is pro"))
      let json = try await Tool.run("config", "rules", "com.example.cli", "--url", served.url, "--json")
      #expect(try JSON(text: json.output) == Self.rules)
    }
  }

  @Test func `rules in a file are tried on what is stored, and nothing is saved`() async throws {
    try await Served.with { served in
      let start = WallClock.now - 3_600_000
      let events = (0..<60).map { index in
        let at = start + Int64(index) * 10_000
        return index == 30
          ? Served.event("hang", ["durationMs": 2500, "bundleId": "com.example.cli"], at: at)
          : Served.event("log", ["level": 2, "message": "m", "filterName": "f"], at: at)
      }
      try await served.deliver(events)
      let file = try file(["upload": Self.rules], in: served)
      let tried = try await Tool.run("config", "rules", "com.example.cli", "--try", file, "--url", served.url)
      try #require(tried.code == 0, "\(tried.errors)")
      #expect(tried.output.contains("would have been sent"))
      #expect(tried.output.contains("What stayed on devices is not in it."))
      let row = tried.lines.first { $0.hasPrefix("slow") }?.split(separator: " ").map(String.init)
      // Fired, over the limit, sessions, devices, events: six before it, itself, three after it.
      #expect(row?.prefix(6) == ["slow", "1", "0", "1", "1", "10"], "\(tried.output)")
      let json = try await Tool.run(
        "config", "rules", "com.example.cli", "--try", file, "--url", served.url, "--json")
      #expect(try JSON(text: json.output)["rules"]?.array?.first?["fired"] == 1)
      let after = try await Tool.run("config", "rules", "com.example.cli", "--url", served.url)
      #expect(after.output.contains("as the app itself is configured"))
    }
  }

  @Test func `what is wrong is told with its place, by a trial and by whoever sets it`() async throws {
    try await Served.with { served in
      let wrong: JSON = ["rules": [["name": "slow", "when": ["hang": ["atLeastMs": -1]]]]]
      let reason =
        #"upload.rules[0] ("slow").when.hang.atLeastMs: expected a number from 0.0 to 86400000.0, found -1.0"#
      let tried = try await Tool.run(
        "config", "rules", "a.b", "--try", try file(wrong, in: served), "--url", served.url)
      #expect(tried.code == 1 && tried.output.contains(reason) && tried.errors.contains("1 problem in the rules"))
      let set = try await Tool.run("config", "set", "a.b", "upload=\(wrong.line)", "--url", served.url)
      #expect(set.code == 1 && set.errors.contains(reason))
      let empty = try await Tool.run(
        "config", "rules", "a.b", "--try", try file(["mocks": []], in: served), "--url", served.url)
      #expect(empty.code == 2 && empty.errors.contains("There are no rules in this file."))
    }
  }
}
