import AutoMobileCollector
import ClickHouseTestServer
import Foundation
import Logging

/// The collector's figures: `swift run -c release collector-bench [--events N] [--full-text] [--data DIR] [--json]`, and
/// with `viewer` in front what the viewer asks: see ``ViewerFigures``, with `names` what it costs that an app lies: ``NamesFigure``, with `otlp`
/// OpenTelemetry's protocol: ``OTLPFigure``, with `forward` what passing it on costs: ``ForwardFigure``, with `bytes` what is stored:
/// ``BytesFigure``, with `trace` a session as a trace: ``TraceFigure``, with `redact` what taking things out costs: ``RedactFigure``, with
/// `blobs` what a store of blobs does: ``BlobFigure``, with `clickhouse-ingest` the way into ClickHouse: ``ClickHouseFigure``, with `agent` what agents ask: ``AgentFigure``.
///
/// The collector runs in a process of its own (this program again), so that its processor time can be told from that of
/// the eight senders. Senders are blocking sockets on threads: they cost next to nothing beside building the batches.
@main
struct Benchmark {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "serve" { return try await serve(arguments) }
    func value(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }
    if arguments.first == "otlp" { return try OTLPFigure.run(value) }
    if arguments.first == "redact" { return try RedactFigure.run(value) }
    if arguments.first == "blobs" { return try await BlobFigure.run(value("--blobs"), packs: value("--packs")) }
    if arguments.first == "clickhouse-ingest" { return try await ClickHouseFigure.run(events: value("--events")) }
    if arguments.first == "trace" { return try TraceFigure.run(value) }
    if arguments.first == "forward" { return try ForwardFigure.run(value) }
    if arguments.first == "bytes" { return try BytesFigure.run(value, onShards: arguments.contains("--clickhouse")) }
    if arguments.first == "names" { return try NamesFigure.run(value) }
    if arguments.first == "agent" { return try AgentFigure.run(value) }
    if arguments.first == "viewer" { return try ViewerFigures.run(arguments, value) }
    let directory = URL(filePath: value("--data") ?? NSTemporaryDirectory()).appending(
      path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let report = try run(
      events: value("--events").flatMap { Int($0) } ?? 2_000_000, connections: 8, batch: 500,
      fullText: arguments.contains("--full-text"), directory: directory)
    if arguments.contains("--json") {
      print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    } else {
      print(report)
    }
  }

  private static func serve(_ arguments: [String]) async throws {
    var options = CollectorOptions(dataDirectory: URL(filePath: arguments[1]))
    options.port = 0
    options.fullTextSearch = arguments.contains("--full-text")
    // The sender is meant to be faster than the index here; what is measured is each on its own.
    options.limits.backlogBytes = 1 << 40
    options.egress = try EgressPolicy(["127.0.0.1"])
    if let store = arguments.firstIndex(of: "--store").map({ arguments[$0 + 1] }) {
      options.store = try TelemetryPlace(store)
      options.storePassword = ClickHouseServer.password
    }
    var logger = Logger(label: "bench")
    logger.logLevel = .error
    let collector = try Collector(options, logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await collector.run() }
      let port = try await collector.port
      FileHandle.standardOutput.write(Data("\(port)\n".utf8))
      try await group.waitForAll()
    }
  }

  private static func run(
    events: Int, connections: Int, batch: Int, fullText: Bool, directory: URL
  ) throws -> Report {
    let server = try Server(directory: directory, fullText: fullText)
    defer { server.stop() }
    let port = server.port

    var report = Report(events: events, connections: connections, batch: batch, fullText: fullText)
    let usage = ProcessUsage(server.process.processIdentifier)
    let before = usage.seconds()
    let start = Date()
    let load = try Load(port: port, events: events, connections: connections, batch: batch)
    let latencies = try load.run()
    let elapsed = Date().timeIntervalSince(start)
    let after = usage.seconds()
    report.ingest(elapsed: elapsed, cpu: after.subtracting(before), latencies: latencies)

    // The rest of the index, with nobody sending: the indexer alone.
    var seen = try Metrics(port: port).indexed
    let (firstSeen, from, fromUsage) = (seen, Date(), usage.seconds())
    var window = (events: seen, time: from)
    let patience = Patience("the index")
    while seen < events {
      Thread.sleep(forTimeInterval: 0.2)
      seen = try Metrics(port: port).indexed
      try patience.note(seen)
      if seen - window.events >= 500_000 || seen >= events {
        report.lastWindow = Double(seen - window.events) / Date().timeIntervalSince(window.time)
        window = (seen, Date())
      }
    }
    report.index(
      events: events - firstSeen, elapsed: Date().timeIntervalSince(from), cpu: usage.seconds().subtracting(fromUsage))
    report.residentMegabytes = usage.peakResidentMegabytes
    try check(events, connections, fullText: fullText, on: Connection(port: port))
    return report
  }

  /// Each event once, in a session for each sender; and with full text, every one of them is found.
  private static func check(_ events: Int, _ connections: Int, fullText: Bool, on connection: Connection) throws {
    var questions = [
      Question("events that are kept", "/api/settings", limit: nil, .exactly(events, "storage.events")),
      Question("sessions", "/api/sessions?limit=50", limit: nil, .exactly(connections, "sessions")),
    ]
    if fullText {
      let found = "/api/events?limit=100&q=ProductDetail"
      questions.append(Question("events that are found", found, limit: nil, .exactly(min(100, events), "events")))
    }
    for question in questions { _ = try question.ask(connection) }
  }
}

struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// What was measured.
struct Report: Encodable, CustomStringConvertible {
  var events: Int
  var connections: Int
  var batch: Int
  var fullText: Bool
  var ingestPerSecond = 0.0
  var ingestPerCore = 0.0
  var answerMedianMs = 0.0
  var answerP99Ms = 0.0
  var indexedAlone = 0
  var indexPerSecond = 0.0
  var indexPerCore = 0.0
  var lastWindow = 0.0
  var residentMegabytes = 0.0

  init(events: Int, connections: Int, batch: Int, fullText: Bool) {
    self.events = events
    self.connections = connections
    self.batch = batch
    self.fullText = fullText
  }

  mutating func ingest(elapsed: Double, cpu: ProcessUsage.Seconds, latencies: [Double]) {
    ingestPerSecond = Double(events) / elapsed
    ingestPerCore = Double(events) / max(cpu.others, 0.001)
    let sorted = latencies.sorted()
    answerMedianMs = sorted[sorted.count / 2] * 1000
    answerP99Ms = sorted[sorted.count * 99 / 100] * 1000
  }

  mutating func index(events: Int, elapsed: Double, cpu: ProcessUsage.Seconds) {
    indexedAlone = events
    indexPerSecond = Double(events) / elapsed
    indexPerCore = Double(events) / max(cpu.indexer, 0.001)
  }

  var description: String {
    """
    \(events) events of about 150 bytes, raw format, \(connections) connections, batches of \(batch), \
    full text \(fullText ? "on" : "off")
      durable and acknowledged  \(Int(ingestPerSecond)) events/s, \(Int(ingestPerCore)) per core (indexer not counted)
      answer                    median \(Self.rounded(answerMedianMs)) ms, p99 \(Self.rounded(answerP99Ms)) ms
      indexed, nobody sending   \(Int(indexPerSecond)) events/s over \(indexedAlone), \(Int(indexPerCore)) per core; \
    the last 500 000: \(Int(lastWindow))/s
      memory                    \(Int(residentMegabytes)) MB at most
    """
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
