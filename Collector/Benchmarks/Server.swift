import Foundation

/// A collector in a process of its own: this program again.
final class Server {
  let port: Int
  let process = Process()

  /// - Parameter store: `clickhouse://…`, when telemetry is to be there.
  init(directory: URL, fullText: Bool, store: String? = nil) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments =
      ["serve", directory.path] + (fullText ? ["--full-text"] : []) + (store.map { ["--store", $0] } ?? [])
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw Failure("the collector did not start") }
    self.port = port
  }

  func stop() {
    // Not as by Ctrl-C: who was started in the background does not hear that.
    process.terminate()
    process.waitUntilExit()
  }

  /// Waits until so many events are in the index, as long as it gets on; looks every so many seconds.
  func waitForIndex(_ events: Int, every interval: Double = 0.2) throws {
    let patience = Patience("the index")
    while case let seen = try Metrics(port: port).indexed, seen < events {
      try patience.note(seen)
      Thread.sleep(forTimeInterval: interval)
    }
  }

  /// Calls `body` with one, and stops it.
  static func with(_ directory: URL, fullText: Bool = false, _ body: (Server) throws -> Void) throws {
    let server = try Server(directory: directory, fullText: fullText)
    defer { server.stop() }
    try body(server)
  }

  /// Calls `body` with a directory that goes with it.
  static func withDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
  }
}

extension Connection {
  /// The answer's status and body; it must have a length.
  func get(_ path: String) -> (status: Int, body: [UInt8])? {
    guard send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) else { return nil }
    var answer: [UInt8] = []
    var body: (start: Int, end: Int, status: Int)?
    while true {
      guard let part = receive() else { return nil }
      answer += part
      if body == nil, let end = Self.endOfHead(answer) {
        let head = String(decoding: answer[..<end], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = head.first { $0.hasPrefix("content-length:") }.flatMap {
          Int($0.dropFirst(15).filter { $0 != " " })
        }
        let status = head.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
        body = (end, end + (length ?? 0), status ?? 0)
      }
      if let body, answer.count >= body.end { return (body.status, Array(answer[body.start..<body.end])) }
    }
  }

  func json(_ path: String) throws -> [String: Any]? {
    guard let (status, body) = get(path), status == 200 else { return nil }
    return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in 0...(bytes.count - 4) where bytes[index] == 13 {
      if bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 { return index + 4 }
    }
    return nil
  }
}
