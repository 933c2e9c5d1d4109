import Foundation
import Testing

/// The shop's WebSocket, on the loopback interface: `Tests/Helpers/websocket-server`, which echoes what it gets.
final class UpdatesServer: @unchecked Sendable {
  // Unchecked for `Process`, which is only used by init and deinit.
  private let process = Process()
  private let input = Pipe()
  let port: UInt16

  static func start() async throws -> UpdatesServer { try await Task.detached { try UpdatesServer() }.value }

  private init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", root.appendingPathComponent("Tests/Helpers/websocket-server/server.py").standardizedFileURL.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the server has not started")
      line += more
    }
    port = try #require(UInt16(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// It ends with its input.
  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
