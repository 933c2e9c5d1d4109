import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Configuration from the command line` {
  @Test func `recording is switched off and on again, for one app and for all`() async throws {
    try await Served.with { served in
      let killed = try await Tool.run("config", "kill", "com.example.cli", "--url", served.url)
      #expect(killed.code == 0, "\(killed.errors)")
      #expect(killed.output.contains("✓ com.example.cli: recording is off · version 1"))
      let shown = try await Tool.run("config", "show", "com.example.cli", "--url", served.url)
      #expect(shown.output.contains("com.example.cli  switched off"))
      #expect(shown.output.contains("recording.enabled  false"))
      let json = try await Tool.run("config", "show", "com.example.cli", "--url", served.url, "--json")
      #expect(try JSON(text: json.output)["effective"]?["recording"]?["enabled"] == false)

      _ = try await Tool.run("config", "kill", "*", "--url", served.url)
      let revived = try await Tool.run("config", "revive", "com.example.cli", "--url", served.url)
      #expect(revived.output.contains("would record, but all apps are switched off"))
      #expect(try await Tool.run("config", "revive", "*", "--url", served.url).code == 0)
      let after = try await Tool.run("config", "show", "com.example.cli", "--history", "--url", served.url)
      #expect(after.output.contains("com.example.cli  recording"))
      #expect(after.output.contains("  \(NSUserName())  "))
      let list = try await Tool.run("config", "--url", served.url)
      #expect(list.lines.count == 3)
    }
  }

  @Test func `members are set, taken away, and replaced by a file`() async throws {
    try await Served.with { served in
      func document() async throws -> JSON? {
        let shown = try await Tool.run("config", "show", "a.b", "--url", served.url, "--json")
        return try JSON(text: shown.output)["document"]
      }
      let set = try await Tool.run(
        "config", "set", "a.b", "sampling.sessionRate=0.25", "capture.mode=wire frame", "capture.list=[1,2]", "--url",
        served.url)
      #expect(set.code == 0, "\(set.errors)")
      let expected: JSON = [
        "sampling": ["sessionRate": .number(0.25)], "capture": ["mode": "wire frame", "list": [1, 2]],
      ]
      #expect(try await document() == expected)
      _ = try await Tool.run("config", "set", "a.b", "capture.list=", "sampling.sessionRate=", "--url", served.url)
      #expect(try await document() == ["capture": ["mode": "wire frame"]])

      let refused = try await Tool.run("config", "set", "a.b", "sampling.sessionRate=2", "--url", served.url)
      #expect(refused.code == 1)
      #expect(refused.errors.contains("sampling.sessionRate must be a number from 0.0 to 1.0"))
      let inside = try await Tool.run("config", "set", "a.b", "capture.mode.x=2", "--url", served.url)
      #expect(inside.code == 1)
      for wrong in [["config", "set", "a.b"], ["config", "set", "a.b", "novalue"], ["config", "set", "a.b", "=1"]] {
        #expect(try await Tool.run(wrong + ["--url", served.url]).code == 2)
      }

      let file = served.directory.appending(path: "document.json")
      let whole = try await Tool.run("config", "show", "a.b", "--url", served.url, "--json")
      try whole.output.replacingOccurrences(of: "wire frame", with: "pixels").write(
        to: file, atomically: true, encoding: .utf8)
      let replaced = try await Tool.run("config", "set", "a.b", "--file", file.path, "--url", served.url)
      #expect(replaced.code == 0, "\(replaced.errors)")
      #expect(try await document() == ["capture": ["mode": "pixels"]])
      #expect(try await Tool.run("config", "set", "a.b", "--file", "/nowhere", "--url", served.url).code == 2)
    }
  }

  @Test func `the operator's key is asked for, and may stand in the environment`() async throws {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let refused = try await Tool.run("config", "kill", "a.b", "--url", served.url, "--key", "app-key-1")
      #expect(refused.code == 2)
      let done = try await Tool.run(
        "config", "kill", "a.b", "--url", served.url, environment: ["AUTOMOBILE_OPERATOR_KEY": "operator-1"])
      #expect(done.code == 0, "\(done.errors)")
    }
  }

  @Test func `without an app that listens a command says so`() async throws {
    try await Served.with { served in
      let list = try await Tool.run("command", "--url", served.url)
      #expect(list.code == 0 && list.errors.contains("No app is listening"))
      let ping = try await Tool.run("command", "ping", "com.example.cli", "--url", served.url)
      #expect(ping.code == 1)
      #expect(ping.errors.contains("debug build"))
      #expect(try await Tool.run("command", "ping", "--url", served.url).code == 2)
    }
  }
}
