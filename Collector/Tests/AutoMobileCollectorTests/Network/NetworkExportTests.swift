import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Exports of requests` {
  private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 0xFF]).base64EncodedString()

  /// 130 requests of two sessions: more than a page of an export.
  private static func story() -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    batch.addContext(2, session: "s-2")
    batch.add(
      RecordedRequest(
        method: "POST", url: "https://api.example/v1/pay?a=1&b=%20", status: 503, duration: 900.5,
        at: 1_700_000_000_100,
        more: [
          "\"requestId\":\"r-1\"", "\"requestHeaders\":{\"Content-Type\":\"application/json\",\"X-It's\":\"a 'b'\"}",
          "\"requestBody\":\"{\\\"n\\\":1}\",\"requestBodySize\":7",
          "\"responseHeaders\":{\"Content-Type\":\"image/png\"},\"contentType\":\"image/png\"",
          "\"responseBody\":\"\(picture)\",\"responseBodyEncoding\":\"base64\",\"responseBodySize\":8",
          "\"redirects\":[{\"statusCode\":307,\"url\":\"https://api.example/a\",\"location\":\"/v1/pay\",\"atMs\":10}]",
          "\"timings\":{\"requestStart\":1,\"requestEnd\":2,\"responseStart\":800,\"responseEnd\":900.5}",
        ]))
    batch.add(RecordedRequest(url: "wss://api.example/live", status: 101, at: 1_700_000_000_200))
    for (index, direction) in ["sent", "received"].enumerated() {
      batch.add(
        .event,
        "{\"eventType\":\"websocket_frame\",\"timestamp\":\(1_700_000_000_300 + index),\"contextId\":1,\"url\":\"wss://api.example/live\",\"direction\":\"\(direction)\",\"frameType\":\"text\",\"payload\":\"hello\",\"payloadSize\":5}"
      )
    }
    for index in 0..<128 {
      batch.add(RecordedRequest(url: "https://api.example/item/\(index)", at: 1_700_000_001_000 + index, context: 2))
    }
    return batch
  }

  @Test func `an archive of all requests is whole, in the order of time, and read by an independent reader`()
    async throws
  {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 132)
      let archive = try await collector.get("/api/network/har")
      #expect(archive.status == 200)
      let entries = try archive.json()["log"]["entries"].array
      // The redirect is one of its own.
      #expect(entries.count == 131)
      let times = entries.compactMap { $0["startedDateTime"].string }
      #expect(times.count == 131 && times.dropFirst(2) == times.dropFirst(2).sorted()[...])
      let pay = try #require(entries.first { $0["response"]["status"].int == 503 })
      #expect(pay["request"]["postData"]["text"].string == "{\"n\":1}")
      #expect(pay["response"]["content"]["text"].string == Self.picture)
      let socket = try #require(entries.first { $0["request"]["url"].string?.hasPrefix("wss") == true })
      #expect(socket["_webSocketMessages"].array.compactMap { $0["type"].string } == ["send", "receive"])
      try await HARReader.read(archive.body)

      let session = try await collector.get("/api/network/har?session=s-1")
      #expect(try session.json()["log"]["entries"].array.count == 3)
      #expect(session.headers.first(name: "Content-Disposition")?.contains("session-s1.har") == true)
      try await HARReader.read(session.body)
      let newest = try await collector.json("/api/network/har?host=api.example&sort=newest&limit=70")["log"]["entries"]
      #expect(newest.array.count == 70 && newest[0]["request"]["url"].string?.hasSuffix("/127") == true)
      let none = try await collector.get("/api/network/har?tracer=none")
      #expect(try none.json()["log"]["entries"].array.isEmpty)
      #expect(try await collector.get("/api/network/har?status=x").status == 400)
    }
  }

  @Test func `one request is given as archive, as a command line and as text`() async throws {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 132)
      let list = try await collector.json("/api/network?status=503")["requests"]
      let id = try #require(list[0]["id"].int)
      let archive = try await collector.get("/api/network/\(id)/har")
      #expect(try archive.json()["log"]["entries"].array.count == 2)
      try await HARReader.read(archive.body)
      let command = try await collector.get("/api/network/\(id)/curl")
      #expect(command.text.contains("curl 'https://api.example/v1/pay?a=1&b=%20'"))
      #expect(command.text.contains("--data-raw '{\"n\":1}'"))
      let text = try await collector.get("/api/network/\(id)/text")
      #expect(text.text.contains("https://api.example/v1/pay?a=1&b=%20") && text.text.contains("503"))
      for kind in ["har", "curl", "text"] {
        #expect(try await collector.get("/api/network/9999/\(kind)").status == 404)
        #expect(try await collector.get("/api/network/3/\(kind)").status == 404, "event 3 is a frame")
      }
    }
  }

  @Test func `hostile requests make an archive that can be read`() async throws {
    let bomb = "<script>\u{1B}[31m\u{0}\"\\"
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.add(RecordedRequest(method: bomb, url: bomb, status: nil, duration: nil))
      batch.add(RecordedRequest(url: "x", status: 999, duration: 1e300, at: .max, more: ["\"responseBodySize\":-5"]))
      batch.add(
        RecordedRequest(
          url: "http://h", at: -1, more: ["\"requestHeaders\":[]", "\"redirects\":7", "\"responseBody\":\"\\u0000\""]))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
      let archive = try await collector.get("/api/network/har")
      #expect(try archive.json()["log"]["entries"].array.count == 3)
      try await HARReader.read(archive.body)
      for request in try await collector.json("/api/network")["requests"].array {
        let command = try await collector.get("/api/network/\(request["id"].int ?? 0)/curl")
        #expect(command.status == 200 && !command.text.contains("\u{0}"))
      }
    }
  }
}
