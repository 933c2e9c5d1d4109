import Foundation

/// What the viewer asks, against a collector with much in it: `collector-bench viewer [--sessions N] [--events N]
/// [--data DIR] [--json]`.
///
/// The data goes through the real way in. With `--data` it is built once and found again the next time.
enum ViewerFigures {
  static func run(_ arguments: [String], _ value: (String) -> String?) throws {
    let sessions = value("--sessions").flatMap { Int($0) } ?? 1000
    let events = value("--events").flatMap { Int($0) } ?? 5_000_000
    let kept = value("--data").map { URL(filePath: $0).appending(path: "viewer-\(sessions)-\(events)") }
    let directory = kept ?? URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { if kept == nil { try? FileManager.default.removeItem(at: directory) } }
    let server = try Server(directory: directory, fullText: true)
    defer { server.stop() }
    let mark = directory.appending(path: "complete")
    if !FileManager.default.fileExists(atPath: mark.path) {
      note("building \(sessions) sessions with \(events) events in \(directory.path)")
      let start = Date()
      try Story(sessions: sessions, events: events).send(to: server.port)
      var seen = 0
      while seen < events {
        Thread.sleep(forTimeInterval: 0.5)
        seen = try Metrics(port: server.port).indexed
      }
      try Data().write(to: mark)
      note("built in \(Int(Date().timeIntervalSince(start))) s")
    }
    // Now, for a connection on which nothing happens for a minute is closed.
    let connection = try Connection(port: server.port)
    let results = try questions(connection).map { try $0.measure(on: connection) }
    if arguments.contains("--json") {
      print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))
    } else {
      print("\(sessions) sessions, \(events) events; milliseconds at the server's door")
      for result in results { print(result) }
    }
  }

  private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private static func questions(_ connection: Connection) throws -> [Question] {
    guard
      let list = try connection.json("/api/sessions?limit=50"),
      let ids = (list["sessions"] as? [[String: Any]])?.compactMap({ $0["sessionId"] as? String }), let id = ids.last,
      let next = list["next"] as? String
    else { throw Failure("there are no sessions") }
    return [
      Question("session list", "/api/sessions?limit=50", limit: 50),
      Question("session list, second page", "/api/sessions?limit=50&before=\(next)", limit: 50),
      Question("sessions by user", "/api/sessions?q=user17", limit: 50),
      Question("sessions by screen, nothing found", "/api/sessions?q=nosuchscreen", limit: 200),
      Question("session page: session", "/api/sessions/\(id)", limit: 100),
      Question("session page: first 500 events", "/api/sessions/\(id)/events?limit=500", limit: 100),
      Question("session page: text within", "/api/sessions/\(id)/events?limit=500&q=declined", limit: 200),
      Question("search, rare word", "/api/events?q=unicorn\(id.prefix(4))", limit: 200),
      Question("search, one in a thousand", "/api/events?q=declined", limit: 200),
      Question("search, in half of all events", "/api/events?q=roastery", limit: 200),
      Question("search, beginning of common words", "/api/events?q=pro", limit: 200),
      Question("search, two common words", "/api/events?q=roastery%20message", limit: 200),
      Question("search, words never together", "/api/events?q=roastery%20declined%20tapped", limit: 200),
      Question("search, common word of a rare type", "/api/events?q=payment&type=crash", limit: 200),
      Question("events of a rare type", "/api/events?type=crash,hang", limit: 200),
      Question("network list", "/api/network?limit=100", limit: 200),
      Question("network, slowest", "/api/network?limit=100&sort=slowest", limit: 200),
      Question("network, failed of a host", "/api/network?limit=100&failed=true&host=api.roastery.example", limit: 200),
      Question("network, search", "/api/network?limit=100&q=checkout", limit: 200),
      Question("network statistics", "/api/network/stats", limit: nil),
      Question("issue list", "/api/issues?limit=50", limit: 200),
      Question("issue list, by sessions", "/api/issues?limit=50&sort=sessions", limit: 200),
      Question("reports", "/api/reports?limit=50", limit: 200),
      Question("app health, 14 days", "/api/health", limit: 200),
      Question("launches", "/api/launches", limit: 100),
      Question("settings", "/api/settings", limit: 100),
    ]
  }
}

/// One request, and how long its answer takes.
struct Question {
  var name: String
  var path: String
  /// The target, in milliseconds; nil: none is set.
  var limit: Double?

  init(_ name: String, _ path: String, limit: Double?) {
    self.name = name
    self.path = path
    self.limit = limit
  }

  struct Result: Encodable, CustomStringConvertible {
    var name: String
    var medianMs: Double
    var worstMs: Double
    var bytes: Int
    var targetMs: Double?

    var description: String {
      let columns = [
        name.padding(toLength: 38, withPad: " ", startingAt: 0), Self.column(medianMs), Self.column(worstMs),
        targetMs.map { medianMs <= $0 ? "" : "  over \(Int($0))" } ?? "",
      ]
      return columns.joined(separator: " ") + "  (\(bytes) bytes)"
    }

    private static func column(_ value: Double) -> String {
      let text = String(format: "%.1f", value)
      return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
  }

  /// Once to warm up, then nine times.
  func measure(on connection: Connection) throws -> Result {
    var times: [Double] = []
    var size = 0
    for round in 0..<10 {
      let start = DispatchTime.now().uptimeNanoseconds
      guard let (status, body) = connection.get(path), status == 200 else { throw Failure("\(path) failed") }
      if round > 0 { times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6) }
      size = body.count
    }
    times.sort()
    return Result(
      name: name, medianMs: times[times.count / 2], worstMs: times[times.count - 1], bytes: size, targetMs: limit)
  }
}
