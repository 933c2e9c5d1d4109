import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// A collector whose rows come hours after their numbers were given: it was away, or a shard was.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct LateArrivalTests {
  private static let hour: Int64 = 3_600_000
  private static let start: Int64 = 1_790_000_000_000

  private typealias Place = WrittenCluster

  private static func logs(_ session: String, _ texts: [String], user: String = "ada") -> Delivery {
    var app = Delivery()
    app.context(session: session, user: user)
    for (index, text) in texts.enumerated() {
      app.event("log", at: start + Int64(index), #""level":2,"message":"\#(text)","filterName":"all""#)
    }
    return app
  }

  /// Follows in three ways, each from where it was.
  private final class Followers {
    private let place: Place
    private let scope: ReadScope
    private var (tail, lane, ask): (Int64, Int64, Int64) = (0, 0, 0)
    private let thread = QuietThread("reading")

    init(_ place: Place) throws { (self.place, scope) = (place, try place.store.everything()) }

    /// What is new, by its text.
    func follow() async throws -> (tail: [String], sent: [String], counted: Int64) {
      var (heard, sent, counted): ([String], [String], Int64) = ([], [], 0)
      var isBehind = true
      while isBehind {
        let more = try await place.arrivals.following(scope, tail, limit: 2, filter: EventFilter())
        heard += more.events.map { Self.text($0.payload) }
        // Whoever comes again goes on behind what was given out last.
        if let last = more.events.last?.place { #expect(last <= more.upTo && last > tail) }
        (tail, isBehind) = (more.upTo, more.isBehind)
      }
      let filter = ForwardFilter(Forwarder.Settings(url: "https://otlp.example.com"), .logs)
      var isLast = false
      while !isLast {
        let look = try await place.forwards.look(
          after: lane, filter, records: 2, ForwardLimits(), on: thread)
        sent += look.groups.flatMap(\.rows).map { Self.text($0.row.payload) }
        (lane, isLast) = (look.end, look.isLast)
      }
      var isFull = true
      while isFull {
        let ask = Ask(
          id: 1, bundle: "dev.example.shop", kind: .user, subject: "ada", session: nil, from: nil, to: nil,
          reason: "r", askedBy: "eve", askedAt: 0, endsAt: .max, state: .onItsWay, end: nil, changedAt: 0,
          changedBy: nil, toldAt: 1, cameAt: nil, events: 0, seen: self.ask)
        let found = try await place.asks.counted(after: self.ask, most: 3) { [OpenAsk(ask: ask)] }
        counted += found.counts[1] ?? 0
        (self.ask, isFull) = (found.last ?? self.ask, found.isFull)
      }
      return (heard, sent, counted)
    }

    private static func text(_ payload: Data) -> String {
      let json = String(decoding: payload, as: UTF8.self)
      return json.firstMatch(of: /"message":"([^"]*)"/).map { String($0.1) } ?? "?"
    }
  }

  @Test func `Nothing of it is missed, and what came twice is told where it came first`() async throws {
    try await WrittenCluster.with { place in
      let followers = try Followers(place)
      let late = Self.logs("late", ["one", "two", "three"])
      let doubled = Self.logs("doubled", ["again 1", "again 2"])
      // Writer 3 has taken both in, and dies before any row is sent; the device sends again what nobody has confirmed, to writer 5.
      let other = try await place.put(Self.logs("other", ["meanwhile"]), by: 5, at: Self.start + Self.hour)
      let copies = try await place.put(doubled, by: 5, at: Self.start + 2 * Self.hour)
      try await place.say(other, by: 5)
      var found = try await followers.follow()
      #expect(found.tail == ["meanwhile"] && found.sent == found.tail && found.counted == 1)
      try await place.say(copies, by: 5)
      found = try await followers.follow()
      #expect(found.tail == ["again 1", "again 2"] && found.sent == found.tail && found.counted == 2)
      // It comes back. Its numbers are hours old, and lower than those of the copies.
      _ = try await place.put(late, by: 3, at: Self.start)
      let last = try await place.put(doubled, by: 3, at: Self.start + 60_000)
      try await place.merge()
      found = try await followers.follow()
      #expect(found.tail.isEmpty && found.sent.isEmpty && found.counted == 0, "nobody has said that it is there")
      try await place.say(last, by: 3)
      found = try await followers.follow()
      #expect(found.tail == ["one", "two", "three"] && found.sent == found.tail && found.counted == 3)
      // Whoever begins now hears the same, once.
      let all = try await Followers(place).follow()
      #expect(all.tail == ["meanwhile", "again 1", "again 2", "one", "two", "three"] && all.sent == all.tail)
      #expect(all.counted == 6)
    }
  }

  @Test func `A copy that is there and that nobody has spoken of hides nothing`() async throws {
    try await WrittenCluster.with { place in
      let followers = try Followers(place)
      let doubled = Self.logs("doubled", ["again 1", "again 2"])
      let first = try await place.put(doubled, by: 3, at: Self.start)
      let second = try await place.put(doubled, by: 5, at: Self.start + Self.hour)
      try await place.merge()
      try await place.say(second, by: 5)
      var found = try await followers.follow()
      #expect(found.tail == ["again 1", "again 2"] && found.sent == found.tail && found.counted == 2)
      try await place.say(first, by: 3)
      found = try await followers.follow()
      #expect(found.tail.isEmpty && found.sent.isEmpty && found.counted == 0)
    }
  }

  @Test func `What a clock that was ahead has received is among the newest`() async throws {
    try await WrittenCluster.with { place in
      let (ahead, own) = (Self.logs("ahead", ["moved"]), Self.logs("own", ["before"]))
      try await place.put(own, by: 1, at: Self.start)
      // As a move puts it: its number is of the time at which the move began.
      try await place.put(ahead, by: 2, at: Self.start + 1000, received: Self.start + 72 * Self.hour)
      let newest = try await ClickHouseEvents(telemetry: place.telemetry).newest(
        try place.store.everything(), before: nil, limit: 10, filter: EventFilter())
      #expect(newest.events.map(\.sessionId) == ["ahead", "own"])
    }
  }

  @Test func `What has been put together is followed as before by whoever begins`() async throws {
    try await WrittenCluster.with { place in
      for index in 0..<6 as Range<Int64> {
        let writer = index % 2 + 1
        let last = try await place.put(
          Self.logs("s-\(index)", ["line \(index)"]), by: writer, at: Self.start + index * 1000)
        try await place.say(last, by: writer)
      }
      let end = try await ArrivalOrder(place.store.state).end()
      try await place.store.state.write { try ArrivalRows.fold(before: 10, in: $0) }
      let rows: Int64? = try await place.store.state.read { try $0.value("SELECT COUNT(*) FROM arrival") }
      #expect(rows == 2)
      #expect(try await ArrivalOrder(place.store.state).end() == end)
      let found = try await Followers(place).follow()
      #expect(found.tail == [0, 2, 4, 1, 3, 5].map { "line \($0)" } && found.sent == found.tail)
      #expect(found.counted == 6)
    }
  }
}

// Each with nothing in memory: nobody listens here to what is said.
extension WrittenCluster {
  fileprivate var arrivals: ClickHouseArrivals {
    ClickHouseArrivals(telemetry: telemetry, order: ArrivalOrder(store.state))
  }
  fileprivate var forwards: ClickHouseForwards {
    ClickHouseForwards(telemetry: telemetry, order: ArrivalOrder(store.state))
  }
  fileprivate var asks: ClickHouseAsks { ClickHouseAsks(telemetry: telemetry, order: ArrivalOrder(store.state)) }
}
