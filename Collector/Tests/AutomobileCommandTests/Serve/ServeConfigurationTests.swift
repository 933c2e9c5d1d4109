import Foundation
import Testing

@testable import automobile

/// The program itself, with a configuration file.
@Suite(.serialized) struct `A collector with a configuration file` {
  /// A directory with the file in it; `DIR` in its text is that directory.
  private static func with(
    _ text: String, mode: Int = 0o600, _ body: (URL, String) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "serve.conf")
    try Data(text.replacing("DIR", with: directory.path).utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    try await body(directory, file.path)
  }

  /// Where it says that it is, and what it said on standard error when it was stopped.
  private static func serve(
    _ words: [String], environment: [String: String] = [:], _ body: (String) async throws -> Void = { _ in }
  ) async throws -> (data: String?, errors: String) {
    let running = try Tool.start(["serve"] + words, environment: environment)
    let place = try JSON(text: try #require(await running.output.line()))
    try await body(try #require(place["url"]?.string))
    running.process.terminate()
    running.process.waitUntilExit()
    return (place["data"]?.string, await running.errors.text())
  }

  @Test func `it starts as the file says, and the command line comes first`() async throws {
    let keys = "key = first-ingest-key\noperator-key = the-operators-key\n"
    let text = "# mine\nport = 0\ndata = DIR/one\njson = true\n" + keys
    try await Self.with(text) { directory, file in
      let served = try await Self.serve(["--config", file]) { url in
        #expect(try await Tool.run("sessions", "--url", url).code == 2)
        let asked = try await Tool.run("sessions", "--url", url, environment: ["AUTOMOBILE_KEY": "the-operators-key"])
        #expect(asked.code == 0, "\(asked.errors)")
      }
      #expect(served.data == directory.appending(path: "one").path && served.errors.isEmpty, "\(served.errors)")

      let other = directory.appending(path: "two").path
      let second = try await Self.serve(["--data", other], environment: ["AUTOMOBILE_CONFIG": file])
      #expect(second.data == other)
    }
  }

  @Test func `a key that others can read is warned of`() async throws {
    try await Self.with("port = 0\ndata = DIR/one\njson = true\nkey = first-ingest-key\n", mode: 0o644) { _, file in
      let errors = try await Self.serve(["--config", file]).errors
      #expect(errors.contains("serve.conf” holds a key and can be read by other users"))
      #expect(!errors.contains("first-ingest-key") && !errors.contains("process list"))
    }
  }

  @Test func `everything that is wrong is said at once, and nothing is started`() async throws {
    let keys = "key = secret-ingest-key\nkey secret-ingest-key\n"
    let text = "data = DIR/one\nport = many\nprot = 1\nnonsense\n" + keys + "audit-days = 0\n"
    try await Self.with(text) { directory, file in
      let result = try await Tool.run("serve", "--config", file)
      #expect(result.code == 2 && result.output.isEmpty)
      for said in ["“\(file)”", "line 2: ", "line 3: ", "line 4: ", "line 6: ", "line 7: ", "nothing was started"] {
        #expect(result.errors.contains(said), "\(result.errors)")
      }
      #expect(!result.errors.contains("line 5: ") && !result.errors.contains("secret-ingest-key"))
      #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "one").path))
      #expect(try await Tool.run("serve", "--config", file, "--help").code == 0)
    }
  }

  @Test func `what is wrong together names the lines, too`() async throws {
    try await Self.with("# mine\n\ntls-key = DIR/key.pem\n") { _, file in
      let result = try await Tool.run("serve", "--config", file)
      #expect(result.code == 2 && result.errors.contains("belong together"), "\(result.errors)")
      #expect(result.errors.contains("In “\(file)”: tls-key in line 3."), "\(result.errors)")
    }
  }

  @Test func `it can be looked at beforehand, without its keys`() async throws {
    let text = "data = DIR/one\nhost = 0.0.0.0\nkey = first-ingest-key\nallow-host = a\nallow-host = b\n"
    try await Self.with(text) { directory, file in
      let words = ["serve", "--config", file, "--check-config", "--port", "9"]
      let told = try await Tool.run(words)
      #expect(told.code == 0 && told.errors.isEmpty, "\(told.errors)")
      for said in ["can be used", "0.0.0.0", "line 2", "(hidden)", "command line"] {
        #expect(told.output.contains(said), "\(told.output)")
      }
      #expect(!told.output.contains("first-ingest-key"))
      let json = try JSON(text: try await Tool.run(words + ["--json"]).output)
      let settings = try #require(json["settings"]?.array)
      let names = settings.compactMap { $0["name"]?.string }
      #expect(names == ["port", "host", "data", "key", "allow-host", "allow-host", "json"])
      #expect(settings[3]["value"] == nil && settings[3]["line"]?.int == 3 && settings[0]["line"] == nil)
      #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "one").path))

      let missing = try await Tool.run(words + ["--ingest-key-file", "/nowhere"])
      #expect(missing.code == 2 && missing.output.isEmpty)
    }
  }
}
