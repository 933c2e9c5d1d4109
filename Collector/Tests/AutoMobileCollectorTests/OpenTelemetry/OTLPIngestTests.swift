import Foundation
import NIOCore
import SwiftProtobuf
import Testing

@testable import AutoMobileCollector

@Suite struct `What OpenTelemetry's SDKs send` {
  @Test func `log records become entries of the log, with their severity and what they say besides`() async throws {
    try await RunningCollector.with { collector in
      let sent = OTLPStory.logs([
        OTLPStory.record("card declined", severity: 17, [("order", .intValue(42)), ("retry", .boolValue(true))]),
        OTLPStory.record("quiet", severity: 1, at: 5),
      ])
      let answer = try await collector.otlp("/v1/logs", sent)
      #expect(answer.status == 200)
      #expect(answer.headers.first(name: "content-type") == "application/x-protobuf")
      #expect(try OTLP.LogsResponse(serializedBytes: Data(buffer: answer.body)) == OTLP.LogsResponse())
      let events = try await collector.events(of: "s-1", count: 2)
      #expect(events[0]["eventType"].string == "log")
      #expect(events[0]["timestamp"].int == 1_700_000_000_000)
      let payload = events[0]["payload"]
      #expect(payload["message"].string == "card declined")
      #expect(payload["level"].int == 4)
      #expect(payload["tag"].string == "checkout")
      #expect(payload["attributes"]["order"].int == 42)
      #expect(payload["attributes"]["session.id"] == .null)
      #expect(events[1]["payload"]["level"].int == 0)
      let session = try await collector.json("/api/sessions/s-1")
      #expect(session["bundleId"].string == "dev.example.shop")
      #expect(session["appVersion"].string == "3.1")
      #expect(session["errors"].int == 1)
      #expect(session["device"]["model"].string == "iPhone15,2")
      let found = try await collector.json("/api/events?q=declined")["events"].array
      #expect(found.count == 1)
      let tagged = try await collector.json("/api/sessions?q=tag:opentelemetry")["sessions"].array
      #expect(tagged.count == 1)
    }
  }

  @Test func `events by the semantic conventions become events of the SDK's types`() async throws {
    try await RunningCollector.with { collector in
      let records = [
        OTLPStory.record(event: "session.start", at: 1),
        OTLPStory.record(event: "app.screen.view", at: 2, [("app.screen.name", .stringValue("Cart"))]),
        OTLPStory.record(
          event: "app.widget.click", at: 3,
          [
            ("app.widget.id", .stringValue("pay")), ("app.screen.coordinate.x", .intValue(120)),
            ("app.screen.coordinate.y", .intValue(44)),
          ]),
        OTLPStory.record(event: "device.app.lifecycle", at: 4, [("ios.app.state", .stringValue("background"))]),
        OTLPStory.record(
          "it broke", event: "exception", severity: 17, at: 5,
          [("exception.type", .stringValue("PaymentError")), ("exception.message", .stringValue("declined"))]),
        OTLPStory.record(event: "app.hang", at: 6, [("app.hang.duration", .doubleValue(2.5))]),
        OTLPStory.record(event: "purchase", at: 7, [("amount", .doubleValue(9.5))]),
        OTLPStory.record(
          event: "app.crash", severity: 21, at: 8,
          [
            ("exception.type", .stringValue("SIGSEGV")), ("exception.stacktrace", .stringValue("main.swift line 3")),
          ]),
      ]
      #expect(try await collector.otlp("/v1/logs", OTLPStory.logs(records)).status == 200)
      let events = try await collector.events(of: "s-1", count: 8)
      let types = events.map { $0["eventType"].string ?? "" }
      #expect(
        types == [
          "lifecycle", "navigation", "interaction", "lifecycle", "handled_exception", "hang", "custom", "crash",
        ])
      #expect(events[0]["payload"]["state"].string == "session_start")
      #expect(events[1]["payload"]["destination"].string == "Cart")
      #expect(events[2]["payload"]["properties"]["accessibilityIdentifier"].string == "pay")
      #expect(events[2]["payload"]["properties"]["x"].string == "120")
      #expect(events[3]["payload"]["state"].string == "background")
      #expect(events[4]["payload"]["errorDomain"].string == "PaymentError")
      #expect(events[4]["payload"]["customMessage"].string == "it broke")
      #expect(events[5]["payload"]["durationMs"].double == 2500)
      #expect(events[6]["payload"]["properties"]["amount"].string == "9.5")
      let issues = try await collector.json("/api/issues")["issues"].array
      #expect(Set(issues.map { $0["kind"].string ?? "" }) == ["crash", "hang", "failure"])
      let screens = try await collector.json("/api/sessions?q=screen:Cart")["sessions"].array
      #expect(screens.count == 1)
    }
  }

  @Test func `clients' spans become requests, by the names of today and of before, other spans spans`() async throws {
    try await RunningCollector.with { collector in
      var failed = OTLPStory.span(
        "GET", 2, parent: 1, kind: .client,
        [
          ("http.request.method", .stringValue("GET")), ("url.full", .stringValue("https://api.example/v1/pay?a=1")),
          ("http.response.status_code", .intValue(503)), ("server.address", .stringValue("api.example")),
          ("error.type", .stringValue("503")),
        ])
      failed.status.code = .error
      failed.events = [
        OTLP.Span.Event.with {
          $0.name = "exception"
          $0.timeUnixNano = OTLPStory.time + 3_000_000
          $0.attributes = [.init("exception.type", "TimeoutError"), .init("exception.message", "too slow")]
        }
      ]
      let old = OTLPStory.span(
        "HTTP POST", 3, kind: .client,
        [
          ("http.method", .stringValue("POST")), ("http.scheme", .stringValue("https")),
          ("net.peer.name", .stringValue("old.example")), ("net.peer.port", .intValue(8443)),
          ("http.target", .stringValue("/x")), ("http.status_code", .intValue(201)),
        ])
      let root = OTLPStory.span("checkout", 1, milliseconds: 50, [("cart.items", .intValue(3))])
      let server = OTLPStory.span("GET /v1/pay", 4, parent: 2, kind: .server, session: nil)
      #expect(try await collector.otlp("/v1/traces", OTLPStory.traces([root, failed, old])).status == 200)
      let backend = OTLPStory.resource(service: "backend", [("service.instance.id", "pod-7")])
      #expect(try await collector.otlp("/v1/traces", OTLPStory.traces([server], backend)).status == 200)
      let events = try await collector.events(of: "s-1", count: 4)
      let requests = events.filter { $0["eventType"].string == "network_request" }.map { $0["payload"] }
      #expect(requests.count == 2)
      let first = requests.first { $0["method"].string == "GET" } ?? .null
      #expect(first["url"].string == "https://api.example/v1/pay?a=1")
      #expect(first["statusCode"].int == 503)
      #expect(first["durationMs"].double == 20)
      #expect(first["traceparent"].string?.hasPrefix("00-0102030405060708090a0b0c0d0e0f10-0000000000000902") == true)
      #expect(first["parentSpanId"].string == "0000000000000901")
      let second = requests.first { $0["method"].string == "POST" } ?? .null
      #expect(second["url"].string == "https://old.example:8443/x")
      #expect(second["statusCode"].int == 201)
      let span = events.first { $0["eventType"].string == "span" }?["payload"] ?? .null
      #expect(span["name"].string == "checkout")
      #expect(span["spanId"].string == "0000000000000901")
      #expect(span["parentSpanId"] == .null)
      #expect(span["durationMs"].double == 50)
      #expect(span["attributes"]["cart.items"].int == 3)
      let failure = events.first { $0["eventType"].string == "handled_exception" }?["payload"] ?? .null
      #expect(failure["errorDomain"].string == "TimeoutError")
      #expect(failure["traceId"].string == "0102030405060708090a0b0c0d0e0f10")
      let listed = try await collector.json("/api/network?q=status:503")["requests"].array
      #expect(listed.count == 1)
      // A service without sessions has one a day for each of its processes.
      let fallback = try await collector.events(of: "otel 2023-11-14 pod-7", count: 1)
      #expect(fallback.first?["payload"]["kind"].string == "server")
    }
  }

  @Test func `JSON as the protocol has it is understood: ids in hexadecimal, long numbers as text or not`() async throws
  {
    try await RunningCollector.with { collector in
      let answer = try await collector.otlp(
        "/v1/traces",
        json: """
          {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"web"}}]},
          "newerThanThis":{"a":[1]},"scopeSpans":[{"scope":{"name":"fetch"},"spans":[
          {"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B174","parentSpanId":"","name":"I'm a span",
          "startTimeUnixNano":"1544712660000000000","endTimeUnixNano":1544712661000000000,"kind":2,
          "attributes":[{"key":"session.id","value":{"stringValue":"web-1"}},{"key":"n","value":{"intValue":"9007199254740993"}},
          {"key":"nan","value":{"doubleValue":"NaN"}},{"key":"list","value":{"arrayValue":{"values":[{"intValue":1}]}}}]}]}]}]}
          """)
      #expect(answer.status == 200)
      #expect(answer.headers.first(name: "content-type") == "application/json")
      #expect(answer.text == "{}")
      let payload = try await collector.events(of: "web-1", count: 1)[0]["payload"]
      #expect(payload["traceId"].string == "5b8efff798038103d269b633813fc60c")
      #expect(payload["spanId"].string == "eee19b7ec3c1b174")
      #expect(payload["kind"].string == "server")
      #expect(payload["durationMs"].double == 1000)
      #expect(payload["attributes"]["nan"].string == "NaN")
      let text = try await collector.get("/api/sessions/web-1/events").text
      #expect(text.contains("9007199254740993"))
    }
  }

  @Test func `what is sent again is stored once, and what only looks alike twice`() async throws {
    try await RunningCollector.with { collector in
      let logs = OTLPStory.logs([OTLPStory.record("same"), OTLPStory.record("same")])
      let traces = OTLPStory.traces([OTLPStory.span("a", 1), OTLPStory.span("b", 2)])
      for _ in 0..<3 {
        #expect(try await collector.otlp("/v1/logs", logs).status == 200)
        #expect(try await collector.otlp("/v1/traces", traces).status == 200)
      }
      // The same spans in another batch, as after a part of it was refused.
      #expect(try await collector.otlp("/v1/traces", OTLPStory.traces([OTLPStory.span("b", 2)])).status == 200)
      #expect(try await collector.otlp("/v1/logs", OTLPStory.logs([OTLPStory.record("last", at: 9)])).status == 200)
      let events = try await collector.events(of: "s-1", count: 5)
      #expect(events.count == 5)
    }
  }

  @Test func `metrics are counted, and it is said that they are not kept`() async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.otlp(
        "/v1/metrics",
        json: """
          {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","gauge":{"dataPoints":[{"asInt":"1"},{"asDouble":2}]}},
          {"name":"b","sum":{"dataPoints":[{"asInt":"3"}]}}]}]}]}
          """)
      #expect(answer.status == 200)
      #expect(try answer.json()["partialSuccess"]["rejectedDataPoints"].string == "3")
      #expect(answer.text.contains("not kept"))
      #expect(try await collector.get("/metrics").text.contains("automobile_otlp_data_points_total 3"))
    }
  }

  @Test func `a span without ids is refused by itself, and the rest is taken`() async throws {
    try await RunningCollector.with { collector in
      var nameless = OTLPStory.span("nameless", 5)
      nameless.traceID = Data(count: 16)
      let answer = try await collector.otlp("/v1/traces", OTLPStory.traces([nameless, OTLPStory.span("good", 6)]))
      #expect(answer.status == 200)
      let response = try OTLP.TraceResponse(serializedBytes: Data(buffer: answer.body))
      #expect(response.partialSuccess.rejectedSpans == 1)
      #expect(response.partialSuccess.errorMessage == "1: the span has no valid trace id and span id")
      #expect(try await collector.events(of: "s-1", count: 1).count == 1)
    }
  }

  @Test func `a project's key delivers for its own app only`() async throws {
    try await RunningCollector.with({
      $0.ingestKeys = ["ingest-0123456789"]
      $0.operatorKeys = ["operator-0123456789"]
    }) { collector in
      let headers = [("Authorization", "Bearer operator-0123456789"), ("Content-Type", "application/json")]
      let project = try await collector.send(
        .POST, "/api/projects", headers: headers,
        body: ByteBuffer(string: "{\"bundleId\":\"dev.example.shop\",\"name\":\"Shop\"}")
      ).json()["id"]
      let id = project.int.map(String.init) ?? "\"\(project.string ?? "")\""
      let key = try await collector.send(
        .POST, "/api/keys", headers: headers, body: ByteBuffer(string: "{\"project\":\(id)}")
      ).json()["key"].string
      let own = [("Authorization", "Bearer \(key ?? "")")]
      let logs = OTLPStory.logs([OTLPStory.record("mine")])
      #expect(try await collector.otlp("/v1/logs", logs).status == 401)
      #expect(try await collector.otlp("/v1/logs", logs, headers: own).status == 200)
      var both = logs
      both.resourceLogs +=
        OTLPStory.logs([OTLPStory.record("theirs")], OTLPStory.resource(service: "other")).resourceLogs
      let answer = try await collector.otlp("/v1/logs", both, headers: own)
      #expect(answer.status == 200)
      let response = try OTLP.LogsResponse(serializedBytes: Data(buffer: answer.body))
      #expect(response.partialSuccess.rejectedLogRecords == 1)
      let foreign = OTLPStory.logs([OTLPStory.record("theirs")], OTLPStory.resource(service: "other"))
      #expect(try await collector.otlp("/v1/logs", foreign, headers: own).status == 403)
    }
  }
}
