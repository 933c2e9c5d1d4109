import Foundation
import NIOCore
import OpenTelemetryProto
import SwiftProtobuf
import Testing

@testable import AutoMobileCollector

@Suite struct `Hostile requests in OpenTelemetry's protocol` {
  /// A field of protobuf with a length.
  private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    var head: [UInt8] = [number << 3 | 2]
    var length = content.count
    repeat {
      head.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
      length >>= 7
    } while length > 0
    return head + content
  }

  private static func post(_ collector: RunningCollector, _ bytes: [UInt8]) async throws -> RunningCollector.Answer {
    try await collector.send(
      .POST, "/v1/logs", headers: [("Content-Type", "application/x-protobuf")], body: ByteBuffer(bytes: bytes))
  }

  @Test func `many empty records are refused before any is made`() async throws {
    try await RunningCollector.with { collector in
      // Two bytes each: four million of them would take a gigabyte.
      let records = [UInt8](repeating: 0, count: 8 << 20).enumerated().map { $0.offset % 2 == 0 ? UInt8(0x12) : 0 }
      let body = Self.field(1, Self.field(2, Array(records.prefix(7 << 20))))
      let answer = try await Self.post(collector, body)
      #expect(answer.status == 413)
      let status = try Google_Rpc_Status(serializedBytes: Data(buffer: answer.body))
      #expect(status.message.contains("records in one request"))
    }
  }

  @Test func `a million attributes are refused, in both forms`() async throws {
    try await RunningCollector.with { collector in
      let attributes = [[UInt8]](repeating: [0x32, 0], count: 1_000_000).flatMap { $0 }
      #expect(try await Self.post(collector, Self.field(1, Self.field(2, Self.field(2, attributes)))).status == 413)
      let json =
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"attributes\":["
        + String(repeating: "{},", count: 1_000_000) + "{}]}]}]}]}"
      let answer = try await collector.otlp("/v1/logs", json: json)
      #expect(answer.status == 413)
      #expect(try answer.json()["code"].int == 3)
    }
  }

  @Test func `a length beyond the end, a broken number and deep nesting are answered with 400`() async throws {
    try await RunningCollector.with { collector in
      var deep: [UInt8] = []
      for _ in 0..<5000 { deep = Self.field(6, Self.field(1, Self.field(2, deep))) }
      let bodies: [[UInt8]] = [
        [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
        [0x0A, 0x05, 1],
        [UInt8](repeating: 0xFF, count: 40),
        [0x0F],
        Self.field(1, Self.field(2, Self.field(2, Self.field(5, deep)))),
        // No UTF-8.
        Self.field(1, Self.field(2, Self.field(2, Self.field(3, [0xC3, 0x28])))),
      ]
      for body in bodies {
        let answer = try await Self.post(collector, body)
        #expect(answer.status == 400)
        #expect(try Google_Rpc_Status(serializedBytes: Data(buffer: answer.body)).code == 3)
      }
      let nested = String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000)
      for json in [
        nested, "[]", "{\"resourceLogs\":7}",
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"-5\"}]}]}]}", "",
      ] {
        #expect(try await collector.otlp("/v1/logs", json: json).status == 400, "\(json.prefix(40))")
      }
    }
  }

  @Test func `a gzip bomb ends at the limit`() async throws {
    try await RunningCollector.with { collector in
      let gzip = GzipWriter()
      var body = gzip.compress(ByteBuffer(repeating: 0, count: 64 << 20))
      body.writeImmutableBuffer(gzip.compress(ByteBuffer(), isLast: true))
      let answer = try await collector.send(
        .POST, "/v1/logs", headers: [("Content-Type", "application/x-protobuf"), ("Content-Encoding", "gzip")],
        body: body)
      #expect(answer.status == 413)
    }
  }

  @Test func `odd values are kept as what they are, and numbers that JSON has not as text`() async throws {
    try await RunningCollector.with { collector in
      var record = OTLPStory.record("odd\u{0}\u{1F}\"\\\n", severity: 9, at: 0)
      record.attributes += [
        .init("nan", .doubleValue(.nan)), .init("infinite", .doubleValue(-.infinity)), .init("big", .intValue(.max)),
        .init("bytes", .bytesValue(Data([1, 2, 3]))), .init("", "no name"), .init("twice", "a"), .init("twice", "b"),
        .init("quoted \" \\ \u{1}", "x"),
      ]
      record.timeUnixNano = .max
      let answer = try await collector.otlp("/v1/logs", OTLPStory.logs([record]))
      #expect(answer.status == 200)
      let payload = try await collector.events(of: "s-1", count: 1)[0]["payload"]
      #expect(payload["message"].string == "odd\u{0}\u{1F}\"\\\n")
      #expect(payload["attributes"]["nan"].string == "NaN")
      #expect(payload["attributes"]["infinite"].string == "-Infinity")
      #expect(payload["attributes"]["bytes"].string == "AQID")
      #expect(payload["attributes"]["twice"].string == "a")
      #expect(try await collector.json("/api/quarantine")["records"].array.isEmpty)
    }
  }

  @Test func `what is said of sessions is not multiplied by their number`() async throws {
    try await RunningCollector.with({ $0.limits.otlpContextBytes = 1 << 20 }) { collector in
      let long = String(repeating: "x", count: 5000)
      let resource = OTLPStory.resource(service: "many", (0..<200).map { ("attribute.\($0)", long) })
      let records = (0..<100).map { OTLPStory.record("m", at: UInt64($0), session: "s-\($0)") }
      let answer = try await collector.otlp("/v1/logs", OTLPStory.logs(records, resource))
      #expect(answer.status == 200)
      let rejected = try OTLP.LogsResponse(serializedBytes: Data(buffer: answer.body)).partialSuccess
      #expect((50..<100).contains(rejected.rejectedLogRecords))
      #expect(rejected.errorMessage.contains("too much is said"))
    }
  }

  @Test func `a record longer than an event may be is refused by itself`() async throws {
    try await RunningCollector.with({ $0.limits.eventBytes = 4096 }) { collector in
      let records = [OTLPStory.record(String(repeating: "y", count: 5000)), OTLPStory.record("short")]
      let answer = try await collector.otlp("/v1/logs", OTLPStory.logs(records))
      let rejected = try OTLP.LogsResponse(serializedBytes: Data(buffer: answer.body)).partialSuccess
      #expect(rejected.rejectedLogRecords == 1)
      #expect(try await collector.events(of: "s-1", count: 1).count == 1)
    }
  }

  @Test func `types that a page can send without asking are not taken, nor is a full collector's patience`()
    async throws
  {
    try await RunningCollector.with({ $0.limits.backlogBytes = 0 }) { collector in
      let plain = try await collector.send(
        .POST, "/v1/logs", headers: [("Content-Type", "text/plain")], body: ByteBuffer(string: "{}"))
      #expect(plain.status == 415)
      let full = try await collector.otlp("/v1/logs", OTLPStory.logs([OTLPStory.record("x")]))
      #expect(full.status == 429)
      #expect(full.headers.first(name: "retry-after") == "5")
      #expect(try Google_Rpc_Status(serializedBytes: Data(buffer: full.body)).code == 8)
    }
  }
}
