import Testing

@testable import AutoMobileCollector

@Suite struct `Finding sessions` {
  /// Ada's has a failed request and an error; Bob's has a hang, and is short; Cleo's is long.
  private static func some() -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: "s-ada", user: "ada", tags: ["plan": "pro"])
    batch.addNavigation(to: "Checkout", at: 10)
    batch.add(RecordedRequest(url: "https://shop.example/v1/receipts/R-77?full=1", status: 503, at: 20))
    batch.addContext(2, session: "s-bob", user: "bob", tags: ["plan": "free"])
    batch.addNavigation(to: "Feed", at: 30, context: 2)
    batch.add(.event, #"{"eventType":"hang","timestamp":40,"durationMs":2500.5,"contextId":2}"#)
    batch.addContext(3, session: "s-cleo", user: "cleo")
    for index in 0..<5 { batch.addLog("the parcel is on its way", at: 1000 + index * 100, context: 3) }
    return batch
  }

  private static func found(_ query: String, _ collector: RunningCollector) async throws -> [String] {
    try await collector.json("/api/sessions?\(query)")["sessions"].array.compactMap { $0["sessionId"].string }
  }

  @Test(arguments: [
    ("q=receipts", ["s-ada"]), ("q=parcel", ["s-cleo"]), ("url=receipts", ["s-ada"]), ("url=parcel", []),
    ("message=parcel%20way", ["s-cleo"]), ("message=receipts", []), ("user=AD", ["s-ada"]),
    ("tag=plan%3Dpro", ["s-ada"]),
    ("tag=plan", ["s-bob", "s-ada"]), ("screen=feed", ["s-bob"]), ("has=failed", ["s-ada"]), ("has=hang", ["s-bob"]),
    ("has=error", ["s-bob", "s-ada"]), ("has=error&has=hang", ["s-bob"]), ("has=crash", []),
    ("ended=none&user=b", ["s-bob"]),
    ("ended=crash", []), ("from=500", ["s-cleo"]), ("to=15", ["s-ada"]),
    ("version=2.1&version=9", ["s-cleo", "s-bob", "s-ada"]),
    ("version=9", []), ("device=nobody's", []), ("sort=longest", ["s-cleo", "s-bob", "s-ada"]),
    ("sort=events&limit=1", ["s-cleo"]),
  ])
  func `by terms, facets and time, in several orders`(query: String, expected: [String]) async throws {
    for isFullText in [true, false] {
      try await RunningCollector.with { options in
        options.fullTextSearch = isFullText
      } _: { collector in
        let batch = Self.some()
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 9)
        // Without the index of words a message is found by its very text.
        let asked = isFullText ? query : query.replacing("parcel%20way", with: "its%20way")
        let sessions = try await Self.found(asked, collector)
        #expect(query.hasPrefix("sort") ? sessions.first == expected.first : sessions == expected)
      }
    }
  }

  @Test func `facets count what there would be without each of them`() async throws {
    try await RunningCollector.with { collector in
      let batch = Self.some()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 9)
      let all = try await collector.json("/api/sessions/facets")
      #expect(all["total"].int == 3)
      #expect(all["facets"]["version"][0][1].int == 3)
      #expect(all["facets"]["ended"][0][0].string == "none")
      let has = Dictionary(
        all["facets"]["has"].array.map { ($0[0].string ?? "", $0[1].int ?? 0) }, uniquingKeysWith: { first, _ in first }
      )
      #expect(has["error"] == 2 && has["hang"] == 1 && has["failed"] == 1)

      let none = try await collector.json("/api/sessions/facets?version=9")
      #expect(none["total"].int == 0)
      #expect(none["facets"]["version"][0][1].int == 3)
      #expect(none["facets"]["device"].array.isEmpty)
      let hung = try await collector.json("/api/sessions/facets?has=hang&q=Feed")
      #expect(hung["total"].int == 1)
    }
  }

  @Test func `pages in every order have each session once`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      for index in 1...25 {
        batch.addContext(index, session: "s-\(index)")
        for event in 0..<(index % 3 + 1) { batch.addLog("x", at: 1000 + event * (index % 5), context: index) }
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 49)
      for order in ["newest", "longest", "events", "errors"] {
        var seen: [String] = []
        var cursor: String?
        repeat {
          let page = try await collector.json(
            "/api/sessions?limit=4&sort=\(order)\(cursor.map { "&before=\($0)" } ?? "")")
          seen += page["sessions"].array.compactMap { $0["sessionId"].string }
          cursor = page["next"].string
        } while cursor != nil
        #expect(seen.count == 25 && Set(seen).count == 25, "\(order)")
      }
    }
  }

  @Test(arguments: ["sort=best", "has=fun", "from=yesterday", "to=1e3", "limit=0"])
  func `what cannot be asked is refused with the reason`(query: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.get("/api/sessions?\(query)")
      #expect(answer.status == 400)
      #expect(answer.errorCode?.hasPrefix("invalid_") == true)
    }
  }
}
