import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// What one device can send so that nobody else's question has an answer any more.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct HostileReadingTests {
  private static let start: Int64 = 1_790_000_000_000
  /// Its UTC day does not end within what these tests put.
  private static let received: Int64 = start

  private static func summary(_ session: String, revision: Int, at time: Int64, kept: Int) -> String {
    """
    {"eventType":"session_summary","timestamp":\(time),"contextId":1,"session":"\(session)","revision":\(revision),\
    "startedAt":\(start),"endedAt":\(time),"isFinal":false,"events":{"log":\(kept)},\
    "keptEvents":\(kept),"keptBytes":1000,"keptUntil":\(time + 1_000_000)}
    """
  }

  /// Page by page to the end.
  private static func walk(
    _ events: ClickHouseEvents, _ scope: ReadScope, _ filter: EventFilter, limit: Int
  ) async throws -> (events: [EventRow], pages: Int) {
    var (before, found, pages): (PageCursor?, [EventRow], Int) = (nil, [], 0)
    for _ in 0..<500 {
      let page = try await events.newest(scope, before: before, limit: limit, filter: filter)
      found += page.events
      pages += 1
      guard let next = page.next else { return (found, pages) }
      if let last = before { #expect(next.id < last.id) }
      before = next
    }
    Issue.record("no end")
    return (found, pages)
  }

  @Test func `A launch of very many sessions, of which one is told of, hides no list`() async throws {
    try await WrittenCluster.with { place in
      var app = Delivery()
      for number in 1...20_000 {
        app.context(number, session: "s\(number)")
        app.event(
          "log", at: Self.start + Int64(number), context: number, #""level":2,"message":"m","filterName":"all""#)
      }
      app.add(.event, Self.summary("s1", revision: 1, at: Self.start + 30_000, kept: 7))
      try await place.put(app, by: 1, at: Self.received)
      let sessions = ClickHouseSessions(telemetry: place.telemetry)
      var filter = SessionFilter()
      filter.query = try SearchQuery("s1", in: .sessions)
      let scope = try place.store.everything()
      let now = Self.start + 40_000
      let found = try await sessions.list(scope, SessionFilter(), before: nil, limit: 50, now: now).page.rows
      #expect(found.count == 50)
      let told = try await sessions.list(scope, filter, before: nil, limit: 200, now: now).page.rows
      #expect(told.contains { $0.sessionId == "s1" && $0.told?.revision == 1 })
    }
  }

  @Test func `Of a session that was told of again and again, its last word counts`() async throws {
    try await WrittenCluster.with { place in
      var app = Delivery()
      app.context(session: "again")
      app.event("log", at: Self.start, #""level":2,"message":"m","filterName":"all""#)
      for revision in 1...300 {
        app.add(.event, Self.summary("again", revision: revision, at: Self.start + Int64(revision), kept: revision))
      }
      try await place.put(app, by: 1, at: Self.received)
      let sessions = ClickHouseSessions(telemetry: place.telemetry)
      let rows = try await sessions.list(
        try place.store.everything(), SessionFilter(), before: nil, limit: 5, now: Self.start + 1000
      ).page.rows
      #expect(rows.count == 1 && rows.first?.told?.revision == 300, "\(rows.map(\.described))")
    }
  }

  @Test func `A search that finds little says how far it has come, and all is found by going on`() async throws {
    try await WrittenCluster.with { place in
      var app = Delivery()
      app.context(session: "much")
      let wanted = Set((0..<1200).filter { $0 % 170 == 3 })
      for number in 0..<1200 {
        // What ClickHouse itself could say of the words is nothing: they begin with no letter that JSON always writes as it is.
        let text = wanted.contains(number) ? "éclair \(number)" : "plain \(number)"
        app.event("log", at: Self.start + Int64(number), #""level":2,"message":"\#(text)","filterName":"all""#)
      }
      try await place.put(app, by: 1, at: Self.received)
      var events = ClickHouseEvents(telemetry: place.telemetry)
      events.patience = .zero
      var filter = EventFilter()
      filter.query = try SearchQuery("message:éclair", in: .events)
      let (found, pages) = try await Self.walk(events, try place.store.everything(), filter, limit: 5)
      let texts = found.map { String(decoding: $0.payload, as: UTF8.self) }
      #expect(texts.count == wanted.count)
      for number in wanted { #expect(texts.contains { $0.contains("éclair \(number)\"") }) }
      #expect(pages > 3, "one page went all the way")
    }
  }

  @Test func `Copies of a batch hide no page of the newest events`() async throws {
    try await WrittenCluster.with { place in
      var app = Delivery()
      app.context(session: "again")
      for number in 0..<200 {
        app.event("log", at: Self.start + Int64(number), #""level":2,"message":"m\#(number)","filterName":"all""#)
      }
      for time in 0..<8 { try await place.put(app, by: 1, at: Self.received + Int64(time) * 10_000) }
      var events = ClickHouseEvents(telemetry: place.telemetry)
      events.patience = .zero
      let found = try await Self.walk(events, try place.store.everything(), EventFilter(), limit: 20).events
      let ids = found.map(\.id)
      #expect(ids.count == 200 && Set(ids).count == 200 && ids == ids.sorted(by: >))
    }
  }

  @Test func `A request of another app, in a launch of the same name, is not taken for one's own`() async throws {
    try await WrittenCluster.with { place in
      var (failing, other) = (Delivery("dev.example.one"), Delivery("dev.example.two"))
      other = Delivery("dev.example.two", launch: failing.launch)
      for (index, status) in [500, 200].enumerated() {
        if index == 0 {
          failing.context(session: "one")
          failing.request("GET", "https://api.example.com/a", at: Self.start, status: status)
        } else {
          other.context(session: "two")
          other.request("GET", "https://api.example.com/a", at: Self.start, status: status)
        }
      }
      try await place.put(failing, by: 1, at: Self.received)
      try await place.put(other, by: 1, at: Self.received + 1000)
      var filter = EventFilter()
      filter.query = try SearchQuery("status:500", in: .events)
      let found = try await ClickHouseEvents(telemetry: place.telemetry).newest(
        try place.store.everything(), before: nil, limit: 10, filter: filter)
      #expect(found.events.map(\.sessionId) == ["one"])
    }
  }
}
