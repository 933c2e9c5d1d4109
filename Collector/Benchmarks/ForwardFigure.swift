import Foundation

/// What forwarding manages and costs: `collector-bench forward [--events N] [--rounds N]`.
///
/// First a forwarder sends what the index holds; then apps deliver as fast as they are answered, in turns with and without a
/// forwarder that sends what comes. In the end the receiver must have had every record, and each once.
enum ForwardFigure {
  private static let connections = 8
  private static let batch = 500

  static func run(_ value: (String) -> String?) throws {
    let events = value("--events").flatMap { Int($0) } ?? 1_000_000
    let rounds = value("--rounds").flatMap { Int($0) } ?? 5
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try Server(directory: directory, fullText: false)
    defer { server.stop() }
    let receiver = try ForwardReceiver()
    defer { receiver.stop() }

    var total = 0
    _ = try deliver(events, &total, server)
    let connection = try Connection(port: server.port)
    let usage = ProcessUsage(server.process.processIdentifier)
    let before = usage.seconds()
    let start = Date()
    try change(
      "POST", "", "{\"url\":\"http://127.0.0.1:\(receiver.port)\",\"name\":\"bench\",\"fromBeginning\":true}",
      connection)
    try wait(total, connection)
    let elapsed = Date().timeIntervalSince(start)
    let cpu = usage.seconds().subtracting(before)
    print(
      """
      forwarding: \(events) events of about 150 bytes, protobuf, gzip, to a receiver on this machine
        alone        \(Int(Double(events) / elapsed)) records/s (at least 50000), \
      \(Int(Double(events) / max(cpu.others + cpu.indexer, 0.001))) per core
      """)

    var (without, with): ([Rates], [Rates]) = ([], [])
    for round in 0..<rounds * 2 {
      // In turns, and whoever is first changes: the index grows.
      let forwards = (round % 2 == 0) == (round / 2 % 2 == 0)
      try change("PUT", "/1", "{\"paused\":\(!forwards)}", connection)
      if forwards { try wait(total, connection) }
      let rates = try deliver(events, &total, server)
      if forwards { with.append(rates) } else { without.append(rates) }
      let sent = try self.sent(connection)
      print("  round \(round + 1)\(forwards ? ", forwarding" : "")  \(rates), \(total - sent) behind at its end")
    }
    for (name, rate) in [("acknowledged", \Rates.acknowledged), ("indexed", \Rates.indexed)] {
      let (one, other) = (median(without.map { $0[keyPath: rate] }), median(with.map { $0[keyPath: rate] }))
      let share = (1 - other / one) * 100
      print("  \(name)  \(Int(one))/s without, \(Int(other))/s with: \((share * 10).rounded() / 10) % less (at most 5)")
    }
    try change("PUT", "/1", "{\"paused\":false}", connection)
    try wait(total, connection)
    print("  memory of the collector \(Int(usage.peakResidentMegabytes)) MB at most")
    let found = try receiver.judge()
    guard found.records == total, found.different == total else {
      throw Failure(
        "the receiver had \(found.records) records, \(found.different) of them different, instead of \(total)")
    }
    print("  the receiver had \(found.records) records, each once, in \(found.bytes / found.records) bytes each")
  }

  struct Rates: CustomStringConvertible {
    /// Durable and answered, and in the index, each a second.
    var acknowledged: Double
    var indexed: Double
    var description: String { "acknowledged \(Int(acknowledged))/s, indexed \(Int(indexed))/s" }
  }

  private static func deliver(_ events: Int, _ total: inout Int, _ server: Server) throws -> Rates {
    let load = try Load(port: server.port, events: events, connections: connections, batch: batch)
    let start = Date()
    _ = try load.run()
    let acknowledged = Date().timeIntervalSince(start)
    total += events
    try server.waitForIndex(total, every: 0.02)
    return Rates(
      acknowledged: Double(events) / acknowledged, indexed: Double(events) / Date().timeIntervalSince(start))
  }

  private static func change(_ method: String, _ path: String, _ body: String, _ connection: Connection) throws {
    let request = """
      \(method) /api/forwarders\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
      Content-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    guard connection.exchange(Array(request.utf8)) else { throw Failure("the collector did not take \(body)") }
  }

  private static func sent(_ connection: Connection) throws -> Int {
    let forwarders = try connection.json("/api/forwarders")?["forwarders"] as? [[String: Any]]
    let lanes = forwarders?.first?["lanes"] as? [[String: Any]]
    guard let logs = lanes?.first(where: { $0["signal"] as? String == "logs" }), let sent = logs["sent"] as? Int else {
      throw Failure("no forwarder is listed")
    }
    guard (logs["rejected"] as? Int, logs["expired"] as? Int) == (0, 0) else {
      throw Failure("records are lost: \(logs)")
    }
    return sent
  }

  private static func wait(_ total: Int, _ connection: Connection) throws {
    let patience = Patience("forwarding")
    while case let sent = try sent(connection), sent < total {
      try patience.note(sent)
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
