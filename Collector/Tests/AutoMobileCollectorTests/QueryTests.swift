import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Reading` {
  @Test func `sessions are paged newest first without a gap or a repetition`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      for index in 1...25 {
        batch.addContext(index, session: "s-\(index)")
        batch.addLog("x", at: 1000 + index / 2, context: index)
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 25)
      var seen: [String] = []
      var times: [Int] = []
      var path = "/api/sessions?limit=10"
      while true {
        let page = try await collector.json(path)
        seen += page["sessions"].array.compactMap { $0["sessionId"].string }
        times += page["sessions"].array.compactMap { $0["last"].int }
        guard let next = page["next"].string else { break }
        path = "/api/sessions?limit=10&before=\(next)"
      }
      #expect(seen.count == 25)
      #expect(Set(seen).count == 25)
      #expect(times == times.sorted(by: >))
    }
  }

  @Test(arguments: [
    ("ada", ["s-ada"]), ("ADA", ["s-ada"]), ("pro", ["s-ada"]), ("checkout", ["s-ada"]), ("2.1", ["s-bob", "s-ada"]),
    ("shop", ["s-bob", "s-ada"]), ("iphone15", ["s-bob", "s-ada"]), ("s-bob", ["s-bob"]), ("100%", []), ("nobody", []),
  ])
  func `sessions are found by user, tag, version, bundle, device and screen`(q: String, found: [String]) async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-ada", user: "ada", tags: ["plan": "pro"])
      batch.addNavigation(to: "CheckoutView", at: 1)
      batch.addContext(2, session: "s-bob", user: "bob")
      batch.addNavigation(to: "Home", at: 2, context: 2)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      let query = q.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? q
      let sessions = try await collector.json("/api/sessions?q=\(query)")["sessions"].array
      #expect(sessions.map { $0["sessionId"].string } == found)
    }
  }

  @Test(arguments: [true, false])
  func `events are searched by words, types and session, newest first`(fullText: Bool) async throws {
    try await RunningCollector.with { options in
      options.fullTextSearch = fullText
    } _: { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addContext(2, session: "s-2")
      for index in 0..<30 { batch.addLog("payment declined card\(index % 3)", at: index, context: 1 + index % 2) }
      batch.addNavigation(to: "PaymentScreen", at: 100)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 31)

      let all = try await collector.json("/api/events?q=payment&limit=100")["events"].array
      #expect(all.count == 31)
      #expect(all.compactMap { $0["id"].int } == all.compactMap { $0["id"].int }.sorted(by: >))
      #expect(try await collector.json("/api/events?q=card2")["events"].array.count == 10)
      #expect(try await collector.json("/api/events?q=declined&session=s-2")["events"].array.count == 15)
      #expect(try await collector.json("/api/events?type=navigation,crash")["events"].array.count == 1)
      #expect(try await collector.json("/api/events?q=payment&type=log&limit=5")["events"].array.count == 5)
      #expect(try await collector.json("/api/events?q=nowhere")["events"].array.isEmpty)
      #expect(try await collector.json("/api/events?q=%22%27)%20OR%20*")["events"].array.isEmpty)

      var ids: Set<Int> = []
      var path = "/api/events?q=payment&limit=7"
      while true {
        let page = try await collector.json(path)
        ids.formUnion(page["events"].array.compactMap { $0["id"].int })
        guard let next = page["next"].string else { break }
        path = "/api/events?q=payment&limit=7&before=\(next)"
      }
      #expect(ids.count == 31)
    }
  }

  @Test func `a session's events are paged in the order of time, filtered by type and text`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s 1/ü")
      for index in (0..<40).reversed() { batch.addLog("number \(index)", at: index / 4) }
      batch.addNavigation(to: "End", at: 3)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 41)
      let id = "s 1/ü".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      var times: [Int] = []
      var path = "/api/sessions/\(id)/events?limit=9"
      while true {
        let page = try await collector.json(path)
        times += page["events"].array.compactMap { $0["timestamp"].int }
        guard let next = page["next"].string else { break }
        path = "/api/sessions/\(id)/events?limit=9&after=\(next)"
      }
      #expect(times.count == 41)
      #expect(times == times.sorted())
      #expect(try await collector.json("/api/sessions/\(id)/events?type=navigation")["events"].array.count == 1)
      #expect(try await collector.json("/api/sessions/\(id)/events?q=%22umber%203%22")["events"].array.count == 11)
      let session = try await collector.json("/api/sessions/\(id)")
      #expect(session["launchLedgers"][0]["stored"].int == 41)
    }
  }

  @Test(arguments: [
    ("/api/sessions/none", 404, "no_session"), ("/api/sessions/none/events", 404, "no_session"),
    ("/api/nothing", 404, "not_found"), ("/missing.js", 404, "not_found"), ("/../etc/passwd", 400, "invalid_target"),
    ("/%2e%2e/%2e%2e/etc/passwd", 400, "invalid_target"),
    ("/api/sessions?limit=0", 400, "invalid_limit"), ("/api/sessions?limit=x", 400, "invalid_limit"),
    ("/api/sessions?before=x", 400, "invalid_cursor"), ("/api/events?before=1.2.3", 400, "invalid_cursor"),
    ("/api/events?before=99999999999999999999.1", 400, "invalid_cursor"),
    ("/api/events?before=%2B1.2", 400, "invalid_cursor"),
  ])
  func `what is asked wrongly is answered in JSON`(path: String, status: Int, code: String) async throws {
    try await RunningCollector.with { collector in
      // Over a socket, because a client would tidy the path up.
      let socket = try RawSocket(port: collector.port)
      await socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = await socket.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
      #expect(answer.contains("\"code\":\"\(code)\""))
      #expect(answer.lowercased().contains("content-type: application/json"))
    }
  }

  @Test func `the compatible receiver hands envelopes out once`() async throws {
    try await RunningCollector.with { collector in
      let text = envelope([#"{"eventType":"log","timestamp":1}"#])
      try await collector.post(envelope: text)
      try await collector.post(envelope: text)
      #expect(try await collector.json("/sdk-events").array.count == 2)
      #expect(try await collector.json("/sdk-events").array.isEmpty)
    }
  }

  @Test func `the page is given out with strict rules and is not sent twice`() async throws {
    try await RunningCollector.with { collector in
      let page = try await collector.get("/")
      #expect(page.status == 200)
      let policy = try #require(page.headers["Content-Security-Policy"].first)
      #expect(policy.contains("default-src 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(page.headers["X-Content-Type-Options"] == ["nosniff"])
      let tag = try #require(page.headers["ETag"].first)
      let again = try await collector.get("/", headers: [("If-None-Match", tag)])
      #expect(again.status == 304)
      #expect(again.body.readableBytes == 0)
    }
  }

  @Test func `health and metrics say how it stands`() async throws {
    try await RunningCollector.with { collector in
      let health = try await collector.get("/health")
      #expect(try health.json()["status"].string == "ok")
      #expect(try health.json()["port"].int == collector.port)
      #expect(health.headers["Accept-Post"] == [IngestRoutes.formats])
      var batch = RawBatch()
      batch.addLog("x")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let text = try await collector.get("/metrics").text
      #expect(text.contains("automobile_ingest_requests_total{format=\"raw\",status=\"200\"} 1\n"))
      #expect(text.contains("# TYPE automobile_ingest_answer_seconds histogram\n"))
      #expect(text.contains("automobile_ingest_answer_seconds_bucket{le=\"+Inf\"} 1\n"))
      #expect(text.contains("automobile_indexed_events_total 1\n"))
      #expect(text.contains("automobile_backlog_bytes 0\n"))
    }
  }
}
