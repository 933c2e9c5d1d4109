import Foundation
import Testing

@testable import automobile

@Suite struct `Keys that stay out of the process list` {
  private static func withDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
  }

  private static func file(_ text: String, _ mode: mode_t = 0o600, in directory: URL) throws -> String {
    let path = directory.appending(path: UUID().uuidString).path
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(chmod(path, mode) == 0)
    return path
  }

  /// A collector with these arguments and variables, and what it says on standard error.
  private static func serve(
    _ arguments: [String], environment: [String: String] = [:], in directory: URL,
    _ body: (String, Int32) async throws -> Void
  ) async throws -> String {
    let data = directory.appending(path: UUID().uuidString).path
    let running = try Tool.start(
      ["serve", "--port", "0", "--data", data, "--json"] + arguments, environment: environment)
    let place = try JSON(text: try #require(await running.output.line()))
    try await body(try #require(place["url"]?.string), running.process.processIdentifier)
    running.process.terminate()
    running.process.waitUntilExit()
    return await running.errors.text()
  }

  @Test func `a collector and its clients take keys from files, and nobody sees them or is warned`() async throws {
    try await Self.withDirectory { directory in
      let ingest = try Self.file("# for the apps\n\n  first-ingest-key \nsecond-ingest-key\r\n", in: directory)
      let operators = try Self.file("the-operators-key\n", in: directory)
      let errors = try await Self.serve(
        ["--ingest-key-file", ingest, "--operator-key-file", operators], in: directory
      ) { url, pid in
        #if os(Linux)
        let list = try Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))
        for key in ["first-ingest-key", "the-operators-key"] { #expect(list.range(of: Data(key.utf8)) == nil) }
        #endif
        #expect(try await Tool.run("sessions", "--url", url).code == 2)
        for key in ["first-ingest-key", "second-ingest-key"] {
          let file = try Self.file(key, in: directory)
          let asked = try await Tool.run("sessions", "--url", url, "--key-file", file)
          #expect(asked.code == 0 && !asked.errors.contains("warning"), "\(asked.errors)")
        }
        let added = try await Tool.run("keys", "add", "--role", "viewer", "--url", url, "--key-file", operators)
        #expect(added.code == 0, "\(added.errors)")
        #expect(try await Tool.run("keys", "add", "--role", "viewer", "--url", url, "--key-file", ingest).code == 2)
      }
      #expect(errors.isEmpty)
    }
  }

  @Test func `several keys fit into the environment, for the collector and for its clients`() async throws {
    try await Self.withDirectory { directory in
      let keys = [
        "AUTOMOBILE_KEY": "first-ingest-key second-ingest-key", "AUTOMOBILE_OPERATOR_KEY": "the-operators-key",
      ]
      let errors = try await Self.serve([], environment: keys, in: directory) { url, _ in
        for key in ["first-ingest-key", "second-ingest-key", "the-operators-key"] {
          let asked = try await Tool.run("sessions", "--url", url, environment: ["AUTOMOBILE_KEY": key])
          #expect(asked.code == 0)
        }
      }
      #expect(errors.isEmpty)
    }
  }

  @Test func `keys as arguments still serve, with one warning that says what to do`() async throws {
    try await Self.withDirectory { directory in
      let errors = try await Self.serve(
        ["--key", "first-ingest-key", "--operator-key", "the-operators-key"], in: directory
      ) { url, _ in
        let asked = try await Tool.run("sessions", "--url", url, "--key", "first-ingest-key")
        #expect(asked.code == 0)
        let warnings = asked.errors.split(separator: "\n").filter { $0.contains("process list") }
        #expect(warnings.count == 1 && warnings[0].contains("--key-file or AUTOMOBILE_KEY"))
        // The key in the command comes before the one in the environment.
        let both = try await Tool.run(
          ["sessions", "--url", url, "--key", "first-ingest-key"], environment: ["AUTOMOBILE_KEY": "not-this-one"])
        #expect(both.code == 0)
      }
      #expect(
        errors.contains("--key is visible to all users in the process list") && errors.contains("--ingest-key-file"))
      #expect(errors.contains("--operator-key is visible to all users in the process list"))
      #expect(!errors.contains("first-ingest-key") && !errors.contains("the-operators-key"))
    }
  }

  @Test func `a key file that others can change is refused, one that others can read is warned of`() async throws {
    try await Self.withDirectory { directory in
      for mode: mode_t in [0o602, 0o620, 0o666, 0o777] {
        let path = try Self.file("first-ingest-key", mode, in: directory)
        for command in [["serve", "--port", "0", "--ingest-key-file", path], ["sessions", "--key-file", path]] {
          let refused = try await Tool.run(command)
          #expect(refused.code == 2 && refused.errors.contains("can be changed by other users"), "\(refused.errors)")
        }
      }
      for mode: mode_t in [0o644, 0o640, 0o604] {
        let path = try Self.file("first-ingest-key", mode, in: directory)
        let errors = try await Self.serve(["--ingest-key-file", path], in: directory) { _, _ in }
        #expect(errors.contains("can be read by other users") && !errors.contains("first-ingest-key"))
      }
    }
  }

  @Test func `a key file that holds no key, or is none, is named`() async throws {
    try await Self.withDirectory { directory in
      for path in [
        try Self.file("", in: directory), try Self.file("# only words\n\n", in: directory), directory.path,
        directory.appending(path: "nothing").path, try Self.file(String(repeating: "x", count: 100_000), in: directory),
      ] {
        let refused = try await Tool.run("serve", "--port", "0", "--operator-key-file", path)
        #expect(refused.code == 2 && refused.errors.contains("key file"), "\(refused.errors)")
      }
    }
  }

  @Test func `the help names files and the environment before arguments`() async throws {
    for command in ["serve", "sessions"] {
      let help = try await Tool.run(command, "--help").output
      let file = try #require(help.range(of: "key-file"))
      let argument = try #require(help.range(of: "--key <key>"))
      #expect(file.lowerBound < argument.lowerBound)
      #expect(help.contains("AUTOMOBILE_KEY") && help.contains("process list"))
    }
  }
}
