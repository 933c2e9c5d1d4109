import AutoMobileCollector
import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Mock rules from the command line` {
  @Test func `rules are added, listed, replaced, removed and cleared`() async throws {
    try await Served.with { served in
      func mock(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["mock"] + arguments + ["--url", served.url])
      }
      _ = try await Tool.run("config", "set", "a.b", "sampling.sessionRate=0.5", "--url", served.url)
      let added = try await mock(
        "add", "a.b", "--id", "sold out", "--method", "post", "--host", "api.example.com", "--path", "/orders/*",
        "--header", "X-Version: 2.*", "--body-contains", "shoes", "--status", "409", "--response-header",
        "Content-Type: application/json", "--body", #"{"error":"sold out"}"#, "--delay", "200", "--count", "1")
      #expect(added.code == 0, "\(added.errors)")
      #expect(
        added.output.contains("✓ a.b: sold out: POST api.example.com/orders/* X-Version: 2.* body has “shoes” → 409"))
      #expect(
        try await mock("add", "a.b", "--id", "down", "--path-regex", "^/v[0-9]", "--failure", "timedOut").code == 0)
      let listed = try await mock("list", "a.b")
      #expect(listed.lines.count == 3)
      #expect(listed.output.contains("→ 409 (after 200 ms, once)") && listed.output.contains("→ timedOut"))
      let rules = try await mock("list", "a.b", "--json").lines.map { try JSON(text: String($0)) }
      #expect(rules.first?["respond"]?["body"]?.string == #"{"error":"sold out"}"#)
      #expect(rules.first?["match"]?["method"] == "POST" && rules.last?["match"]?["path"]?["regex"] == "^/v[0-9]")

      #expect(try await mock("add", "a.b", "--id", "down", "--passthrough", "--expires-in", "60").code == 0)
      let replaced = try await mock("list", "a.b", "--json").lines.map { try JSON(text: String($0)) }
      #expect(replaced.count == 2 && replaced.last?["respond"] == ["passthrough": true])
      #expect((replaced.last?["expiresAt"]?.integer ?? 0) > WallClock.now)

      let unknown = try await mock("remove", "a.b", "nothing")
      #expect(unknown.code == 1 && unknown.errors.contains("There are: sold out, down"))
      #expect(try await mock("remove", "a.b", "sold out").code == 0)
      #expect(try await mock("list", "a.b", "--json").lines.count == 1)
      #expect(try await mock("clear", "a.b").code == 0)
      #expect(try await mock("list", "a.b").errors.contains("No rules"))
      let document = try await Tool.run("config", "show", "a.b", "--url", served.url, "--json")
      #expect(try JSON(text: document.output)["document"] == ["sampling": ["sessionRate": .number(0.5)]])
    }
  }

  @Test func `a body that is no text goes over as base64`() async throws {
    try await Served.with { served in
      let file = served.directory.appending(path: "body")
      try Data([0, 0xFF, 0xFE]).write(to: file)
      let added = try await Tool.run(
        "mock", "add", "a.b", "--status", "200", "--body-file", file.path, "--url", served.url, "--json")
      let rule = try JSON(text: added.output)["document"]?["mocks"]?.array?.first
      #expect(rule?["respond"]?["body"] == "AP/+" && rule?["respond"]?["bodyEncoding"] == "base64")
      #expect(rule?["id"]?.string?.hasPrefix("mock-") == true)
    }
  }

  @Test func `what makes no sense is refused, and says why`() async throws {
    for wrong in [
      [], ["--status", "200", "--failure", "timedOut"], ["--failure", "timedOut", "--body", "x"],
      ["--status", "200", "--path", "a", "--path-regex", "b"], ["--status", "200", "--header", "x"],
    ] {
      #expect(try await Tool.run(["mock", "add", "a.b"] + wrong).code == 2)
    }
    try await Served.with { served in
      let refused = try await Tool.run("mock", "add", "a.b", "--failure", "gremlins", "--url", served.url)
      #expect(
        refused.code == 1 && refused.errors.contains("mocks[0].respond.failure must be one of"), "\(refused.errors)")
    }
  }
}
