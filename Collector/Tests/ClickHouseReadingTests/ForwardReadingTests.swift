import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct ForwardReadingTests {
  private static let thread = QuietThread("reading")

  private static func filters() -> [(name: String, filter: ForwardFilter)] {
    func filter(_ signal: ForwardSignal, _ change: (inout Forwarder.Settings) -> Void = { _ in }) -> ForwardFilter {
      var settings = Forwarder.Settings(url: "https://otlp.example.com")
      change(&settings)
      return ForwardFilter(settings, signal)
    }
    return [
      ("logs", filter(.logs)), ("spans", filter(.traces)), ("errors", filter(.logs) { $0.level = 4 }),
      ("an app", filter(.logs) { $0.bundleId = StoryDeliveries.other }),
      ("an app's errors", filter(.logs) { ($0.bundleId, $0.level) = (StoryDeliveries.shop, 3) }),
      ("a type", filter(.logs) { $0.types = ["crash"] }), ("no type", filter(.logs) { $0.types = ["unheard_of"] }),
    ]
  }

  /// All of it, a few records at a time.
  private static func all(_ reading: any ForwardReading, _ filter: ForwardFilter) async throws -> [ForwardLook] {
    var looks: [ForwardLook] = []
    var (cursor, isLast): (Int64, Bool) = (0, false)
    while !isLast {
      let look = try await reading.look(after: cursor, filter, records: 5, ForwardLimits(), on: thread)
      #expect(look.end > cursor || look.isLast)
      #expect(look.groups.reduce(0) { $0 + $1.rows.count } <= 5)
      looks.append(look)
      (cursor, isLast) = (look.end, look.isLast)
    }
    return looks
  }

  private static func described(_ look: ForwardLook) -> [String] {
    look.groups.flatMap { group in
      let said = (group.context.resource.attributes + group.context.attributes).map { "\($0.key)=\($0.value.anyText)" }
        .sorted().joined(separator: " ")
        // Of two sessions that are called the same, a store without numbers calls both so.
        .replacing("@\(StoryDeliveries.other)", with: "")
      return group.rows.map { row, launch in
        "\(launch) \(row.sequence) \(row.type) \(row.timestamp) \(row.received) \(said) \(String(decoding: row.payload, as: UTF8.self))"
      }
    }
  }

  @Test func `What is passed on is the same, each record once, whatever is wanted`() async throws {
    let twins = try await Twins.story
    for (name, filter) in Self.filters() {
      try await twins.compare(name) {
        try await Self.all(SQLiteForwards(store: twins.store), filter)
      } _: {
        try await Self.all(ClickHouseForwards(telemetry: $0, order: twins.order), filter)
      } as: { looks, _ in
        looks.flatMap(Self.described).sorted().joined(separator: "\n")
      }
    }
  }

  @Test func `What is left out is counted as it would have been sent`() async throws {
    let twins = try await Twins.story
    for (name, filter) in Self.filters() {
      func count(_ reading: any ForwardReading) async throws -> Int {
        var (count, cursor): (Int, Int64) = (0, 0)
        let newest = try await reading.newest(nil)
        while cursor < newest {
          let (more, end) = try await reading.count(
            after: cursor, upTo: newest, filter, ForwardLimits(), on: Self.thread)
          #expect(end > cursor)
          (count, cursor) = (count + more, end)
        }
        return count
      }
      try await twins.compare("the number of \(name)") {
        try await count(SQLiteForwards(store: twins.store))
      } _: {
        try await count(ClickHouseForwards(telemetry: $0, order: twins.order))
      } as: { count, _ in
        "\(count)"
      }
    }
  }

  @Test func `No more waits than is wanted, and what is behind a place is counted`() async throws {
    let twins = try await Twins.story
    for twin in twins.twins {
      let reading = ClickHouseForwards(telemetry: twin.telemetry, order: twins.order)
      let all = try #require(try await reading.behind(nil, [0])[0])
      #expect(all > 20)
      for most in [0, 1, 5, all - 1] {
        let place = try #require(try await reading.place(leaving: most, after: 0))
        #expect(try await reading.behind(nil, [place]) == [place: most], "\(most) in \(twin.name)")
        #expect(try await reading.place(leaving: most, after: place) == nil)
      }
      #expect(try await reading.place(leaving: all, after: 0) == nil)
    }
  }
}
