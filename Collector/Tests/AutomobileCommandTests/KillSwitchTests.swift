import Foundation
import Testing

@testable import automobile

/// The real collector, the real SDK in a process of its own, and the command line between them.
@Suite(.serialized) struct `The kill switch, end to end` {
  private func stored(_ served: Served) async throws -> Int {
    try await launches(served).reduce(0) { $0 + ($1["stored"]?.int ?? 0) }
  }

  private func launches(_ served: Served) async throws -> [JSON] {
    let client = CollectorClient(url: try #require(URL(string: String(served.url.dropLast()))), key: "operator-1")
    return try await client.get("/api/launches")["launches"]?.array ?? []
  }

  private func waitForStored(_ count: Int, _ served: Served) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await stored(served) < count {
      try #require(ContinuousClock.now < deadline, "the events were not stored in time")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func waitForMark(_ directory: URL) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !FileManager.default.subpathsOfDirectory(atPath: directory.path).contains(where: { $0.hasSuffix(".off") })
    {
      try #require(ContinuousClock.now < deadline, "the kill switch was not written down")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func config(_ verb: String, _ served: Served) async throws {
    let done = try await Tool.run(
      "config", verb, RecordingApp.bundle, "--url", served.url, "--key", "operator-1")
    try #require(done.code == 0, "\(done.errors)")
  }

  @Test(.timeLimit(.minutes(3)))
  func `an app that is switched off stays off when it is launched again, and comes back when it is revived`()
    async throws
  {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let directory = served.directory.appending(path: "app")
      // It asks for no commands, as a release build: only the answer to a delivery can tell it.
      let first = try RecordingApp(endpoint: served.url, directory: directory, takesCommands: false)
      defer { first.kill() }
      try first.record(5)
      try await waitForStored(5, served)
      try await config("kill", served)
      #expect(try await first.status()["isEnabled"] == true)
      try first.record(1)
      // It is off first, and says why a moment later.
      try await first.wait { $0["isEnabled"] == false && $0["control"]?["isRecordingAllowed"] == false }
      try first.record(100)
      let later = try await first.status()
      #expect(later["recorded"]?.int == 106)
      #expect(later["dropped"] == ["disabled": 100])
      #expect(try await stored(served) == 6)
      // Written down behind that: a launch that is killed before hears of it at its next delivery.
      try await waitForMark(directory)
      first.kill()

      let second = try RecordingApp(endpoint: served.url, directory: directory, takesCommands: true)
      defer { second.kill() }
      try second.record(10)
      let relaunched = try await second.status()
      #expect(relaunched["isEnabled"] == false)
      #expect(relaunched["dropped"] == ["disabled": 10])
      #expect(relaunched["delivery"]?["requests"]?.int == 0)

      try await config("revive", served)
      try await second.wait { $0["isEnabled"] == true }
      try second.record(3)
      try await waitForStored(9, served)
      // Both ledgers are exact, the one of the launch that was killed while it was off, too. The second launch has also told
      // what ended the first.
      let deadline = ContinuousClock.now + .seconds(60)
      while true {
        let ledgers = try await launches(served)
        let recorded = ledgers.compactMap { $0["recorded"]?.int }.sorted()
        if recorded == [14, 106], ledgers.allSatisfy({ ($0["lost"]?.int ?? 0) == 0 }) { break }
        try #require(ContinuousClock.now < deadline, "\(ledgers.map(\.line))")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  @Test(.timeLimit(.minutes(3))) func `a debug build answers commands, and hears of a change at once`() async throws {
    try await Served.with(key: "app-key-1", operatorKey: "operator-1") { served in
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: true)
      defer { app.kill() }
      let deadline = ContinuousClock.now + .seconds(60)
      while try await Tool.run("command", "--url", served.url, "--key", "operator-1", "--json").lines.isEmpty {
        try #require(ContinuousClock.now < deadline, "the app does not listen")
      }
      let ping = try await Tool.run("command", "ping", RecordingApp.bundle, "--url", served.url, "--key", "operator-1")
      #expect(ping.code == 0, "\(ping.errors)")
      #expect(ping.output.contains("✓ ping") && ping.output.contains("sdkVersion"))
      let launch = try #require(try await app.status()["launchId"]?.string)
      let diagnostics = try await Tool.run(
        "command", "diagnostics", String(launch.prefix(8)), "--url", served.url, "--key", "operator-1", "--json")
      #expect(try JSON(text: diagnostics.output)["answer"]?["result"]?["launchId"] == .string(launch))
      let unknown = try await Tool.run(
        "command", "dance", RecordingApp.bundle, "--url", served.url, "--key", "operator-1")
      #expect(unknown.code == 1)
      #expect(unknown.errors.contains("diagnostics, flush, ping"))
      // It records nothing and delivers nothing here: the open question tells it.
      try await config("kill", served)
      try await app.wait { $0["isEnabled"] == false }
      try await config("revive", served)
      try await app.wait { $0["isEnabled"] == true }
    }
  }
}
