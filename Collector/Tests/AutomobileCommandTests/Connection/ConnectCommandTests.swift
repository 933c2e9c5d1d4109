import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Which collector is asked` {
  private static let key = "correct-horse-battery"

  private static func withDirectory<T>(_ body: (URL) async throws -> T) async throws -> T {
    let directory = FileManager.default.temporaryDirectory.appending(path: "xdg-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
  }

  @Test func `an option comes before the environment, and that before the file, and doctor says which it was`()
    async throws
  {
    try await Self.withDirectory { xdg in
      let file = xdg.appending(path: "automobile/config.toml")
      try ConnectionFile(url: "http://127.0.0.1:2").write(to: file.path)
      var environment = ["XDG_CONFIG_HOME": xdg.path]
      func url(_ arguments: String...) async throws -> (String?, String) {
        let result = try await Tool.run(["connect", "--json"], environment: environment)
        let doctor = try await Tool.run(["doctor"] + arguments, environment: environment)
        return (try JSON(text: result.output)["url"]?.text, doctor.output)
      }
      #expect(try await url().0 == "http://127.0.0.1:2")
      #expect(try await url().1.contains("No collector at http://127.0.0.1:2 (from \(file.path))"))
      environment["AUTOMOBILE_URL"] = "http://127.0.0.1:3/"
      #expect(try await url().0 == "http://127.0.0.1:3")
      #expect(try await url().1.contains("No collector at http://127.0.0.1:3 (from AUTOMOBILE_URL)"))
      #expect(try await url("--url", "http://127.0.0.1:4").1.contains("http://127.0.0.1:4 (from --url)"))
      environment["AUTOMOBILE_URL"] = "nonsense"
      let wrong = try await Tool.run(["sessions"], environment: environment)
      #expect(wrong.code == 2 && wrong.errors.contains("“nonsense” (from AUTOMOBILE_URL) is not an address."))
      environment["AUTOMOBILE_URL"] = ""
      #expect(try await url().0 == "http://127.0.0.1:2")
      try Data("url = what".utf8).write(to: file)
      let broken = try await Tool.run(["sessions"], environment: environment)
      #expect(broken.code == 2 && broken.errors.contains("line 1"), "\(broken.errors)")
      let told = try await Tool.run(["doctor"], environment: environment)
      #expect(told.code == 1 && told.output.contains("✗ settings"), "\(told.output)")
    }
  }

  @Test func `a collector is saved with its key once it has answered, and the key goes to no other`() async throws {
    try await Self.withDirectory { xdg in
      let environment = ["XDG_CONFIG_HOME": xdg.path]
      let file = xdg.appending(path: "automobile/config.toml")
      let nobody = try await Tool.run(["connect", "http://127.0.0.1:1"], environment: environment)
      #expect(nobody.code == 2 && nobody.errors.contains("Nothing was saved."), "\(nobody.errors)")
      #expect(!FileManager.default.fileExists(atPath: file.path))

      try await Served.with(key: Self.key) { served in
        let keyFile = xdg.appending(path: "key")
        try FileManager.default.createDirectory(at: xdg, withIntermediateDirectories: true)
        try Data("\(Self.key)\n".utf8).write(to: keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile.path)
        let keyless = try await Tool.run(["connect", served.url], environment: environment)
        #expect(keyless.code == 2 && !FileManager.default.fileExists(atPath: file.path))
        let command = "printf %s '\(Self.key)' | '\(Tool.path.path)' connect '\(served.url)' --key-stdin"
        for arguments in [
          ["-c", command], ["-c", "'\(Tool.path.path)' connect '\(served.url)' --key-file '\(keyFile.path)'"],
        ] {
          let saved = try await Tool.run(program: "/bin/sh", arguments, environment: environment)
          #expect(saved.code == 0 && saved.errors.contains("Saved to \(file.path)"), "\(saved.errors)")
          #expect(!saved.output.contains(Self.key))
          let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
          #expect(mode == 0o600)
          #expect(try await Tool.run(["sessions"], environment: environment).code == 0)
        }
        // A program that another address is given to, in whatever way, does not hand the key over.
        for arguments in [["--url", "http://localhost:1"], []] {
          var other = environment
          other["AUTOMOBILE_URL"] = "http://localhost:1"
          let options = try ConnectionOptions.parse(arguments)
          let connection = try options.connection(environment: other)
          #expect(connection.key == nil && connection.hasForeignKey)
        }
        let own = try ConnectionOptions.parse([]).connection(environment: environment)
        #expect(own.key == Self.key && own.keySource == .file(file.path))
        let given = try ConnectionOptions.parse([]).connection(
          environment: environment.merging(["AUTOMOBILE_KEY": "x"]) { $1 })
        #expect(given.key == "x" && given.keySource == .variable("AUTOMOBILE_KEY"))

        #expect(try await Tool.run(["connect", "--forget"], environment: environment).code == 0)
        #expect(
          try await Tool.run(["connect", "--forget"], environment: environment).output.contains("Nothing was saved."))
        #expect(!FileManager.default.fileExists(atPath: file.path))
      }
    }
  }
}
