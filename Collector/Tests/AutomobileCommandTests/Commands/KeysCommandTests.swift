import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Projects, keys and retention from the command line` {
  private static let operatorKey = ["AUTOMOBILE_OPERATOR_KEY": "operator-secret"]

  @Test func `a project's tracker is set, printed and removed, and nothing that could be a script is one`() async throws
  {
    try await Served.with(key: "correct-horse", operatorKey: "operator-secret") { served in
      func run(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["projects"] + arguments + ["--url", served.url], environment: Self.operatorKey)
      }
      let template = "https://t.example/new?title={title}&body={url}"
      #expect(try await run("tracker", "com.example.cli", template).errors.contains("There is no project"))
      #expect(try await run("add", "com.example.cli", "--name", "Shop").code == 0)
      #expect(try await run("tracker", "Shop").errors.contains("Shop has no tracker"))
      #expect(try await run("tracker", "com.example.cli", template).output.contains("created at \(template)"))
      for wrong in ["javascript:alert(1)", "vscode://{id}", "https://t.example/{secret}"] {
        let refused = try await run("tracker", "Shop", wrong)
        #expect(refused.code != 0 && refused.errors.contains("tracker"), "\(refused.errors)")
      }
      #expect(try await run("tracker", "Shop").output == template + "\n")
      #expect(try await run("tracker", "Shop", template, "--remove").code != 0)
      #expect(try await run("tracker", "Shop", "--remove").code == 0)
      #expect(try await run("tracker", "Shop", "--json").output.contains("null"))
    }
  }

  @Test func `a project's key is made, delivers, is rotated and revoked`() async throws {
    try await Served.with(key: "correct-horse", operatorKey: "operator-secret") { served in
      func run(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(arguments + ["--url", served.url], environment: Self.operatorKey)
      }
      #expect(try await run("keys").errors.contains("No keys"))
      #expect(try await run("projects", "add", "com.example.cli", "--name", "Shop").code == 0)
      let made = try await run("keys", "add", "--project", "Shop", "--name", "App Store")
      #expect(made.code == 0 && made.lines.count == 1, "\(made.errors)")
      let key = String(try #require(made.lines.first))
      #expect(key.hasPrefix("am_ingest_"))
      let app = Served(running: served.running, url: served.url, directory: served.directory, key: key)
      // Looking whether it arrived asks for a key that reads.
      await #expect(throws: Failure.self) { try await app.deliver([Served.event("custom", ["name": "a"])]) }
      let sessions = try await Tool.run(
        "sessions", "--url", served.url, environment: ["AUTOMOBILE_KEY": "correct-horse"])
      #expect(sessions.lines.count == 2)
      let doctor = try await Tool.run("doctor", "--url", served.url, "--key", key)
      #expect(doctor.code == 1 && doctor.output.contains("keys add --role viewer"), "\(doctor.output)")

      let rotated = try JSON(text: try await run("keys", "rotate", "1", "--grace-days", "3", "--json").output)
      #expect(rotated["id"]?.int == 2)
      let list = try await run("keys")
      #expect(list.output.contains("until ") && list.lines.count == 3, "\(list.output)")
      #expect(try await run("keys", "revoke", "1").code == 0)
      #expect(try await run("keys").lines.count == 2)
      #expect(try await run("keys", "--all").lines.count == 3)
      #expect(try await run("projects", "remove", "com.example.cli").code == 0)
      #expect(try await run("projects", "remove", "com.example.cli").code == 1)

      // Without the operator's key nothing of that is done.
      let refused = try await Tool.run(
        "keys", "add", "--role", "operator", "--url", served.url, environment: ["AUTOMOBILE_KEY": "correct-horse"])
      #expect(refused.code == 2 && refused.errors.contains("operator"))
      for wrong in [
        ["keys", "add"], ["keys", "add", "--role", "king"], ["keys", "rotate", "1", "--grace-days", "-1"],
      ] {
        #expect(try await Tool.run(wrong + ["--url", served.url], environment: Self.operatorKey).code == 2)
      }
    }
  }

  @Test func `retention is set by age and by size, and one leaves the other alone`() async throws {
    try await Served.with { served in
      func run(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["retention"] + arguments + ["--url", served.url])
      }
      #expect(try await run().output.contains("kept forever"))
      #expect(try await run("--days", "30").output.contains("kept for 30 days."))
      #expect(try await run("--size", "20GB").output.contains("kept for 30 days, up to 20.0 GB."))
      #expect(try await run("--days", "forever").output.contains("kept up to 20.0 GB."))
      let json = try JSON(text: try await run("--json").output)
      #expect(json["retention"]?["bytes"]?.int == 20_000_000_000 && json["retention"]?["days"] == nil)
      for wrong in [["--days", "0"], ["--days", "x"], ["--size", "20"], ["--size", "-1GB"]] {
        #expect(try await Tool.run(["retention"] + wrong + ["--url", served.url]).code == 2, "\(wrong)")
      }
      #expect(try await run("--size", "1MB").code == 1)
    }
  }

  @Test func `a project's sessions are kept for days of its own, and it is said which days hold`() async throws {
    try await Served.with { served in
      func run(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(arguments + ["--url", served.url])
      }
      #expect(try await run("projects", "add", "com.example.shop", "--name", "Shop").code == 0)
      let shop = ["retention", "--project", "Shop"]
      func ofShop(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(shop + arguments + ["--url", served.url])
      }
      #expect(try await ofShop().output == "Sessions of Shop are kept forever, as the collector's.\n")
      #expect(try await ofShop("--days", "7").output == "Sessions of Shop are kept for 7 days.\n")
      #expect(try await run("retention").output.contains("Sessions of Shop are kept for 7 days."))
      #expect(try await run("doctor").output.contains("Sessions are kept forever, those of 1 project for less; "))
      // The collector's own are not changed by it, and hold where they are shorter.
      let both = try await run("retention", "--days", "3").output
      #expect(both.contains("Sessions are kept for 3 days."))
      #expect(both.contains("Sessions of Shop are kept for 3 days, as the collector's: its own 7 days are longer."))
      let json = try JSON(text: try await ofShop("--json").output)
      #expect(json["days"]?.int == 7 && json["keptDays"]?.int == 3)
      #expect(try await ofShop("--days", "default").output.contains("kept for 3 days, as the collector's."))
      #expect(try await !run("retention").output.contains("Shop"))
      for wrong in [["--days", "0"], ["--days", "forever"], ["--size", "20GB"]] {
        let refused = try await Tool.run(shop + wrong + ["--url", served.url])
        #expect(refused.code == 2, "\(wrong)")
      }
      #expect(try await run("retention", "--days", "default").code == 2)
      #expect(try await run("retention", "--project", "Tea", "--days", "7").errors.contains("There is no project"))
    }
  }

  @Test func `the doctor tells of what is switched off`() async throws {
    try await Served.with { served in
      _ = try await Tool.run("config", "kill", "com.example.shop", "--url", served.url)
      _ = try await Tool.run("config", "set", "*", "sampling.sessionRate=0.25", "--url", served.url)
      let result = try await Tool.run("doctor", "--url", served.url)
      #expect(result.output.contains("Recording is switched off for com.example.shop."))
      #expect(result.output.contains("automobile config revive com.example.shop"))
      #expect(result.output.contains("25 % of the sessions of all apps are recorded."))
    }
  }
}
