#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `Tests/Helpers/websocket-server`, which echoes what it gets and closes when it is told "close".
final class WebSocketServer: @unchecked Sendable {
  // Unchecked for `Process`, which is only used by init and deinit.
  /// Whether `URLSessionWebSocketTask` works here: on Linux it does when libcurl was built with WebSockets.
  static let isSupported: Bool = {
    #if canImport(Darwin)
    return true
    #else
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = ["curl", "--version"]
    curl.standardOutput = output
    guard (try? curl.run()) != nil else { return false }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    curl.waitUntilExit()
    return text.split(whereSeparator: \.isWhitespace).contains("ws")
    #endif
  }()

  private let process = Process()
  private let input = Pipe()
  let url: URL

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    let script = root.appendingPathComponent("Tests/Helpers/websocket-server/server.py").standardizedFileURL
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the server has not started")
      line += more
    }
    let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    url = try #require(URL(string: "ws://127.0.0.1:\(port)/feed?token=S3CRET"))
  }

  /// It ends with its input.
  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
#endif
