import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Export in OpenTelemetry's words` {
  private static let time = 1_700_000_000_000
  private static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private static func story() -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1", user: "ada", tags: ["plan": "gold"])
    func event(_ members: String) {
      batch.add(.event, "{\"contextId\":1,\(members)}")
    }
    event(
      "\"eventType\":\"navigation\",\"timestamp\":\(time),\"destination\":\"Cart\",\"source\":\"custom\",\"arguments\":{\"id\":\"7\"}"
    )
    event(
      "\"eventType\":\"interaction\",\"timestamp\":\(time + 1),\"interactionType\":\"tap\",\"properties\":{\"x\":\"12.5\",\"y\":\"40.0\",\"accessibilityIdentifier\":\"pay\"}"
    )
    batch.addLog("card declined", at: time + 2, level: 4)
    batch.add(
      RecordedRequest(
        method: "POST", url: "https://api.example/v1/pay", status: 503, duration: 900.5, at: time + 3,
        more: [
          "\"traceparent\":\"\(traceparent)\",\"host\":\"api.example\"",
          "\"requestHeaders\":{\"Content-Type\":\"application/json\"},\"requestBodySize\":7",
          "\"timings\":{\"requestStart\":1.5}",
        ]))
    batch.add(RecordedRequest(url: "https://api.example/ok", status: 200, duration: 5, at: time + 4))
    event(
      "\"eventType\":\"handled_exception\",\"timestamp\":\(time + 5),\"errorDomain\":\"PaymentError\",\"errorMessage\":\"declined\",\"stackTrace\":\"0 App 0x1 pay + 3\",\"customMessage\":\"while paying\""
    )
    event("\"eventType\":\"hang\",\"timestamp\":\(time + 6),\"durationMs\":2500,\"stackTrace\":\"0 App 0x1 main + 1\"")
    event(
      "\"eventType\":\"custom\",\"timestamp\":\(time + 7),\"name\":\"purchase\",\"properties\":{\"amount\":9.5,\"session.id\":\"mine\"}"
    )
    event(
      "\"eventType\":\"custom\",\"timestamp\":\(time + 8),\"name\":\"Frames\",\"properties\":{\"screen\":\"Cart\",\"durationMs\":\"1000\",\"frames\":\"60\",\"slow\":\"4\"}"
    )
    event(
      "\"eventType\":\"storage_changed\",\"timestamp\":\(time + 9),\"key\":\"theme\",\"newValue\":null,\"list\":[1,\"a\"],\"deep\":[{\"a\":1}]"
    )
    let ids = "\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\""
    event(
      "\"eventType\":\"span\",\"timestamp\":\(time + 10),\"name\":\"checkout\",\(ids),\"spanId\":\"00f067aa0ba902b8\"")
    event(
      "\"eventType\":\"span\",\"timestamp\":\(time + 10),\"name\":\"checkout\",\(ids),\"spanId\":\"00f067aa0ba902b8\",\"durationMs\":40.25,\"status\":\"error\",\"statusMessage\":\"declined\",\"attributes\":{\"items\":3}"
    )
    event(
      "\"eventType\":\"span\",\"timestamp\":\(time + 11),\"name\":\"open\",\(ids),\"spanId\":\"00f067aa0ba902b9\",\"parentSpanId\":\"00f067aa0ba902b8\""
    )
    event(
      "\"eventType\":\"crash\",\"timestamp\":\(time + 12),\"errorDomain\":\"SIGSEGV\",\"errorMessage\":\"bad access\",\"stackTrace\":\"0 App 0x1 main + 1\",\"report\":{\"reportId\":\"r-1\"}"
    )
    return batch
  }

  private static func attributes(_ list: [OTLP.KeyValue]) -> [String: OTLP.AnyValue] {
    Dictionary(list.map { ($0.key, $0.value) }) { first, _ in first }
  }

  @Test func `a session's log records and spans are whole, by the conventions, in protobuf`() async throws {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 14)
      let answer = try await collector.get("/api/sessions/s-1/otlp/logs?format=protobuf")
      #expect(answer.status == 200)
      let logs = try OTLP.LogsRequest(serializedBytes: Data(buffer: answer.body))
      let resource = Self.attributes(logs.resourceLogs.last?.resource.attributes ?? [])
      #expect(resource["service.name"]?.text == "dev.example.shop")
      #expect(resource["service.version"]?.text == "2.1")
      #expect(resource["device.model.identifier"]?.text == "iPhone15,2")
      #expect(resource["os.version"]?.text == "18.1")
      #expect(resource["automobile.tag.plan"]?.text == "gold")
      let records = logs.resourceLogs.flatMap { $0.scopeLogs.flatMap(\.logRecords) }
      #expect(
        records.map(\.eventName) == [
          "session.start", "app.screen.view", "app.widget.click", "", "exception", "app.hang", "purchase", "app.jank",
          "automobile.storage_changed", "app.crash",
        ])
      for record in records { #expect(record.attributes.first?.key == "session.id") }
      let screen = Self.attributes(records[1].attributes)
      #expect(screen["app.screen.name"]?.text == "Cart")
      #expect(screen["user.id"]?.text == "ada")
      #expect(screen["automobile.arguments.id"]?.text == "7")
      #expect(records[1].timeUnixNano == UInt64(Self.time) * 1_000_000)
      let tap = Self.attributes(records[2].attributes)
      #expect(tap["app.screen.coordinate.x"]?.value == .intValue(13))
      #expect(tap["app.widget.id"]?.text == "pay")
      #expect(records[3].body.text == "card declined")
      #expect(records[3].severityNumber == .error)
      let failure = Self.attributes(records[4].attributes)
      #expect(failure["exception.type"]?.text == "PaymentError")
      #expect(records[4].body.text == "while paying")
      #expect(Self.attributes(records[5].attributes)["app.hang.duration"]?.value == .doubleValue(2.5))
      let purchase = Self.attributes(records[6].attributes)
      #expect(purchase["amount"]?.value == .doubleValue(9.5))
      #expect(purchase["session.id"]?.text == "s-1")
      #expect(Self.attributes(records[7].attributes)["app.jank.frame_count"]?.value == .intValue(4))
      let storage = Self.attributes(records[8].attributes)
      #expect(storage["automobile.key"]?.text == "theme")
      #expect(storage["automobile.newValue"] == nil)
      #expect(storage["automobile.deep"]?.text == "[{\"a\":1}]")
      #expect(records[9].severityNumber == .fatal)
      #expect(Self.attributes(records[9].attributes)["app.crash.id"]?.text == "r-1")
    }
  }

  @Test func `requests become client spans in their trace, and spans are put together from their two ends`()
    async throws
  {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 14)
      let answer = try await collector.get("/api/sessions/s-1/otlp/traces?format=protobuf")
      let traces = try OTLP.TraceRequest(serializedBytes: Data(buffer: answer.body))
      let spans = traces.resourceSpans.flatMap { $0.scopeSpans.flatMap(\.spans) }
      #expect(spans.map(\.name) == ["POST", "GET", "checkout", "open"])
      #expect(spans[0].traceID.hexText == "4bf92f3577b34da6a3ce929d0e0e4736")
      #expect(spans[0].spanID.hexText == "00f067aa0ba902b7")
      #expect(spans[0].kind == .client)
      #expect(spans[0].endTimeUnixNano - spans[0].startTimeUnixNano == 900_500_000)
      #expect(spans[0].status.code == .error)
      let request = Self.attributes(spans[0].attributes)
      #expect(request["http.request.method"]?.text == "POST")
      #expect(request["http.response.status_code"]?.value == .intValue(503))
      #expect(request["error.type"]?.text == "503")
      #expect(request["http.request.header.content-type"]?.anyText == "[\"application/json\"]")
      #expect(request["automobile.timings.requestStart"]?.value == .doubleValue(1.5))
      #expect(spans[1].traceID.count == 16)
      #expect(spans[1].spanID.count == 8)
      #expect(!spans[1].hasStatus || spans[1].status.code != .error)
      #expect(spans[2].endTimeUnixNano - spans[2].startTimeUnixNano == 40_250_000)
      #expect(spans[2].status.message == "declined")
      #expect(Self.attributes(spans[2].attributes)["items"]?.value == .intValue(3))
      #expect(spans[3].parentSpanID.hexText == "00f067aa0ba902b8")
      #expect(Self.attributes(spans[3].attributes)["automobile.unfinished"]?.value == .boolValue(true))
      // Whenever it goes out, a request without ids of its own has the same ones.
      let again = try await collector.get("/api/sessions/s-1/otlp/traces?format=protobuf")
      #expect(again.body == answer.body)
    }
  }

  @Test func `JSON has a message on each line, with ids in hexadecimal and long numbers as text`() async throws {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 14)
      let answer = try await collector.get("/api/sessions/s-1/otlp/traces")
      #expect(answer.headers.first(name: "content-type")?.hasPrefix("application/jsonl") == true)
      let lines = answer.text.split(separator: "\n")
      let spans = try lines.flatMap { line in
        try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))["resourceSpans"].array
          .flatMap { $0["scopeSpans"].array.flatMap { $0["spans"].array } }
      }
      #expect(spans.count == 4)
      #expect(spans[0]["traceId"].string == "4bf92f3577b34da6a3ce929d0e0e4736")
      #expect(spans[0]["startTimeUnixNano"].string == "\(Self.time + 3)000000")
      #expect(spans[0]["kind"].int == 3)
      let size = spans[0]["attributes"].array.first { $0["key"].string == "http.request.body.size" }
      #expect(size?["value"]["intValue"].string == "7")
      // What went out comes in again, as the same.
      for line in lines {
        #expect(try await collector.otlp("/v1/traces", json: String(line)).text == "{}")
      }
      #expect(try await collector.get("/api/sessions/nobody/otlp/logs").status == 404)
      #expect(try await collector.get("/api/sessions/s-1/otlp/logs?format=xml").errorCode == "invalid_format")
    }
  }

  @Test func `a session of many pages is whole`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "long")
      for index in 0..<2500 { batch.addLog("entry \(index)", at: Self.time + index / 3) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2500)
      let answer = try await collector.get("/api/sessions/long/otlp/logs?format=protobuf")
      let logs = try OTLP.LogsRequest(serializedBytes: Data(buffer: answer.body))
      let bodies = logs.resourceLogs.flatMap { $0.scopeLogs.flatMap(\.logRecords) }.compactMap(\.body.text)
      #expect(bodies == (0..<2500).map { "entry \($0)" })
    }
  }
}

@Suite struct `The table of OpenTelemetry's words` {
  /// The nearest directory above this file that has it.
  private static func page() throws -> String {
    var place = URL(fileURLWithPath: #filePath).standardizedFileURL
    while place.path != "/" {
      place.deleteLastPathComponent()
      let file = place.appendingPathComponent("Documentation/OpenTelemetry.md")
      if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
    }
    return ""
  }

  @Test func `the documentation's table is the one that exports follow`() throws {
    let page = try Self.page()
    #expect(page.contains(OutgoingRule.table), "it should be:\n\(OutgoingRule.table)")
    for type in Collector.eventTypes where OutgoingRule.rule(for: type).event == "automobile.\(type)" {
      #expect(page.contains("`\(type)`"), "\(type) is said nowhere")
    }
    for names in [HTTPNames.method, HTTPNames.status, HTTPNames.host, EventNames.stateNames] {
      for name in names { #expect(page.contains("`\(name)`"), "\(name) is said nowhere") }
    }
  }
}
