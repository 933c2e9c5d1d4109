import Foundation
import OpenTelemetryProto

/// OpenTelemetry's protocol: `collector-bench otlp [--records N] [--events N]`. Log records that come in, durable before each answer;
/// and a session that goes out, beside `jq` over the same as lines of JSON.
enum OTLPFigure {
  private static let connections = 8
  private static let batch = 1000

  static func run(_ value: (String) -> String?) throws {
    let records = value("--records").flatMap { Int($0) } ?? 1_000_000
    let events = value("--events").flatMap { Int($0) } ?? 100_000
    try Server.withDirectory { try takeIn(records - records % (connections * batch), $0) }
    try Server.withDirectory { try giveOut(events - events % batch, $0) }
  }

  // MARK: In

  private static func takeIn(_ records: Int, _ directory: URL) throws {
    try Server.with(directory) { server in
      let bodies = try (0..<connections).map { connection in
        try (0..<records / connections / batch).map { try request(from: $0 * batch, session: "s-\(connection)") }
      }
      let usage = ProcessUsage(server.process.processIdentifier)
      let before = usage.seconds()
      let start = Date()
      try send(bodies, to: server.port)
      let elapsed = Date().timeIntervalSince(start)
      let cpu = usage.seconds().subtracting(before).others
      let bytes = bodies.joined().reduce(0) { $0 + $1.count } / records
      print(
        """
        OTLP in: \(records) log records of \(bytes) bytes in protobuf, \(connections) connections, batches of \(batch)
          durable and acknowledged  \(Int(Double(records) / elapsed)) records/s, \
        \(Int(Double(records) / max(cpu, 0.001))) per core (indexer not counted); at least 100000 per core
        """)
      try server.waitForIndex(records)
      let connection = try Connection(port: server.port)
      let kept = Question("records that are kept", "/api/settings", limit: nil, .exactly(records, "storage.events"))
      try kept.ask(connection)
      _ = try Question("sessions", "/api/sessions?limit=50", limit: nil, .exactly(connections, "sessions"))
        .ask(connection)
      // Each once, whatever is sent again: asked when the index has come to that, too.
      try send([[bodies[0][0]]], to: server.port)
      let patience = Patience("the index")
      var seen = try indexed(connection)
      while seen.stored + seen.again < records + batch {
        try patience.note(seen.stored + seen.again)
        Thread.sleep(forTimeInterval: 0.2)
        seen = try indexed(connection)
      }
      guard seen.again == batch else {
        throw Failure("\(seen.again) records were known when they came again, and must be \(batch)")
      }
      try kept.ask(connection)
    }
  }

  /// Records that the index has put in, and those that it had.
  private static func indexed(_ connection: Connection) throws -> (stored: Int, again: Int) {
    let launches = try connection.json("/api/launches")?["launches"] as? [[String: Any]] ?? []
    func sum(_ member: String) -> Int { launches.reduce(0) { $0 + ($1[member] as? Int ?? 0) } }
    return (sum("stored"), sum("duplicates"))
  }

  /// As an app's SDK makes it: a text, and five attributes.
  private static func request(from first: Int, session: String) throws -> [UInt8] {
    func pair(_ key: String, _ text: String) -> Opentelemetry_Proto_Common_V1_KeyValue {
      .with {
        $0.key = key
        $0.value.stringValue = text
      }
    }
    let message = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest.with { request in
      request.resourceLogs = [
        .with { group in
          group.resource.attributes = [
            pair("service.name", "dev.example.bench"), pair("service.version", "1.0"), pair("os.name", "iOS"),
          ]
          group.scopeLogs = [
            .with { logs in
              logs.scope.name = "checkout"
              logs.logRecords = (first..<first + batch).map { index in
                .with {
                  $0.timeUnixNano = 1_700_000_000_000_000_000 + UInt64(index) * 1_000_000
                  $0.severityNumber = .info
                  $0.body.stringValue = "product \(index % 97) was shown"
                  $0.attributes = [
                    pair("session.id", session), pair("screen", "ProductDetail"), pair("product.id", String(index)),
                    pair("http.route", "/v1/products/{id}"), pair("feature", "search"),
                  ]
                }
              }
            }
          ]
        }
      ]
    }
    return try message.serializedBytes()
  }

  private static func send(_ bodies: [[[UInt8]]], to port: Int) throws {
    let failed = Failures()
    let group = DispatchGroup()
    for mine in bodies {
      let connection = try Connection(port: port)
      group.enter()
      Thread.detachNewThread { [connection = Unchecked(connection)] in
        for body in mine {
          let head = """
            POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
          guard connection.value.exchange(Array(head.utf8) + body) else {
            failed.note()
            break
          }
        }
        group.leave()
      }
    }
    group.wait()
    guard failed.count == 0 else { throw Failure("the collector did not answer 200") }
  }

  // MARK: Out

  private static func giveOut(_ events: Int, _ directory: URL) throws {
    try Server.with(directory) { server in
      let bodies = try (0..<events / batch).map { try request(from: $0 * batch, session: "long") }
      try send([bodies], to: server.port)
      try server.waitForIndex(events)
    }
    // Another process, so that its memory is not what taking in has left.
    try Server.with(directory) { server in
      let usage = ProcessUsage(server.process.processIdentifier)
      let idle = Int(usage.peakResidentMegabytes)
      print("OTLP out: a session of \(events) events, by HTTP")
      for format in ["protobuf", "json"] {
        let connection = try Connection(port: server.port)
        let start = Date()
        let file = try connection.chunked("/api/sessions/long/otlp/logs?format=\(format)")
        let seconds = Date().timeIntervalSince(start)
        let found = try count(file, isJSON: format == "json")
        // session.start is one of them; there is no end while it is live.
        guard found == events + 1 || found == events + 2 else { throw Failure("\(found) records, not \(events)") }
        let name = format.padding(toLength: 9, withPad: " ", startingAt: 0)
        print("  \(name) \(Int(seconds * 1000)) ms (at most 2000), \(file.count >> 20) MB")
      }
      print(
        "  memory of the collector \(Int(usage.peakResidentMegabytes)) MB at most (100), \(idle) MB of it when idle")
      try compare(server.port, events)
    }
  }

  private static func count(_ file: [UInt8], isJSON: Bool) throws -> Int {
    typealias Logs = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
    func records(_ logs: Logs) -> Int {
      logs.resourceLogs.reduce(0) { $0 + $1.scopeLogs.reduce(0) { $0 + $1.logRecords.count } }
    }
    guard isJSON else { return records(try Logs(serializedBytes: file)) }
    return try file.split(separator: UInt8(ascii: "\n")).reduce(0) {
      // Ids are no base64, which matters to nobody here: these records have none.
      $0 + records(try Logs(jsonUTF8Bytes: Array($1)))
    }
  }

  /// What one would do without: the events as lines of JSON, and a filter of jq that makes records of them.
  private static func compare(_ port: Int, _ events: Int) throws {
    guard let jq = ["/usr/bin/jq", "/usr/local/bin/jq"].first(where: FileManager.default.isExecutableFile) else {
      return print("  jq is not here to be compared with")
    }
    let connection = try Connection(port: port)
    let start = Date()
    var lines = Data()
    var cursor: String?
    repeat {
      let after = cursor.map { "&after=\($0)" } ?? ""
      let page = try connection.json("/api/sessions/long/events?limit=500\(after)") ?? [:]
      for event in page["events"] as? [Any] ?? [] {
        lines += try JSONSerialization.data(withJSONObject: event) + Data("\n".utf8)
      }
      cursor = page["next"] as? String
    } while cursor != nil
    let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString).ndjson")
    try lines.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let read = Date().timeIntervalSince(start)
    let process = Process()
    process.executableURL = URL(filePath: jq)
    process.arguments = [
      "-c",
      "{timeUnixNano: ((.timestamp|tostring)+\"000000\"), body: {stringValue: .payload.message}, attributes: [.payload.attributes|to_entries[]|{key, value: {stringValue: .value}}]}",
      file.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    let begun = Date()
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("jq did not do it") }
    let seconds = Date().timeIntervalSince(begun)
    print("  beside: pages of events \(Int(read * 1000)) ms, and then jq \(Int(seconds * 1000)) ms")
  }
}

/// For what one thread uses after another.
private struct Unchecked<Value>: @unchecked Sendable {
  // Unchecked because only the thread that it is given to uses it.
  let value: Value
  init(_ value: Value) { self.value = value }
}

private final class Failures: @unchecked Sendable {
  // Unchecked because `lock` guards it.
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func note() { lock.withLock { number += 1 } }
}

extension Connection {
  /// The body of an answer that comes in chunks.
  func chunked(_ path: String) throws -> [UInt8] {
    guard send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) else { throw Failure("no connection") }
    var open: [UInt8] = []
    var body: [UInt8] = []
    var offset = 0
    var isInBody = false
    func line() throws -> String {
      while true {
        if let end = open[offset...].firstIndex(of: 10) {
          defer { offset = end + 1 }
          return String(decoding: open[offset..<max(offset, end - 1)], as: UTF8.self)
        }
        guard let part = receive() else { throw Failure("the answer ends too early") }
        open += part
      }
    }
    while !isInBody {
      let head = try line()
      if head.hasPrefix("HTTP/1.1"), !head.hasPrefix("HTTP/1.1 200") { throw Failure(head) }
      isInBody = head.isEmpty
    }
    while true {
      guard let size = Int(try line(), radix: 16) else { throw Failure("no chunk") }
      if size == 0 { return body }
      while open.count - offset < size + 2 {
        guard let part = receive() else { throw Failure("the answer ends too early") }
        open += part
      }
      body += open[offset..<offset + size]
      open.removeFirst(offset + size + 2)
      offset = 0
    }
  }
}
