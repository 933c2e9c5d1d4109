import Foundation

/// A session given out as a trace: `collector-bench trace [--events N]`.
enum TraceFigure {
  static func run(_ value: (String) -> String?) throws {
    let events = value("--events").flatMap { Int($0) } ?? 100_000
    try Server.withDirectory { try run(events, $0) }
  }

  private static func run(_ events: Int, _ directory: URL) throws {
    try Server.with(directory) { server in
      try Story(sessions: 1, events: events).send(to: server.port)
      try server.waitForIndex(events)
    }
    // Another process, so that its memory is not what taking in has left.
    try Server.with(directory) { server in
      let list = try Connection(port: server.port).json("/api/sessions?limit=1")
      guard let session = (list?["sessions"] as? [[String: Any]])?.first?["sessionId"] as? String else {
        throw Failure("there is no session")
      }
      let usage = ProcessUsage(server.process.processIdentifier)
      let idle = Int(usage.peakResidentMegabytes)
      let connection = try Connection(port: server.port)
      let start = Date()
      let file = try connection.chunked("/api/sessions/\(session)/trace")
      let seconds = Date().timeIntervalSince(start)
      let found = try count(file)
      guard found.events == events else { throw Failure("\(found.events) events, not \(events)") }
      print(
        """
        Trace: a session of \(events) events of all kinds, by HTTP
          \(Int(seconds * 1000)) ms (at most 2000), \(found.records) records, \(file.count >> 20) MB
          memory of the collector \(Int(usage.peakResidentMegabytes)) MB at most (100), \(idle) MB of it when idle
        """)
    }
  }

  /// What a reader of the format finds.
  private static func count(_ file: [UInt8]) throws -> (events: Int, records: Int) {
    let trace = try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any]
    let records = trace?["traceEvents"] as? [[String: Any]] ?? []
    let events = records.filter { ($0["args"] as? [String: Any])?["event"] != nil }
    return (events.count, records.count)
  }
}
