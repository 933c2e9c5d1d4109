import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Exit codes` {
  @Test(arguments: [
    ["frobnicate"], ["serve", "--port", "70000"], ["serve", "--port", "many"], ["sessions", "--limit", "0"],
    ["sessions", "--url", "not an address"], ["sessions", "--url", "ftp://host"],
    ["sessions", "--url", "http://127.0.0.1:1"],
    ["serve", "--host", "0.0.0.0", "--port", "0", "--data", "/dev/null/x"],
    ["demo", "--app", "/nowhere/automobile-demo-app"],
  ])
  func `what cannot be tried ends with 2 and says what to do`(arguments: [String]) async throws {
    let process = try Tool.start(arguments)
    async let output = process.output.text()
    let errors = await process.errors.text()
    process.process.waitUntilExit()
    #expect(process.process.terminationStatus == 2)
    #expect(!errors.isEmpty)
    #expect(await output.isEmpty)
  }

  @Test(arguments: [
    (["sesions"], "Unknown command “sesions”. Did you mean “sessions”?"),
    (["netwrk", "--errors"], "Did you mean “network”?"), (["doc"], "Did you mean “doctor”?"),
    (["logs"], "Did you mean “tail”?"), (["frobnicate"], "Unknown command “frobnicate”."),
    (["keys", "revok", "3"], "Did you mean “revoke”?"), (["config", "kil"], "Did you mean “config kill”?"),
    (["network", "--erors"], "Did you mean '--errors'?"), (["issues", "--status", "opne"], "Did you mean “open”?"),
    (["issues", "--sort", "cont"], "Did you mean “count”?"), (["crashes", "--kind", "crsh"], "Did you mean “crash”?"),
    (["defaults", "app", "lst"], "list"),
  ])
  func `what was mistyped is answered with what may have been meant`(arguments: [String], said: String) async throws {
    let result = try await Tool.run(arguments)
    #expect(result.code == 2 && result.errors.contains(said), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ("mysql://db/x", "--state: a state is kept in postgres://USER@HOST/DATABASE"),
    ("postgres://ada:hunter22@db/x", "PGPASSWORD"), ("postgres://ada@127.0.0.1:1/x", "does not answer"),
  ])
  func `a state that cannot be used ends it with 2, and no password is told`(place: String, said: String) async throws {
    let data = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    let result = try await Tool.run(
      ["serve", "--port", "0", "--data", data.path, "--state", place], environment: ["PGPASSWORD": "correct-horse"])
    #expect(result.code == 2 && result.errors.contains(said), "\(result.errors)")
    for secret in ["hunter22", "correct-horse"] { #expect(!(result.errors + result.output).contains(secret)) }
  }

  @Test(arguments: [
    ("mysql://db/x", "--store: telemetry is kept in clickhouse://USER@HOST/DATABASE"),
    ("clickhouse://ada:hunter22@db/x", "CLICKHOUSE_PASSWORD"),
    ("clickhouse://ada@127.0.0.1:1/x", "no connection to ClickHouse"),
  ])
  func `telemetry that cannot be kept ends it with 2, and no password is told`(place: String, said: String) async throws
  {
    let data = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    let result = try await Tool.run(
      ["serve", "--port", "0", "--data", data.path, "--store", place],
      environment: ["CLICKHOUSE_PASSWORD": "correct-horse"])
    #expect(result.code == 2 && result.errors.contains(said), "\(result.errors)")
    for secret in ["hunter22", "correct-horse"] { #expect(!(result.errors + result.output).contains(secret)) }
  }

  @Test func `help and version end with 0`() async throws {
    let version = try await Tool.run("--version")
    #expect(version.code == 0)
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../../../VERSION").standardizedFileURL
    #expect(version.output == (try String(contentsOf: file, encoding: .utf8)))
    #expect(try await Tool.run("help", "serve").code == 0)
  }

  @Test func `a port that is taken is named`() async throws {
    try await Served.with { served in
      let port = try #require(URL(string: served.url)?.port)
      let data = FileManager.default.temporaryDirectory.appending(path: "taken-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: data) }
      let second = try await Tool.run("serve", "--port", "\(port)", "--data", data.path)
      #expect(second.code == 2)
      #expect(second.errors.contains("Port \(port) is taken"))
      let same = try await Tool.run("serve", "--port", "0", "--data", served.directory.path)
      #expect(same.code == 2)
      #expect(same.errors.contains("another collector is using"))
    }
  }

  @Test func `SIGINT ends serving in good order`() async throws {
    try await Served.with { served in
      served.running.process.interrupt()
      served.running.process.waitUntilExit()
      #expect(served.running.process.terminationReason == .exit)
      #expect(served.running.process.terminationStatus == 0)
    }
  }
}
