import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `Export as a trace` {
  private static let time = 1_700_000_000_000

  private static func events(_ text: String) throws -> [JSONValue] {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["traceEvents"].array
  }

  /// Takes events in, and has them out as a trace.
  private static func exported(_ stored: Int, _ add: (inout RawBatch) -> Void) async throws -> [JSONValue] {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    add(&batch)
    let text = NIOLockedValueBox("")
    try await RunningCollector.with { [batch] collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: stored)
      let answer = try await collector.get("/api/sessions/s-1/trace")
      #expect(answer.status == 200)
      #expect(answer.headers.first(name: "content-disposition") == "attachment; filename=\"session-s1.trace.json\"")
      text.withLockedValue { $0 = answer.text }
    }
    return try events(text.withLockedValue { $0 })
  }

  private static func add(_ batch: inout RawBatch, _ type: String, at time: Int, _ members: String = "") {
    batch.add(
      .event, "{\"contextId\":1,\"eventType\":\"\(type)\",\"timestamp\":\(time)\(members.isEmpty ? "" : ",\(members)")}"
    )
  }

  @Test func `a screen lasts until the next one, and the last until the session's end`() async throws {
    let events = try await Self.exported(3) {
      $0.addNavigation(to: "Cart", at: Self.time)
      $0.addNavigation(to: "Pay", at: Self.time + 40)
      $0.addLog("end", at: Self.time + 90)
    }
    let screens = events.filter { $0["tid"].int == 101 && $0["ph"].string != "M" }
    #expect(screens.map { $0["ph"].string } == ["X", "X"])
    #expect(screens.map { $0["ts"].int } == [0, 40_000])
    #expect(screens.map { $0["dur"].int } == [40_000, 50_000])
    #expect(screens.map { $0["name"].string } == ["Cart", "Pay"])
    #expect(screens.map { $0["args"]["source"].string } == ["custom", "custom"])
  }

  @Test func `requests that overlap have ids of their own, and one without an end ends with the launch`() async throws {
    let events = try await Self.exported(4) {
      $0.add(RecordedRequest(url: "https://a.example/v1/x/1234?q=1", status: 200, duration: 10.25, at: Self.time))
      $0.add(
        RecordedRequest(method: "POST", url: "https://a.example/v1/y", status: 500, duration: 90, at: Self.time + 5))
      Self.add(
        &$0, "network_request", at: Self.time + 7,
        "\"url\":\"https://a.example/z\",\"method\":\"GET\",\"unfinished\":true")
      $0.addLog("end", at: Self.time + 50)
    }
    let requests = events.filter { ["b", "e"].contains($0["ph"].string) }
    #expect(requests.map { $0["ph"].string } == ["b", "b", "b", "e", "e", "e"])
    #expect(requests.map { $0["ts"].int } == [0, 5000, 7000, 10_250, 50_000, 95_000])
    #expect(Set(requests.compactMap { $0["id2"]["local"].string }).count == 3)
    #expect(requests[0]["name"].string == "GET /v1/x/:id")
    #expect(requests[0]["args"]["url"].string == "https://a.example/v1/x/1234?q=1")
    #expect(requests[1]["args"]["statusCode"].int == 500)
    #expect(requests[2]["args"]["unfinished"].bool == true)
  }

  @Test func `a hang that a clock puts into another one begins where that ends`() async throws {
    let events = try await Self.exported(3) {
      Self.add(&$0, "hang", at: Self.time, "\"durationMs\":100")
      Self.add(&$0, "hang", at: Self.time + 60, "\"durationMs\":90")
      Self.add(&$0, "hang", at: Self.time + 70, "\"durationMs\":5")
    }
    let hangs = events.filter { $0["ph"].string == "X" }
    #expect(hangs.map { $0["ts"].int } == [0, 100_000, 150_000])
    #expect(hangs.map { $0["dur"].int } == [100_000, 50_000, 0])
    #expect(hangs.map { $0["args"]["clipped"].bool } == [nil, true, true])
  }

  @Test func `a hang's stacks are a profile, each as often as it was seen`() async throws {
    let frames = { (names: [String]) in names.map { "{\"symbol\":\"\($0)\"}" }.joined(separator: ",") }
    let events = try await Self.exported(1) {
      Self.add(
        &$0, "hang", at: Self.time,
        """
        "durationMs":100,"report":{"kind":"hang","samples":[{"atMs":10,"count":3,"frames":[\(frames(["draw", "main"]))]},\
        {"atMs":70,"count":1,"frames":[\(frames(["read", "main"]))]}]}
        """)
    }
    let profile = try #require(events.last { $0["name"].string == "ProfileChunk" })["args"]["data"]
    let nodes = profile["cpuProfile"]["nodes"].array
    #expect(nodes.map { $0["callFrame"]["functionName"].string } == ["main", "draw", "read"])
    #expect(nodes.map { $0["parent"].int } == [nil, 1, 1])
    #expect(profile["cpuProfile"]["samples"].array.map(\.int) == [2, 2, 2, 3])
    #expect(profile["timeDeltas"].array.map(\.int) == [10_000, 20_000, 20_000, 20_000])
    let hang = try #require(events.first { $0["ph"].string == "X" })
    #expect(hang["args"]["samples"].array.first?["stack"].array.map(\.string) == ["draw", "main"])
  }

  @Test func `what is long is cut, and bodies and headers stay behind`() async throws {
    let long = String(repeating: "x", count: 50_000)
    let events = try await Self.exported(2) {
      Self.add(
        &$0, "custom", at: Self.time, "\"name\":\"\(long)\",\"properties\":{\"a\":\"\(long)\"},\"text\":\"\(long)\"")
      Self.add(
        &$0, "network_request", at: Self.time,
        "\"url\":\"/\",\"method\":\"GET\",\"requestBody\":\"b\",\"responseHeaders\":{\"A\":\"b\"},\"durationMs\":1")
    }
    let custom = try #require(events.first { $0["cat"].string == "custom" })
    #expect((custom["name"].string?.count ?? 0) < 210)
    #expect(custom["args"]["properties"].string == "(50008 bytes)")
    #expect((custom["args"]["text"].string?.count ?? 0) < 1100)
    let request = try #require(events.first { $0["cat"].string == "network_request" })
    #expect(request["args"]["requestBody"].string == nil)
    #expect(request["args"]["responseHeaders"]["A"].string == nil)
  }

  @Test
  func `characters beyond 16 bits are no escapes, which Perfetto does not read, and names have no control characters`()
    async throws
  {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      Self.add(
        &batch, "custom", at: Self.time,
        #""name":"a\u0000b\u001bc","properties":{"\ud83d\ude00":["\\ud83d\\ude00 \uD83D\uDE00\n\u00e9"]}"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let text = try await collector.get("/api/sessions/s-1/trace").text
      #expect(text.contains(#"{"😀":["\\ud83d\\ude00 😀\n\u00e9"]}"#))
      let event = try #require(try Self.events(text).first { $0["cat"].string == "custom" })
      #expect(event["name"].string == "a b c")
    }
  }

  @Test func `a session of many pages is whole, and a line of an event begins with its category`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "long")
      for index in 0..<2500 { batch.addLog("entry \(index)\\n,{\\\"cat\\\":", at: Self.time + index / 3) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2500)
      let text = try await collector.get("/api/sessions/long/trace").text
      let logs = try Self.events(text).filter { $0["ph"].string == "i" }
      #expect(logs.compactMap { $0["args"]["message"].string } == (0..<2500).map { "entry \($0)\n,{\"cat\":" })
      #expect(text.split(separator: "\n").filter { $0.hasPrefix(",{\"cat\":") }.count == 2500)
      #expect(text.hasSuffix("\n]}\n"))
      #expect(try await collector.get("/api/sessions/nobody/trace").errorCode == "no_session")
    }
  }
}

@Suite struct `Rows of a trace` {
  private static let place = TraceRecords.Place(process: 1, track: .spans)

  /// Spans as (name, parent, start, end), and the names that end until a time.
  private struct Placed {
    var rows = TraceRows()

    mutating func add(_ name: String, in parent: String? = nil, _ start: Int64, _ end: Int64) -> Int64 {
      let row = rows.place(from: start, to: end, named: Data(name.utf8), within: parent.map { Data($0.utf8) })
      rows.add(row, until: end, name, "span", place, named: Data(name.utf8))
      return row
    }

    mutating func ended(until time: Int64?) -> [String] {
      var names: [String] = []
      while let end = rows.next(until: time) { names.append(end.name) }
      return names
    }
  }

  @Test func `what lies within its parent is in its row, and what overlaps with a sister is not`() {
    var placed = Placed()
    let parent = placed.add("parent", 0, 100)
    #expect(placed.add("first", in: "parent", 10, 30) == parent)
    #expect(placed.add("overlaps", in: "parent", 20, 40) != parent)
    #expect(placed.ended(until: 35) == ["first"])
    #expect(placed.add("second", in: "parent", 35, 100) == parent)
    #expect(placed.add("beyond", in: "parent", 36, 101) != parent)
    #expect(placed.add("stranger", in: "nobody", 36, 40) != parent)
    // The innermost first, where they end at one time.
    #expect(placed.ended(until: 100).suffix(2) == ["second", "parent"])
    #expect(placed.add("late", in: "parent", 100, 100) != parent)
    #expect(placed.ended(until: nil) == ["late", "beyond"])
  }

  @Test func `a span that calls itself its parent has a row of its own, and so has a second one of its name`() {
    var placed = Placed()
    let first = placed.add("a", in: "a", 0, 50)
    let second = placed.add("a", in: "a", 0, 100)
    #expect(first != second)
    #expect(![first, second].contains(placed.add("child", in: "a", 10, 20)))
    #expect(placed.ended(until: nil) == ["child", "a", "a"])
  }

  @Test func `ends come in the order of time, whatever they came in`() {
    var placed = Placed()
    var generator = SystemRandomNumberGenerator()
    let ends = (0..<500).map { _ in Int64.random(in: 0...100, using: &generator) }
    for (index, end) in ends.enumerated() { _ = placed.add("\(index)", 0, end) }
    let told = placed.ended(until: nil).compactMap { Int($0) }
    #expect(told.map { ends[$0] } == ends.sorted())
    #expect(Set(told).count == 500)
  }
}

@Suite struct `Measurements of a trace` {
  @Test func `a series that is no number is left out, and with it what has no other`() {
    var records = TraceRecords()
    _ = records.take()
    records.counter("Memory", 1, at: 0, [("app", .nan), ("free", -.infinity)])
    #expect(records.size == 0)
    records.counter("Memory", 1, at: 0, [("app", .nan), ("free", 2)])
    let text = String(buffer: records.take())
    #expect(text.contains("\"free\":2") && !text.contains("app") && !text.lowercased().contains("nan"))
  }
}

@Suite struct `Clock of a trace` {
  @Test func `no clock leads before the beginning or beyond what readers can hold`() {
    let clock = TraceClock(start: 1000)
    #expect(clock.microseconds(1000) == 0)
    #expect(clock.microseconds(1001) == 1000)
    #expect(clock.microseconds(999) == 0)
    #expect(clock.microseconds(.min) == 0)
    #expect(clock.microseconds(.max) == TraceClock.latest)
    #expect(TraceClock(start: .min).microseconds(.max) == TraceClock.latest)
    #expect(TraceClock.end(TraceClock.latest, 5) == TraceClock.latest)
    #expect(TraceClock.duration(.nan) == nil)
    #expect(TraceClock.duration(-1) == nil)
    #expect(TraceClock.duration(0.25) == 250)
  }
}
