#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AutoMobileSDK

/// Bodies far larger than what the interception may hold, in a process whose memory is looked at.
@Suite struct LargeBodyTests {
  private struct Result: Decodable {
    var before: Int
    var after: Int
    var received: Int
    var sent: Int
  }
  private static let isSanitized = ProcessInfo.processInfo.environment["AUTOMOBILE_SANITIZED"] != nil
  /// A gigabyte in `make soak`.
  private static let size = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 256 << 20 : 1 << 30

  @Test(.disabled(if: isSanitized, "memory says nothing there"), arguments: ["download", "file", "stream"])
  func `large bodies pass with flat memory`(_ mode: String) async throws {
    let server = try await OddServer()
    let directory = try TemporaryDirectory()
    let output = directory.file("result.json")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let url = server.url(mode == "download" ? "/bytes/\(Self.size)" : "/sink").absoluteString
    let victim = try ProcessRun("network-victim", [mode, url, String(Self.size)], output: output)
    #expect(await victim.status() == 0)
    let result = try JSONDecoder().decode(Result.self, from: Data(contentsOf: output))
    #expect((mode == "download" ? result.received : result.sent) == Self.size)
    let growth = result.after - result.before
    // On a busy machine the system's loader runs ahead of who reads; by a part of the body that is never near all of it.
    #expect(growth < max(64 << 20, Self.size / 8), "\(mode): grew by \(growth) bytes")
  }
}
#endif
