import Foundation

/// What the second wall costs: the same events through a collector without rules and through one with all patterns and some fields, in
/// processor time for an event, from the socket into the index. `collector-bench redact [--events N]`.
enum RedactFigure {
  private static let rules =
    ["email", "card", "token", "iban", "ip", "phone"].map { "{\"pattern\":\"\($0)\"}" }
    + ["password", "authorization", "access_token", "ssn", "pin"].map { "{\"field\":\"\($0)\"}" }

  static func run(_ value: (String) -> String?) throws {
    let events = value("--events").flatMap { Int($0) } ?? 500_000
    // Each twice, by turns: a machine that is busy with others is so for both.
    var measured: [Bool: [ProcessUsage.Seconds]] = [:]
    for hasRules in [false, true, true, false] {
      measured[hasRules, default: []].append(try measure(events, hasRules: hasRules))
    }
    func least(_ hasRules: Bool, _ part: (ProcessUsage.Seconds) -> Double) -> Double {
      (measured[hasRules] ?? []).map(part).min().map { $0 / Double(events) * 1e6 } ?? 0
    }
    func tell(_ what: String, _ part: (ProcessUsage.Seconds) -> Double) {
      let (without, with) = (least(false, part), least(true, part))
      print(
        String(
          format: "%@: %.1f µs of processor time for an event without rules, %.1f with \(rules.count): %.2f times",
          what, without, with, with / without))
    }
    tell("receiving, checking, writing", \.others)
    tell("from the socket into the index", { $0.others + $0.indexer })
  }

  private static func measure(_ events: Int, hasRules: Bool) throws -> ProcessUsage.Seconds {
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try Server(directory: directory, fullText: false)
    defer { server.stop() }
    let connection = try Connection(port: server.port)
    for rule in hasRules ? rules : [] {
      let head = """
        POST /api/redactions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(rule.utf8.count)\r\n\r\n
        """
      guard connection.exchange(Array((head + rule).utf8)) else { throw Failure("the rule \(rule) was not taken") }
    }
    let usage = ProcessUsage(server.process.processIdentifier)
    let before = usage.seconds()
    _ = try Load(port: server.port, events: events, connections: 4, batch: 500).run()
    try server.waitForIndex(events, every: 0.1)
    let after = usage.seconds().subtracting(before)
    // Nothing of these events is a thing to take out: what is measured is the looking.
    _ = try Question(
      "events that are kept", "/api/settings", limit: nil, .exactly(events, "storage.events")
    ).ask(connection)
    return after
  }
}
