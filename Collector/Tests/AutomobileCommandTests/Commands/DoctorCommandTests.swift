import AutoMobileCollector
import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `The doctor` {
  private func checks(_ result: Tool.Result) throws -> [String: String] {
    let answer = try JSON(text: result.output)
    let checks = (answer["checks"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["status"]?.string ?? "") }
    return Dictionary(checks, uniquingKeysWith: { first, second in first == "ok" ? second : first })
  }

  @Test func `nobody there is a problem`() async throws {
    let result = try await Tool.run("doctor", "--url", "http://127.0.0.1:1", "--json")
    #expect(result.code == 1)
    #expect(try checks(result) == ["address": "problem"])
  }

  @Test func `an empty collector is well, and nothing has arrived`() async throws {
    try await Served.with { served in
      let result = try await Tool.run("doctor", "--url", served.url, "--data", served.directory.path, "--json")
      #expect(result.code == 0, "\(result.output)")
      let checks = try checks(result)
      #expect(
        checks["address"] == "ok" && checks["version"] == "ok" && checks["key"] == "ok" && checks["clock"] == "ok")
      #expect(checks["arrivals"] == "warning")
      // Nothing is ticked that is merely empty.
      for name in ["drops", "quarantine", "symbols", "recording"] { #expect(checks[name] == "empty", "\(name)") }
      let text = try await Tool.run("doctor", "--url", served.url)
      for line in ["startInterception()", "enableSignalHandlers", "(from --url)", "– quarantine"] {
        #expect(text.output.contains(line), "\(text.output)")
      }
      #expect(checks["disk"] != nil)
    }
  }

  @Test func `what aged out on a device by its app's rules is no warning, and what was not delivered in time is one`()
    async throws
  {
    try await Served.with { served in
      try await served.deliver(
        [Served.event("custom", ["name": "kept"], at: WallClock.now)], final: false, dropped: ["expired": 40], kept: 9)
      let calm = try checks(try await Tool.run("doctor", "--url", served.url, "--json"))
      #expect(calm["drops"] == "ok" && calm["aged out"] == "ok", "\(calm)")
      let text = try await Tool.run("doctor", "--url", served.url)
      #expect(text.output.contains("40 events aged out on devices, by their apps' rules"), "\(text.output)")
      let health = try await Tool.run("health", "--url", served.url, environment: ["COLUMNS": "200"])
      #expect(
        health.output.contains("50 recorded · 1 stored · 0 dropped · 9 on devices · 40 aged out there · 0 lost"),
        "\(health.output)")
      // Another app sends everything.
      try await served.deliver([Served.event("custom", ["name": "sent"], at: WallClock.now)], dropped: ["expired": 3])
      let late = try checks(try await Tool.run("doctor", "--url", served.url, "--json"))
      #expect(late["drops"] == "warning" && late["aged out"] == "ok", "\(late)")
    }
  }

  @Test func `a wrong key, and a device whose clock is ahead, are told`() async throws {
    let key = "correct-horse-battery"
    try await Served.with(key: key) { served in
      try await served.deliver([Served.event("custom", ["name": "later"], at: WallClock.now + 3_600_000)])
      for environment in [[:], ["AUTOMOBILE_KEY": "wrong-horse-battery"]] {
        let refused = try await Tool.run("doctor", "--url", served.url, "--json", environment: environment)
        #expect(refused.code == 1)
        #expect(try checks(refused)["key"] == "problem")
      }
      let result = try await Tool.run("doctor", "--url", served.url, "--key", key, "--json")
      #expect(try checks(result)["quarantine"] == "ok")
      #expect(result.code == 0)
      #expect(try checks(result)["device clock"] == "warning")
    }
  }
}
