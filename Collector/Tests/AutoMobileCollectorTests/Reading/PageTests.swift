import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Pages are bounded in bytes` {
  private static let count = 24

  /// Events of half a megabyte each.
  private static func fill(_ collector: RunningCollector) async throws {
    let text = String(repeating: "x", count: 500_000)
    var launch: LaunchID?
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    for index in 0..<count {
      batch.addLog("\(index) \(text)", at: 1_700_000_000_000 + index)
      if index % 8 == 7 {
        try #require(await collector.post(raw: batch).status == 200)
        launch = batch.launch
        batch = RawBatch(launch: batch.launch, from: batch.position)
      }
    }
    try await collector.waitForLaunch(try #require(launch), stored: count)
  }

  /// All pages from the first to the last: how large the largest is, and the ids in their order.
  private static func pages(
    _ path: String, _ cursor: String, of collector: RunningCollector
  ) async throws -> (largest: Int, ids: [Int]) {
    var largest = 0
    var ids: [Int] = []
    var next: String?
    repeat {
      let answer = try await collector.get(path + (next.map { "&\(cursor)=\($0)" } ?? ""))
      try #require(answer.status == 200, "\(answer.text.prefix(200))")
      largest = max(largest, answer.body.readableBytes)
      let json = try answer.json()
      ids += json["events"].array.compactMap { $0["id"].int }
      next = json["next"].string
      try #require(ids.count <= count)
    } while next != nil
    return (largest, ids)
  }

  @Test func `a page of large events ends early, and the next one goes on without a gap`() async throws {
    try await RunningCollector.with {
      $0.limits.pageBytes = 2 << 20
    } _: { collector in
      try await Self.fill(collector)
      let timeline = try await Self.pages("/api/sessions/s-1/events?limit=1000", "after", of: collector)
      #expect(timeline.ids.count == Self.count && Set(timeline.ids).count == Self.count)
      #expect(timeline.ids == timeline.ids.sorted())
      let ids = timeline.ids.map(String.init).joined(separator: ",")
      for (path, cursor, isUpwards) in [
        ("/api/sessions/s-1/events?ids=\(ids)", "after", true), ("/api/events?limit=1000", "before", false),
        ("/api/events?limit=1000&type=log", "before", false), ("/api/events?limit=1000&session=s-1", "before", false),
      ] {
        let found = try await Self.pages(path, cursor, of: collector)
        #expect(found.ids == (isUpwards ? timeline.ids : timeline.ids.reversed()), "\(path)")
        // One event goes beyond the limit at most.
        #expect(found.largest < 3 << 20, "\(path)")
      }
      #expect(timeline.largest < 3 << 20)
    }
  }

  @Test func `a search through large events ends early, and goes on without a gap`() async throws {
    for fullText in [true, false] {
      try await RunningCollector.with {
        $0.limits.pageBytes = 2 << 20
        $0.limits.readSeconds = 60
        $0.fullTextSearch = fullText
      } _: { collector in
        try await Self.fill(collector)
        let found = try await Self.pages("/api/events?limit=1000&q=all", "before", of: collector)
        #expect(found.ids.count == Self.count && found.ids == found.ids.sorted(by: >))
        #expect(found.largest < 3 << 20)
      }
    }
  }

  @Test func `answers that nobody takes have a limit together`() async throws {
    try await RunningCollector.with {
      $0.limits.answerBytes = 8 << 20
    } _: { collector in
      try await Self.fill(collector)
      var sockets: [RawSocket] = []
      var refused: RunningCollector.Answer?
      for _ in 0..<200 where refused == nil {
        sockets.append(try await collector.ask("/api/events?limit=1000"))
        let answer = try await collector.get("/api/events?limit=1")
        if answer.status == 429 { refused = answer }
      }
      #expect(refused?.errorCode == "busy")
      sockets.removeAll()
      // What was for those who have gone is forgotten.
      let deadline = ContinuousClock.now + .seconds(90)
      while try await collector.get("/api/events?limit=1").status == 429 {
        try #require(ContinuousClock.now < deadline)
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
}
