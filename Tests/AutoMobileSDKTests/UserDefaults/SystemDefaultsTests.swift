#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AutoMobileSDK

/// `UserDefaults` itself, in a process whose home is a directory of the test's.
@Suite struct `The system's preferences` {
  @Test func `each type is read as what it was stored as, and removed again`() async throws {
    let home = try TemporaryDirectory()
    let output = home.file("result")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let process = try ProcessRun(
      "defaults-victim", [], output: output, variables: ["HOME": home.url.path])
    #expect(await process.status() == 0)
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "array array [1,\"a\"]", "bool bool true", "data data AQI=", "date date 2001-01-01T00:00:00.000Z",
        "dictionary dictionary {\"a\":[true]}", "double double 1.5", "int int 1", "string string s", "left 0",
      ])
  }
}
#endif
