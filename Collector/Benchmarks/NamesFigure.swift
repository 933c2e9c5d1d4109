import Foundation

/// What an app that lies does to *App health*: every launch is of another version. `collector-bench names [--versions N]`.
enum NamesFigure {
  private static let batch = 500

  static func run(_ value: (String) -> String?) throws {
    let versions = value("--versions").flatMap { Int($0) } ?? 120_000
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try Server(directory: directory, fullText: false)
    defer { server.stop() }
    let connection = try Connection(port: server.port)
    for first in stride(from: 0, to: versions, by: batch) {
      let launches = first..<min(first + batch, versions)
      while !connection.exchange(try delivery(of: launches)) { Thread.sleep(forTimeInterval: 0.5) }
    }
    try server.waitForIndex(versions, every: 0.5)
    let asking = try Connection(port: server.port)
    print(
      try Question(
        "app health, \(versions) versions", "/api/health", limit: nil, .exactly(versions, "launchTime.count")
      ).measure(on: asking))
    try check(asking.json("/api/health"), versions)
  }

  /// A figure of an answer that has not counted them all would say nothing.
  private static func check(_ health: [String: Any]?, _ versions: Int) throws {
    let launches = health?["launchTime"] as? [String: Any]
    let listed = (launches?["versions"] as? [Any])?.count ?? 0
    let others = (launches?["otherVersions"] as? [String: Any])?["names"] as? Int ?? 0
    guard listed + others == versions else { throw Failure("\(listed) + \(others) versions, not \(versions)") }
  }

  private static func delivery(of launches: Range<Int>) throws -> [UInt8] {
    let now = Int(Date().timeIntervalSince1970 * 1000)
    let events = launches.map { launch in
      let event = """
        {"eventType":"custom","timestamp":\(now),"name":"App Launch","properties":{"kind":"cold","totalMs":\(100 + launch % 50)},\
        "context":{"sessionId":"s-\(launch / 1000)","appVersion":"1.\(launch)","bundleId":"com.example.names"}}
        """
      return "{\"eventType\":\"custom\",\"payload\":\"\(Data(event.utf8).base64EncodedString())\"}"
    }
    let body = "{\"bundleId\":\"com.example.names\",\"timestamp\":\(now),\"events\":[\(events.joined(separator: ","))]}"
    let head = """
      POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
      Content-Length: \(body.utf8.count)\r\n\r\n
      """
    return Array((head + body).utf8)
  }
}
