import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Backups from the command line` {
  private static let story = [
    Served.event("navigation", ["destination": "Menu", "source": "custom", "arguments": [:], "metadata": [:]]),
    Served.event("log", ["level": 2, "message": "one", "tag": "pay", "filterName": "all"]),
  ]

  private static func place() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "backups-\(UUID().uuidString)")
  }

  @Test func `a backup beside a running collector is made, checked, and restored into one that answers the same`()
    async throws
  {
    let place = Self.place()
    defer { try? FileManager.default.removeItem(at: place) }
    try await Served.with { served in
      try await served.deliver(Self.story)
      let (data, backups) = (served.directory.path, place.appending(path: "all").path)
      let made = try await Tool.run("backup", "--data", data, "--to", backups, "--json")
      #expect(made.code == 0, "\(made.errors)")
      let answer = try JSON(text: made.output)
      #expect(answer["sessions"] == 1 && answer["events"] == 2 && answer["backup"]?.text.hasPrefix(backups) == true)
      let checked = try await Tool.run("backup", "--check", backups)
      #expect(checked.code == 0 && checked.output.contains("is whole"), "\(checked.errors)")
      #expect(checked.output.contains("1 session with 2 events"), "\(checked.output)")
      let restored = place.appending(path: "restored").path
      #expect(try await Tool.run("restore", backups, "--data", restored).code == 0)
      let again = try await Tool.run("restore", backups, "--data", restored)
      #expect(again.code == 1 && again.errors.contains("is not empty"), "\(again.errors)")
      let running = try Tool.start(["serve", "--port", "0", "--data", restored, "--json"])
      defer {
        running.process.terminate()
        running.process.waitUntilExit()
      }
      let line = try #require(await running.output.line())
      let url = try #require(try JSON(text: line)["url"]?.string)
      let shown = try await Tool.run("show", "latest", "--url", url)
      let original = try await Tool.run("show", "latest", "--url", served.url)
      #expect(shown.code == 0 && shown.output == original.output)
    }
  }

  @Test func `one that is killed leaves the others whole, and the next one cleans up`() async throws {
    let place = Self.place()
    defer { try? FileManager.default.removeItem(at: place) }
    try await Served.with { served in
      try await served.deliver(Self.story)
      let (data, backups) = (served.directory.path, place.path)
      // Enough to copy that a kill meets it at work.
      let replays = served.directory.appending(path: "replays")
      try FileManager.default.createDirectory(at: replays, withIntermediateDirectories: true)
      for number in 1000..<1020 {
        try Data(repeating: UInt8(number & 255), count: 4 << 20).write(to: replays.appending(path: "\(number).pack"))
      }
      let start = ContinuousClock.now
      let first = try Tool.start(["backup", "--data", data, "--to", backups])
      first.process.waitUntilExit()
      /// Microseconds that one takes which copies all.
      let whole = UInt32((ContinuousClock.now - start) / .microseconds(1))
      #expect(first.process.terminationStatus == 0)
      var killed = 0
      for round in 0..<12 {
        // So that each has to copy.
        for number in 1000..<1020 {
          let file = try FileHandle(forWritingTo: replays.appending(path: "\(number).pack"))
          try file.seekToEnd()
          try file.write(contentsOf: Data("round \(round)".utf8))
          try file.close()
        }
        let backup = try Tool.start(["backup", "--data", data, "--to", backups])
        // On this thread: a pause that other tests' work makes longer would meet it when it is done.
        usleep(UInt32.random(in: 0...whole / 10 * 9))
        kill(backup.process.processIdentifier, SIGKILL)
        backup.process.waitUntilExit()
        if backup.process.terminationReason == .uncaughtSignal { killed += 1 }
        let checked = try await Tool.run("backup", "--check", backups)
        #expect(checked.code == 0, "\(checked.errors)")
      }
      #expect(killed > 0)
      try await Task.sleep(for: .seconds(1))
      let made = try await Tool.run("backup", "--data", data, "--to", backups, "--keep", "1")
      #expect(made.code == 0, "\(made.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: backups).count == 1)
      #expect(!FileManager.default.fileExists(atPath: served.directory.appending(path: "backup-stage").path))
      #expect(try await Tool.run("backup", "--check", backups).code == 0)
    }
  }

  @Test func `what makes no sense is refused with what to do`() async throws {
    for arguments in [["backup"], ["backup", "--to", "a", "--check", "b"], ["backup", "--to", "a", "--keep", "0"]] {
      let refused = try await Tool.run(arguments)
      #expect(refused.code == 2 && refused.errors.contains("--"), "\(refused.errors)")
    }
    let empty = Self.place()
    let none = try await Tool.run("backup", "--data", empty.path, "--to", "/tmp/never")
    #expect(none.code == 1 && none.errors.contains("holds no recordings"), "\(none.errors)")
    let missing = try await Tool.run("restore", empty.path, "--data", empty.path + "-new")
    #expect(missing.code == 1 && missing.errors.contains("is no backup"), "\(missing.errors)")
  }
}
