import AutoMobileClickHouse
import AutoMobileCollector
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import NIOCore

/// From deliveries into two shards of ClickHouse: `collector-bench clickhouse-ingest [--events N]`.
///
/// The whole way (checked, written to the log, made into rows, sent, confirmed), with the processor time of each stage; and against a
/// client that inserts the same events with `JSONEachRow`, which it has ready. All counts are compared.
enum ClickHouseFigure {
  static func run(events text: String?) async throws {
    guard ClickHouseServer.program != nil else { throw Failure(ClickHouseServer.missing) }
    let events = text.flatMap { Int($0) } ?? 1_000_000
    let deliveries = Deliveries(events: events)
    let pair = try await ClickHousePair()
    try await pair.with { cluster in
      let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      let meter = IngestMeter(directory: directory)
      let made = await Stage.measure { meter.rows(deliveries.bodies, cluster) }
      let logged = try await Stage.measure { try await meter.append(deliveries.bodies) }
      let followed = try await Stage.measure { try await meter.follow(cluster) }
      let stored = try await count(cluster)
      guard stored == events else { throw Failure("\(stored) of \(events) events are in ClickHouse") }
      let all = logged.stage.cpu + followed.stage.cpu
      func share(_ seconds: Double) -> String { "\(rounded(100 * seconds / all)) %" }
      print("  \(events) events, \(made.result.rows) rows of \(made.result.bytes) bytes")
      print("  checked and logged:  \(logged.stage), \(share(logged.stage.cpu))")
      print("  made into rows:      \(made.stage), \(share(made.stage.cpu))")
      print("  read, made and sent: \(followed.stage), \(share(followed.stage.cpu))")
      print("  \(rounded(Double(events) / all)) events a second for each core of the collector")
      print(
        "  \(rounded(Double(events) / followed.stage.wall)) events a second from the log into both shards, on this machine"
      )
    }
    try await pair.with { cluster in
      let direct = try await Stage.measure { try insert(deliveries, into: cluster, pair) }
      let stored = try await count(cluster)
      guard stored == events else { throw Failure("\(stored) of \(events) events were inserted directly") }
      print(
        "  \(rounded(Double(events) / direct.stage.wall)) events a second by JSONEachRow into the table of events alone"
      )
    }
  }

  private static func count(_ cluster: ClickHouseCluster) async throws -> Int {
    let rows = try await cluster.client.rows(
      "SELECT uniqExact(`launch`, `position`) FROM \(cluster.readable(TelemetryTables.events))"
    ) { try $0.int(UInt64.self) }
    return Int(rows.first ?? 0)
  }

  // MARK: A client

  /// In batches of 20 000, turn by turn to each shard, on one connection each.
  private static func insert(_ deliveries: Deliveries, into cluster: ClickHouseCluster, _ pair: ClickHousePair) throws {
    let statement = "INSERT INTO \(cluster.database).events_local FORMAT JSONEachRow"
    let query = statement.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let connections = try pair.servers.map { try Connection(port: $0.http.port) }
    for (index, body) in deliveries.lines.enumerated() {
      let head = """
        POST /?query=\(query) HTTP/1.1\r\nHost: localhost\r\nX-ClickHouse-User: \(ClickHouseServer.user)\r\n\
        X-ClickHouse-Key: \(ClickHouseServer.password)\r\nContent-Length: \(body.count)\r\n\r\n
        """
      let answer = connections[index % connections.count].answer(to: Array(head.utf8) + body)
      guard let answer, answer.hasPrefix("HTTP/1.1 200") else {
        throw Failure("ClickHouse did not take the lines: \(answer?.prefix(1000) ?? "no answer")")
      }
    }
  }

  struct Stage: CustomStringConvertible {
    var wall: Double
    /// Of this process.
    var cpu: Double

    var description: String { "\(rounded(wall)) s, \(rounded(cpu)) s of a processor" }

    static func measure<Result>(_ body: () async throws -> Result) async rethrows -> (stage: Stage, result: Result) {
      let (wall, cpu) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
      let result = try await body()
      return (Stage(wall: now(CLOCK_MONOTONIC) - wall, cpu: now(CLOCK_PROCESS_CPUTIME_ID) - cpu), result)
    }

    private static func now(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
}

/// The same events as deliveries of a hundred launches, and as lines of JSON for the table.
private struct Deliveries {
  var bodies: [ByteBuffer] = []
  var lines: [[UInt8]] = []

  init(events: Int, each: Int = 500, launches: Int = 100) {
    var positions = [UInt64](repeating: 0, count: launches)
    let names = (0..<launches).map { _ in LaunchID() }
    var made = 0
    var text: [UInt8] = []
    var inText = 0
    while made < events {
      let index = bodies.count % launches
      let launch = names[index]
      let codec = RecordCodec(launch: launch)
      let from = positions[index]
      var records: [UInt8] = []
      func add(_ kind: RecordKind, _ json: String) {
        var json = json
        json.withUTF8 {
          _ = codec.append(kind: kind, position: positions[index], payload: UnsafeRawBufferPointer($0), to: &records)
        }
        positions[index] += UInt64(RecordHeader.stride(payload: json.utf8.count))
      }
      add(.context, #"{"contextId":1,"sessionId":"\#(launch)","userId":"ada","appVersion":"1.0","tags":{}}"#)
      for _ in 0..<min(each, events - made) {
        let time = 1_700_000_000_000 + made
        let json = """
          {"eventType":"navigation","timestamp":\(time),"destination":"ProductDetail\(made % 97)","source":"custom",\
          "arguments":{"id":"\(made)","from":"search"},"metadata":{},"contextId":1}
          """
        let payload = json.replacingOccurrences(of: "\"", with: "\\\"")
        text +=
          """
          {"shard":\(index),"project":"app dev.example.bench","session":"\(launch)","launch":"\(launch)",\
          "position":\(positions[index]),"id":\(made),"timestamp":\(time),"received":\(time),"day":"2023-11-14",\
          "type":"navigation","severity":2,"duration":null,"origin":0,"context":1,\
          "words":" navigation productdetail\(made % 97) custom \(made) search ","payload":"\(payload)"}\n
          """.utf8
        add(.eventAndBreadcrumb, json)
        made += 1
        inText += 1
        if inText == 20_000 {
          lines.append(text)
          (text, inText) = ([], 0)
        }
      }
      let header = BatchHeader(launchId: launch, from: from, to: positions[index], bundleId: "dev.example.bench")
      bodies.append(ByteBuffer(bytes: ((try? header.encoded()) ?? []) + records))
    }
    if inText > 0 { lines.append(text) }
  }
}

private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
