import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Sessions as files from the command line` {
  private static let story = [
    Served.event("navigation", ["destination": "Menu", "source": "custom", "arguments": [:], "metadata": [:]]),
    Served.event("log", ["level": 2, "message": "one “two”", "tag": "pay", "filterName": "all"]),
  ]

  @Test func `a session goes from one collector to another as a file, and back again changes nothing`() async throws {
    try await Served.with { first in
      try await first.deliver(Self.story)
      let file = first.directory.appending(path: "taken.automobile").path
      let exported = try await Tool.run("export", "session", "latest", "--url", first.url, "--output", file, "--json")
      #expect(exported.code == 0, "\(exported.errors)")
      #expect(try JSON(text: exported.output)["file"] == .string(file))
      let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      #expect(try JSON(text: exported.output)["bytes"] == JSON(size))
      let said = try await Tool.run("export", "session", "latest", "--url", first.url, "--output", file)
      #expect(said.output.isEmpty && said.errors.hasPrefix("Saved the session to \(file) ("), "\(said.errors)")
      try await Served.with { second in
        let taken = try await Tool.run("import", file, "--url", second.url)
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(taken.output.contains("2 events"))
        let client = CollectorClient(url: try #require(URL(string: String(second.url.dropLast()))), key: nil)
        let deadline = ContinuousClock.now + .seconds(90)
        while try await client.get("/api/sessions")["sessions"]?.array?.first?["events"]?.int != 2 {
          try #require(ContinuousClock.now < deadline, "the events were not indexed in time")
          try await Task.sleep(for: .milliseconds(20))
        }
        let shown = try await Tool.run("show", "latest", "--url", second.url)
        #expect(shown.output.contains("one “two”"))
      }
      #expect(try await Tool.run("import", file, "--url", first.url).code == 0)
    }
  }

  @Test func `what is no session file is refused with a reason, and nothing is left of a session that is not there`()
    async throws
  {
    try await Served.with { served in
      let file = served.directory.appending(path: "none.automobile")
      try Data("no session".utf8).write(to: file)
      let refused = try await Tool.run("import", file.path, "--url", served.url)
      #expect(refused.code == 1 && refused.errors.contains("not a session file"), "\(refused.errors)")
      let missing = try await Tool.run("import", file.path + "x", "--url", served.url)
      #expect(missing.code == 2 && missing.errors.contains("cannot be read"), "\(missing.errors)")
      let out = served.directory.appending(path: "out.automobile").path
      #expect(try await Tool.run("export", "session", "8888", "--url", served.url, "--output", out).code == 1)
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }

  @Test func `saved searches are listed with links`() async throws {
    try await Served.with { served in
      let none = try await Tool.run("searches", "--url", served.url)
      #expect(none.code == 0 && none.errors.contains("No saved searches"))
      let client = CollectorClient(url: try #require(URL(string: String(served.url.dropLast()))), key: nil)
      _ = try await client.send(.POST, "/api/searches", ["name": "Crashes \u{1F4A5}", "address": "#/?has=crash"])
      let table = try await Tool.run("searches", "--url", served.url, environment: ["COLUMNS": "120"])
      #expect(table.lines.count == 2 && table.output.contains("\(served.url)#/?has=crash"), "\(table.output)")
      let json = try await Tool.run("searches", "--url", served.url, "--json")
      #expect(try JSON(text: String(try #require(json.lines.first)))["address"] == "#/?has=crash")
    }
  }
}
