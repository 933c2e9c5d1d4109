import Foundation
import Testing

@testable import automobile

@Suite struct `The file with the collector's address` {
  @discardableResult
  private static func with<T>(_ text: String, mode: Int, _ body: (String) throws -> T) throws -> T {
    let file = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }

  @Test func `remarks, both kinds of quotes and escapes are read, and what is written is read again`() throws {
    let text = "# mine\n\nurl = \"http://h:1\" # here\r\n key='a\\b'\n"
    let file = try ConnectionFile.parse(text, name: "f")
    #expect(file == ConnectionFile(url: "http://h:1", key: "a\\b"))
    let odd = ConnectionFile(url: "http://h", key: "\"\\#", keyFile: "~/a b")
    #expect(try ConnectionFile.parse(odd.text, name: "f") == odd)
  }

  @Test(arguments: [
    ("uri = \"x\"", "unknown setting “uri”. Did you mean “url”?"), ("url = x", "not in quotes"),
    ("url = \"x\" y", "not in quotes"), ("url", "no “=”"), ("[table]", "no “=”"),
    ("url = \"a\"\nurl = \"b\"", "set twice"),
    ("url = \"\\n\"", "not in quotes"), ("key = \"x", "not in quotes"),
  ])
  func `what it must not hold is named with its line`(text: String, said: String) {
    let failure = #expect(throws: Failure.self) { try ConnectionFile.parse("# first\n" + text, name: "f") }
    #expect(failure?.message.contains(said) == true && failure?.message.contains("line ") == true)
    #expect(failure?.kind == .unavailable)
  }

  @Test func `what others can change is refused, and so is a key that others can read`() throws {
    for (text, mode, isGood) in [
      ("url = \"http://h\"", 0o644, true), ("url = \"http://h\"", 0o664, false), ("url = \"http://h\"", 0o602, false),
      ("key = \"k\"", 0o600, true), ("key = \"k\"", 0o644, false), ("key = \"k\"", 0o640, false),
      ("key-file = \"k\"", 0o644, true),
    ] {
      try Self.with(text, mode: mode) { path in
        let read = Result { try ConnectionFile.read(at: path) }
        #expect(((try? read.get()) != nil) == isGood, "\(text) \(String(mode, radix: 8))")
      }
    }
  }

  @Test func `one that is not there is none, and one that is no text is an error`() throws {
    #expect(try ConnectionFile.read(at: "/nowhere/config.toml") == nil)
    #expect(throws: Failure.self) { try ConnectionFile.read(at: "/tmp") }
    try Self.with(String(repeating: "#", count: 20_000), mode: 0o600) { path in
      #expect(throws: Failure.self) { try ConnectionFile.read(at: path) }
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a pipe of its name is refused, and nobody waits for who writes into it`() throws
  {
    let path = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    #expect(throws: Failure.self) { try ConnectionFile.read(at: path) }
  }

  @Test func `it is written for this user alone, over what was there, and leaves nothing beside it`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "config.toml").path
    for url in ["http://one", "http://two"] {
      try ConnectionFile(url: url, key: "secret").write(to: path)
      #expect(try ConnectionFile.read(at: path) == ConnectionFile(url: url, key: "secret"))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["config.toml"])
    }
  }

  @Test func `it stands where XDG says`() {
    #expect(ConnectionFile.path(["HOME": "/h"]) == "/h/.config/automobile/config.toml")
    #expect(ConnectionFile.path(["HOME": "/h", "XDG_CONFIG_HOME": "/x"]) == "/x/automobile/config.toml")
    #expect(ConnectionFile.path(["HOME": "/h", "XDG_CONFIG_HOME": "relative"]) == "/h/.config/automobile/config.toml")
  }
}
