import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Spans` {
  private static let a = "00f067aa0ba902b7"
  private static let b = "ffffffffffffff01"

  @Test(arguments: [[0, 1], [1, 0], [0, 1, 1, 0], [1, 1, 0]])
  func `the end completes the begin, in any order, and doubles fall out`(order: [Int]) async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      for what in order {
        if what == 0 {
          batch.addSpan("checkout", Self.a, parent: Self.b, at: 1000)
        } else {
          batch.addSpan(
            "checkout", Self.a, parent: Self.b, at: 1000, duration: 12.345,
            more: #","status":"error","statusMessage":"declined","kind":"client","attributes":{"items":3}"#)
        }
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: order.count)
      let spans = try await collector.json("/api/sessions/s/spans")["spans"].array
      #expect(spans.count == 1)
      let events = try await collector.json("/api/sessions/s/events")["events"].array
      let begin = events.first { $0["payload"]["durationMs"].double == nil }
      let end = events.first { $0["payload"]["durationMs"].double != nil }
      #expect(spans[0]["event"].int == end?["id"].int && spans[0]["begun"].int == begin?["id"].int)
      #expect(spans[0]["durationMs"].double == 12.345 && spans[0]["timestamp"].int == 1000)
      #expect(spans[0]["name"].string == "checkout" && spans[0]["kind"].string == "client")
      #expect(spans[0]["status"].string == "error" && spans[0]["statusMessage"].string == "declined")
      #expect(spans[0]["traceId"].string == RawBatch.trace && spans[0]["spanId"].string == Self.a)
      #expect(spans[0]["parentSpanId"].string == Self.b)
    }
  }

  @Test func `one that was never ended is there, by its begin`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      batch.addSpan("upload", Self.a)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let spans = try await collector.json("/api/sessions/s/spans")["spans"].array
      #expect(spans.count == 1 && spans[0]["durationMs"] == .null && spans[0]["begun"] == .null)
      #expect(spans[0]["event"].int != nil)
    }
  }

  @Test func `they come in pages, and what is new by itself`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      for index in 0..<25 { batch.addSpan("n\(index)", String(format: "%016x", index + 1), at: 1000 + index / 2) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 25)
      var names: [String] = []
      var after = ""
      repeat {
        let page = try await collector.json("/api/sessions/s/spans?limit=10\(after)")
        names += page["spans"].array.compactMap { $0["name"].string }
        after = page["next"].string.map { "&after=\($0)" } ?? ""
      } while !after.isEmpty
      #expect(names == (0..<25).map { "n\($0)" })
      let newest = try await collector.json("/api/sessions/s/outline")["newest"].int ?? 0
      var second = RawBatch(launch: batch.launch, from: batch.position)
      second.addSpan("n3", String(format: "%016x", 4), at: 1001, duration: 5)
      try await collector.post(raw: second)
      try await collector.waitForLaunch(batch.launch, stored: 26)
      let fresh = try await collector.json("/api/sessions/s/spans?newer=\(newest)")["spans"].array
      #expect(fresh.map { $0["name"].string } == ["n3"] && fresh[0]["durationMs"].double == 5)
    }
  }

  @Test func `a trace is told across sessions and apps, with its requests`() async throws {
    try await RunningCollector.with { collector in
      var app = RawBatch(bundleId: "com.example.shop")
      app.addContext(1, session: "phone", user: "mira")
      app.addSpan("checkout", Self.a, at: 1000, duration: 50)
      app.add(
        .event,
        """
        {"eventType":"network_request","timestamp":1010,"url":"https://api.example/v1/pay","method":"POST","statusCode":503,\
        "durationMs":30,"traceparent":"00-\(RawBatch.trace)-00000000000000aa-01","traceId":"\(RawBatch.trace)",\
        "parentSpanId":"\(Self.a)","contextId":1}
        """)
      app.add(
        .event,
        """
        {"eventType":"network_request","timestamp":1020,"url":"https://other.example/","method":"GET",\
        "traceId":"\(RawBatch.trace)","parentSpanId":"\(Self.a)","contextId":1}
        """)
      app.addSpan("another trace", Self.b, trace: String(repeating: "9", count: 32), at: 1000, duration: 1)
      var server = RawBatch(bundleId: "com.example.server")
      server.addContext(1, session: "backend")
      server.addSpan(
        "POST /v1/pay", "00000000000000bb", parent: "00000000000000aa", at: 1015, duration: 20,
        more: #","kind":"server","attributes":{"db.rows":[1,2],"http.route":"/v1/pay"}"#)
      // What two apps call alike is two spans.
      server.addSpan("the same name", Self.a, at: 1016, duration: 1)
      for batch in [app, server] { try await collector.post(raw: batch) }
      try await collector.waitForLaunch(app.launch, stored: 4)
      try await collector.waitForLaunch(server.launch, stored: 2)
      let trace = try await collector.json("/api/traces/\(RawBatch.trace.uppercased())")
      let spans = trace["spans"].array
      #expect(spans.map { $0["name"].string } == ["checkout", "POST /v1/pay", "the same name"])
      #expect(spans.map { $0["sessionId"].string } == ["phone", "backend", "backend"])
      #expect(
        spans[1]["attributes"]["http.route"].string == "/v1/pay" && spans[1]["attributes"]["db.rows"].array.count == 2)
      #expect(spans[1]["parentSpanId"].string == "00000000000000aa" && spans[0]["userId"].string == "mira")
      let requests = trace["requests"].array
      #expect(requests.map { $0["request"]["host"].string } == ["api.example", "other.example"])
      #expect(requests.map { $0["spanId"].string } == ["00000000000000aa", nil])
      #expect(requests.map { $0["parentSpanId"].string } == [Self.a, Self.a])
      let page = try await collector.json("/api/traces/\(RawBatch.trace)?limit=1")
      #expect(page["spans"].array.count == 1 && page["requests"].array.count == 2)
      let next = try #require(page["next"].string)
      let rest = try await collector.json("/api/traces/\(RawBatch.trace)?after=\(next)")
      #expect(rest["spans"].array.count == 2 && rest["requests"] == .null)
      #expect(try await collector.json("/api/traces/\(String(repeating: "1", count: 32))")["spans"].array.isEmpty)
    }
  }

  @Test func `a deleted session takes its spans along, and leaves what another one tells of`() async throws {
    let directory = try TemporaryDirectory()
    var batch = RawBatch()
    batch.addContext(1, session: "old")
    batch.addSpan("only here", "0000000000000001", duration: 1)
    batch.addSpan("over midnight", "0000000000000002")
    batch.addSpan("begun there", "0000000000000003", context: 1)
    batch.addContext(2, session: "new")
    batch.addSpan("over midnight", "0000000000000002", duration: 9000, context: 2)
    batch.addSpan("begun here", "0000000000000004", context: 2)
    try await RunningCollector.with(directory: directory.url) { [batch] collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
      let old = try await collector.json("/api/sessions/old/spans")["spans"].array
      #expect(Set(old.map { $0["name"].string }) == ["only here", "over midnight", "begun there"])
    }
    func spans() throws -> [String] {
      let store = try EventStore(
        path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
      return try store.pool.read { database in
        try String.fetchAll(
          database,
          sql: """
            SELECT name || ' ' || (duration IS NOT NULL) || ' ' || session.sessionId FROM spans
            LEFT JOIN session ON session.id = session ORDER BY span
            """)
      }
    }
    func erase(_ session: String) throws {
      let store = try EventStore(
        path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
      _ = try store.erase(session)
    }
    try erase("old")
    #expect(try spans() == ["over midnight 1 new", "begun here 0 new"])
    try erase("new")
    #expect(try spans().isEmpty)
  }

  @Test func `a session's file carries them`() async throws {
    try await RunningCollector.with { first in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      batch.addSpan("checkout", Self.a)
      batch.addSpan("checkout", Self.a, duration: 7, more: #","attributes":{"items":3}"#)
      try await first.post(raw: batch)
      try await first.waitForLaunch(batch.launch, stored: 2)
      let file = try await first.get("/api/sessions/s/file").body
      try await RunningCollector.with { second in
        let answer = try await second.send(
          .POST, "/api/import", headers: [("Content-Type", SessionFile.mediaType)], body: file)
        #expect(answer.status == 200, "\(answer.text)")
        let spans = try await second.wait(for: "/api/sessions/s/spans") { $0["spans"].array.count == 1 }["spans"].array
        #expect(spans[0]["durationMs"].double == 7 && spans[0]["begun"].int != nil)
      }
    }
  }

  @Test func `hostile spans are passed over, and hostile questions refused`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      let long = String(repeating: "x", count: 100_000)
      batch.addSpan(long, Self.a, duration: 1)
      for (trace, span) in [
        ("", Self.a), (String(repeating: "0", count: 32), Self.a), (RawBatch.trace, "0000000000000000"),
        (RawBatch.trace, "+0f067aa0ba902b7"), (RawBatch.trace, "ü0f067aa0ba902b"), (RawBatch.trace + "0", Self.b),
        (long, long),
      ] {
        batch.addSpan("none", span, trace: trace, duration: 1)
      }
      batch.add(
        .event,
        #"{"eventType":"span","timestamp":1,"name":{"a":1},"traceId":7,"spanId":[],"durationMs":"1","contextId":1}"#)
      batch.addSpan("circle", Self.b, parent: Self.b, duration: -5, more: #","status":{},"kind":7,"attributes":[1]"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 10)
      let spans = try await collector.json("/api/sessions/s/spans")["spans"].array
      #expect(spans.map { $0["name"].string } == [String(long.prefix(256)), "circle"])
      #expect(spans[1]["durationMs"] == .null, "what is no length is none")
      for (path, code) in [
        ("/api/sessions/none/spans", "no_session"), ("/api/sessions/s/spans?newer=x", "invalid_newer"),
        ("/api/sessions/s/spans?after=x", "invalid_cursor"), ("/api/sessions/s/spans?limit=0", "invalid_limit"),
        ("/api/traces/x", "invalid_trace"), ("/api/traces/\(String(repeating: "0", count: 32))", "invalid_trace"),
        ("/api/traces/\(RawBatch.trace)?after=1", "invalid_cursor"),
      ] {
        #expect(try await collector.get(path).errorCode == code, "\(path)")
      }
    }
  }

  @Test func `a failed span is a warning, and is found by its name, its trace and its attributes`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      batch.addSpan("checkout", Self.a, duration: 1, more: #","status":"error","attributes":{"voucher":"SUMMER"}"#)
      batch.addSpan("browse", Self.b, duration: 1)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      #expect(try await collector.json("/api/sessions/s")["errors"].int == 0)
      for query in ["level:warning", "name:checkout", "summer", "type:span checkout", "status"] {
        let found = try await collector.json("/api/events?q=\(query.inQuery)")["events"].array
        let isNothing = query == "status"
        #expect(found.map { $0["payload"]["name"].string } == (isNothing ? [] : ["checkout"]), "\(query)")
      }
      #expect(try await collector.json("/api/events?q=\(RawBatch.trace)")["events"].array.count == 2)
    }
  }
}
