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
