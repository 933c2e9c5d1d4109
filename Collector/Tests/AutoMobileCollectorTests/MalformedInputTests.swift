import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Malformed deliveries` {
  @Test func `a raw body says at which byte it is wrong, and nothing of it is kept`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addLog("good")
      batch.addLog("bad")
      var bytes = try batch.bytes()
      bytes[bytes.count - 12] ^= 1
      let answer = try await collector.send(
        .POST, "/sdk-events", headers: [("Content-Type", BatchHeader.mediaType)], body: ByteBuffer(bytes: bytes))
      #expect(answer.status == 400)
      let error = try answer.json()["error"]
      #expect(error["code"].string == "invalid_batch")
      #expect(error["message"].string?.contains("checksum") == true)
      #expect(error["offset"].int ?? 0 > 0)
      #expect(try await collector.json("/api/launches")["launches"].array.isEmpty)
    }
  }

  struct RawCase: CustomTestStringConvertible {
    var name: String
    var change: @Sendable ([UInt8]) -> [UInt8]
    var testDescription: String { name }
  }

  @Test(arguments: [
    RawCase(name: "empty") { _ in [] },
    RawCase(name: "no newline") { bytes in bytes.filter { $0 != 0x0A } },
    RawCase(name: "no header") { bytes in Array(bytes[(bytes.firstIndex(of: 0x0A) ?? 0)...]) },
    RawCase(name: "header of another version") { bytes in
      Array(
        String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\"version\":1", with: "\"version\":9").utf8)
    },
    RawCase(name: "last byte missing") { Array($0.dropLast()) },
    RawCase(name: "last record header only") { Array($0.dropLast(100)) },
    RawCase(name: "zeros behind") { $0 + [UInt8](repeating: 0, count: 64) },
    RawCase(name: "a claimed record behind") { $0 + [0, 0, 0, 0x41] + [UInt8](repeating: 0, count: 12) },
    RawCase(name: "records twice") { bytes in bytes + Array(bytes.drop { $0 != 0x0A }.dropFirst()) },
    RawCase(name: "garbage") { _ in (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 131) } },
  ])
  func `a raw body that is not whole is refused`(damage: RawCase) async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      for index in 0..<5 { batch.addLog("message number \(index) with some length to cut") }
      let answer = try await collector.send(
        .POST, "/sdk-events", headers: [("Content-Type", BatchHeader.mediaType)],
        body: ByteBuffer(bytes: damage.change(try batch.bytes())))
      #expect(answer.status == 400)
      #expect(answer.errorCode == "invalid_batch")
    }
  }

  @Test(arguments: [
    ("", "invalid_json"), ("[]", "invalid_json"), ("{", "invalid_json"), ("{\"events\":[}", "invalid_json"),
    ("{\"events\":[]} x", "invalid_json"), ("{\"bundleId\":\"x\"}", "invalid_batch"),
    ("{\"events\":{}}", "invalid_json"), ("{\"events\":[],\"launchId\":\"not a uuid\"}", "invalid_json"),
    ("{\"events\":[],\"ledger\":[]}", "invalid_json"), ("{\"events\":[],\"timestamp\":\"now\"}", "invalid_json"),
    ("{\"events\":[],\"x\":\"\u{1}\"}", "invalid_json"), ("{\"events\":[],\"x\":01}", "invalid_json"),
    ("{\"events\":[],\"x\":\(String(repeating: "[", count: 100))", "invalid_json"),
  ])
  func `an envelope that cannot be read is refused as a whole`(body: String, code: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.post(envelope: body)
      #expect(answer.status == 400)
      #expect(answer.errorCode == code)
    }
  }

  @Test func `the good events of an envelope are kept and the bad ones listed with their reasons`() async throws {
    try await RunningCollector.with { collector in
      let good = Data(#"{"eventType":"log","timestamp":1,"message":"good"}"#.utf8).base64EncodedString()
      let noTime = Data(#"{"eventType":"log"}"#.utf8).base64EncodedString()
      let deep = Data(("{\"x\":" + String(repeating: "[", count: 99) + String(repeating: "]", count: 99) + "}").utf8)
        .base64EncodedString()
      let launch = LaunchID()
      let body = """
        {"launchId":"\(launch)","timestamp":5,"events":[
          {"eventType":"log","payload":"\(good)","sequence":8},
          {"eventType":"log","payload":"!!!!","sequence":16},
          {"eventType":"log","payload":"\(noTime)","sequence":24},
          {"eventType":"log"},
          7,
          {"payload":"\(deep)"},
          {"eventType":"renamed","payload":"\(Data(#"{"timestamp":2}"#.utf8).base64EncodedString())","sequence":32}
        ]}
        """
      let answer = try await collector.post(envelope: body).json()
      #expect(answer["accepted"].int == 2)
      let rejected = answer["rejected"].array
      #expect(rejected.map { $0["sequence"].int ?? -1 } == [16, 24, -1, -1, -1])
      #expect(rejected.map { $0["index"].int ?? -1 } == [-1, -1, 3, 4, 5])
      #expect(rejected[0]["reason"].string?.contains("base64") == true)
      #expect(rejected[1]["reason"].string?.contains("timestamp") == true)
      #expect(rejected[4]["reason"].string?.contains("nested") == true)
      try await collector.waitForLaunch(launch, stored: 2)
      let renamed = try await collector.json("/api/events?type=renamed")["events"]
      #expect(renamed[0]["payload"]["eventType"].string == "renamed")
      #expect(renamed[0]["payload"]["timestamp"].int == 2)
    }
  }

  @Test func `raw events whose JSON cannot be read are in quarantine, and the others are not held up`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-q")
      batch.addLog("before")
      let broken = batch.add(.event, #"{"eventType":"log","timestamp":1,"message":"no end}"#)
      batch.add(.event, #"{"eventType":"log","message":"no time"}"#)
      batch.add(.event, #"{"timestamp":1}"#)
      batch.add(.event, "{\"eventType\":\"log\",\"timestamp\":1,\"x\":\(String(repeating: "[", count: 1000))")
      batch.add(.context, "[]")
      batch.addLog("after")
      try await collector.post(raw: batch)
      try await collector.post(raw: batch)
      let row = try await collector.waitForLaunch(batch.launch, stored: 2)
      #expect(row["quarantined"].int == 4)
      let rows = try await collector.wait(for: "/api/quarantine") { $0["quarantine"].array.count == 5 }["quarantine"]
      let first = try #require(rows.array.first { $0["sequence"].int == Int(broken) })
      #expect(first["reason"].string?.contains("at byte") == true)
      #expect(first["payload"].string?.contains("no end") == true)
      #expect(try await collector.json("/api/sessions/s-q/events")["events"].array.count == 2)
      #expect(try await collector.get("/metrics").text.contains("automobile_quarantined_records_total 5"))
    }
  }

  @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"])
  func `another media type is answered with 415`(type: String?) async throws {
    try await RunningCollector.with { collector in
      let headers = type.map { [("Content-Type", $0)] } ?? []
      let answer = try await collector.send(.POST, "/sdk-events", headers: headers, body: ByteBuffer(string: "{}"))
      #expect(answer.status == 415)
      #expect(answer.errorCode == "unsupported_media_type")
    }
  }
}
