import Foundation
import Testing

@testable import automobile

/// The real collector, the real SDK in a process of its own, and the command line between them.
@Suite(.serialized) struct `Mock rules, end to end` {
  private func mock(_ served: Served, _ arguments: String...) async throws {
    let done = try await Tool.run(["mock"] + arguments + ["--url", served.url, "--key", "operator-1"])
    try #require(done.code == 0, "\(done.errors)")
  }

  private func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isDone() {
      try #require(ContinuousClock.now < deadline, "\(what)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test(.timeLimit(.minutes(3)))
  func `a rule from the command line answers the app's request, as often as it says, and is recorded`() async throws {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: true)
      defer { app.kill() }
      let bundle = RecordingApp.bundle
      let url = served.url + "mocked"
      #expect(try await app.get(url)["status"] == 404, "there is no such page")
      let before = try await app.status()["control"]?["version"]?.int ?? 0

      try await mock(
        served, "add", bundle, "--id", "teapot", "--path", "/mocked", "--status", "418", "--body", "short and stout",
        "--count", "2")
      try await app.wait { ($0["control"]?["version"]?.int ?? 0) > before }
      let answers = [try await app.get(url), try await app.get(url), try await app.get(url)]
      #expect(answers.map { $0["status"] } == [418, 418, 404])
      #expect(answers.first?["body"] == "short and stout")

      // The document arrives once more, changed in another place: the rule is used up, and stays so.
      let second = try await app.status()["control"]?["version"]?.int ?? 0
      try await mock(served, "add", bundle, "--id", "offline", "--path", "/off*", "--failure", "notConnectedToInternet")
      try await app.wait { ($0["control"]?["version"]?.int ?? 0) > second }
      #expect(try await app.get(url)["status"] == 404)
      #expect(try await app.get(served.url + "offline")["error"] == -1009)

      let client = CollectorClient(url: try #require(URL(string: String(served.url.dropLast()))), key: "operator-1")
      try await wait("the mocked requests are not in the collector") {
        try await client.get("/api/network?mocked=true")["requests"]?.array?.count == 3
      }

      let third = try await app.status()["control"]?["version"]?.int ?? 0
      try await mock(served, "clear", bundle)
      try await app.wait { ($0["control"]?["version"]?.int ?? 0) > third }
      #expect(try await app.get(served.url + "offline")["status"] == 404)
    }
  }
}
