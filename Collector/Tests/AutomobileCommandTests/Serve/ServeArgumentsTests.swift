import Foundation
import Testing

@testable import automobile

@Suite struct `Command line and configuration file` {
  private static func with(_ text: String, mode: Int = 0o600, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  private static func arguments(
    _ words: [String], environment: [String: String] = [:], warn: (String) -> Void = { _ in }
  ) throws -> ServeArguments {
    try ServeArguments(words, environment: environment, warn: warn)
  }

  @Test func `what the command line gives comes first, and replaces all values of its option`() throws {
    let text = "port = 1\nallow-host = a\nallow-host = b\nfull-text = false\nhost = ::1\nmcp-commands = true\n"
    try Self.with(text) { path in
      let own = ["--config", path, "--port", "2", "--allow-host=c", "--full-text", "--json"]
      let arguments = try Self.arguments(["serve"] + own)
      #expect(arguments.words == ["serve", "--host=::1", "--mcp-commands"] + own)
      let given = arguments.given.map { "\($0.setting.name)=\($0.value) \($0.line ?? 0)" }
      #expect(
        given == [
          "port=2 0", "host=::1 5", "allow-host=c 0", "full-text=true 0", "mcp-commands=true 6", "json=true 0",
        ])
    }
  }

  @Test func `the other half of a flag is the same option, and of two files the last one counts`() throws {
    try Self.with("full-text = true\nsign-in-link = true\nport = 1\n") { path in
      let own = ["--config=/nowhere", "--no-full-text", "--config=\(path)", "--port", "2", "--port", "3"]
      let arguments = try Self.arguments(["serve"] + own)
      #expect(arguments.words == ["serve", "--sign-in-link"] + own)
      #expect(arguments.given.map(\.value) == ["3", "true", "false"])
    }
  }

  @Test func `the environment names a file, after the command line`() throws {
    try Self.with("port = 1\n") { path in
      let environment = ["AUTOMOBILE_CONFIG": path]
      #expect(try Self.arguments(["serve"], environment: environment).words == ["serve", "--port=1"])
      try Self.with("port = 2\n") { other in
        let words = try Self.arguments(["serve", "--config", other], environment: environment).words
        #expect(words == ["serve", "--port=2", "--config", other])
      }
      #expect(try Self.arguments(["serve"], environment: ["AUTOMOBILE_CONFIG": ""]).words == ["serve"])
    }
  }

  @Test(arguments: [
    ["sessions", "--config", "/nowhere"], ["serve", "--help", "--config", "/nowhere"], ["serve", "--config"],
    ["serve", "--", "--config", "/nowhere"], ["serve", "--config", "--port"], [],
  ])
  func `nothing is read where nobody serves`(words: [String]) throws {
    #expect(try Self.arguments(words).words == words)
  }

  @Test func `what others can change is refused, and a key that they can read is warned of`() throws {
    for (text, mode, warnings) in [
      ("port = 1", 0o644, 0), ("key = 12345678", 0o600, 0), ("key = 12345678", 0o640, 1),
      ("operator-key = 12345678", 0o604, 1), ("ingest-key-file = k", 0o644, 0), ("port = 1", 0o664, nil),
      ("port = 1", 0o602, nil),
    ] as [(String, Int, Int?)] {
      try Self.with(text, mode: mode) { path in
        var said: [String] = []
        let read = Result { try Self.arguments(["serve", "--config", path]) { said.append($0) } }
        #expect((try? read.get()) == nil ? warnings == nil : said.count == warnings, "\(text) \(mode)")
        #expect(said.allSatisfy { $0.contains("can be read by other users") && !$0.contains("12345678") })
      }
    }
  }

  @Test func `whose file is taken depends on who asks`() {
    func trust(_ owner: uid_t, _ mode: mode_t, as user: uid_t) -> FileOwner.Trust {
      var status = stat()
      (status.st_uid, status.st_mode) = (owner, S_IFREG | mode)
      return FileOwner.trust(status, user: user)
    }
    #expect(trust(0, 0o644, as: 0) == .own && trust(0, 0o644, as: 1000) == .own && trust(1000, 0o600, as: 1000) == .own)
    #expect(trust(1000, 0o644, as: 0) == .another)
    for (owner, mode, user) in [(1000, 0o600, 1001), (0, 0o664, 0), (1000, 0o602, 1000)] as [(uid_t, mode_t, uid_t)] {
      guard case .refused = trust(owner, mode, as: user) else {
        Issue.record("\(owner) \(mode) \(user)")
        continue
      }
    }
  }

  @Test func `what is no file is named, and a thousand errors are counted`() throws {
    let directory = FileManager.default.temporaryDirectory.path
    for path in ["/nowhere/serve.conf", directory, "/dev/null", ""] {
      let failure = #expect(throws: Failure.self) { try Self.arguments(["serve", "--config", path]) }
      #expect(failure?.kind == .unavailable && failure?.message.contains("configuration file “\(path)”") == true)
    }
    try Self.with(String(repeating: "#", count: 1 << 20) + "\n") { path in
      let failure = #expect(throws: Failure.self) { try Self.arguments(["serve", "--config", path]) }
      #expect(failure?.message.contains("larger than 1048576 bytes") == true)
    }
    try Self.with(String(repeating: "x\n", count: 1000)) { path in
      let failure = #expect(throws: Failure.self) { try Self.arguments(["serve", "--config", path]) }
      let lines = failure?.advice?.split(separator: "\n").count
      #expect(lines == 101 && failure?.advice?.contains("and 900 lines more") == true)
    }
  }
}
