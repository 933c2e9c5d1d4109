import Testing

@testable import AutoMobileCollector

@Suite struct `The order of time` {
  /// The launch after a crash tells of it first, and then delivers what the one that crashed had left behind: the tap that
  /// caused it, of the same millisecond.
  private static func deliver(to collector: RunningCollector) async throws -> RawBatch {
    var first = RawBatch()
    first.addContext(1, session: "s")
    first.addNavigation(to: "Menu", at: 100)
    try await collector.post(raw: first)
    try await collector.waitForLaunch(first.launch, stored: 1)

    var second = RawBatch()
    second.addContext(1, session: "s")
    second.add(
      .event,
      #"{"eventType":"crash","timestamp":200,"errorDomain":"SIGSEGV","stackTrace":"0  shop  0x1000 pay + 4","contextId":1,"#
        + #""report":{"format":1,"kind":"signal","reportId":"\#(first.launch)","threads":[{"crashed":true,"frames":[{"address":"0x1000","symbol":"pay"}]}]}}"#
    )
    try await collector.post(raw: second)
    try await collector.waitForLaunch(second.launch, stored: 1)

    var rest = RawBatch(launch: first.launch, from: first.position)
    rest.addContext(2, session: "s")
    rest.add(
      .event,
      #"{"eventType":"interaction","timestamp":200,"interactionType":"tap","properties":{"text":"Pay"},"contextId":2}"#)
    rest.add(
      .event, #"{"eventType":"log","timestamp":200,"level":2,"tag":"t","message":"paying","contextId":2}"#)
    try await collector.post(raw: rest)
    try await collector.waitForLaunch(first.launch, stored: 3)
    return first
  }

  private static let expected = ["navigation", "interaction", "log", "crash"]

  @Test func `puts a crash behind all of its millisecond, in lists, outlines, pages and reports`() async throws {
    try await RunningCollector.with { collector in
      _ = try await Self.deliver(to: collector)
      let events = try await collector.json("/api/sessions/s/events")["events"].array
      #expect(events.map { $0["eventType"].string } == Self.expected)

      var paged: [String?] = []
      var cursor = ""
      repeat {
        let page = try await collector.json("/api/sessions/s/events?limit=1\(cursor)")
        paged += page["events"].array.map { $0["eventType"].string }
        cursor = page["next"].string.map { "&after=\($0)" } ?? ""
      } while !cursor.isEmpty && paged.count < 9
      #expect(paged == Self.expected)

      let outline = try await collector.json("/api/sessions/s/outline")
      let names = outline["typeNames"].array.map { $0.string }
      #expect(outline["types"].array.map { names[$0.int ?? 0] } == Self.expected)
      #expect(outline["severities"].array.map { $0.int } == [2, 2, 2, 5])

      let crash = try #require(events.last?["id"].int)
      let report = try await collector.json("/api/events/\(crash)/report")
      #expect(report["before"].array.map { $0["eventType"].string } == Array(Self.expected.dropLast()))
      let file = try await collector.get("/api/sessions/s/file")
      #expect(file.status == 200)
    }
  }

  @Test func `names the function at fault beside a report`() async throws {
    try await RunningCollector.with { collector in
      _ = try await Self.deliver(to: collector)
      let events = try await collector.json("/api/sessions/s/events")["events"].array
      #expect(events.map { $0["culprit"].string } == [nil, nil, nil, "pay"])
    }
  }
}
