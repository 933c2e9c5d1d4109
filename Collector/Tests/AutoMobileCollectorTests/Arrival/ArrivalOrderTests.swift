import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// In which order what collectors took in can be asked for, as their state says it; each write run twice.
@Suite struct `The order of arrival` {
  private static let step = FrameNumbers.step

  private static func withEach(_ body: (any StateStore) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    try await SharedState.withEach(store, body)
    try store.close()
  }

  @discardableResult
  private static func say(
    _ number: Int64, by writer: Int64, at time: Int64 = 1, _ state: any StateStore
  ) async throws -> Bool {
    try await state.write { try ArrivalRows.publish(upTo: number, by: writer, at: time, in: $0) }
  }

  private static func slice(_ state: any StateStore, after place: Int64, most: Int = 64) async throws -> ArrivalSlice {
    try await state.read { try ArrivalRows.slice(after: place, most: most, in: $0) }
  }

  /// The numbers of a slice, as long as it is.
  private static func numbers(_ ranges: [ArrivalRange]) -> [Int64] {
    ranges.flatMap { range in stride(from: range.first + step, through: range.last, by: Int(step)).map { $0 } }
  }

  @Test func `Each number has one place, behind everything that was said before`() async throws {
    try await Self.withEach { state in
      #expect(try await Self.slice(state, after: 0) == ArrivalSlice(ranges: [], end: 0, isLast: true))
      // Numbers of writers 1 and 2 are 1, 129, 257 … and 2, 130, 258 …
      #expect(try await Self.say(300, by: 1, state))
      #expect(try await Self.say(2, by: 2, state))
      #expect(try await !Self.say(300, by: 1, state), "said once more")
      #expect(try await !Self.say(200, by: 1, state), "said before")
      #expect(try await Self.say(400, by: 1, state))
      #expect(try await Self.say(258, by: 2, state))
      let all = try await Self.slice(state, after: 0)
      #expect(Self.numbers(all.ranges) == [1, 129, 257, 2, 385, 130, 258] && all.end == 7 && all.isLast)
      // From every place on.
      for place in 0...7 as ClosedRange<Int64> {
        let slice = try await Self.slice(state, after: place)
        #expect(Self.numbers(slice.ranges) == Array([1, 129, 257, 2, 385, 130, 258].dropFirst(Int(place))))
        #expect(slice.end == 7 && slice.isLast)
      }
      // A range at a time.
      var (found, place): ([Int64], Int64) = ([], 0)
      for _ in 0..<10 where place < 7 {
        let slice = try await Self.slice(state, after: place, most: 2)
        found += Self.numbers(slice.ranges)
        place = slice.end
      }
      #expect(found == [1, 129, 257, 2, 385, 130, 258])
      // Somebody comes with a place of another order.
      #expect(try await Self.slice(state, after: 1000) == ArrivalSlice(ranges: [], end: 7, isLast: true))
      let places = try await state.read { try ArrivalRows.places(of: [129, 2, 258, 386, 3], in: $0) }
      #expect(places == [129: 2, 2: 4, 258: 7])
    }
  }

  @Test func `Collectors that speak at once take turns, and nobody sees a gap`() async throws {
    try await Self.withEach { state in
      let isOver = NIOLockedValueBox(false)
      let seen = Task {
        var ends: [Int64] = []
        while !isOver.withLockedValue({ $0 }) {
          let slice = try await Self.slice(state, after: 0, most: 1000)
          for (one, next) in zip(slice.ranges, slice.ranges.dropFirst()) { #expect(one.end == next.place) }
          ends.append(slice.end)
        }
        return ends
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 as Range<Int64> {
          group.addTask {
            for round in 1...10 as ClosedRange<Int64> { try await Self.say(round * 1280 + writer, by: writer, state) }
          }
        }
        try await group.waitForAll()
      }
      isOver.withLockedValue { $0 = true }
      let ends = try await seen.value
      #expect(ends == ends.sorted())
      let slice = try await Self.slice(state, after: 0, most: 1000)
      #expect(slice.ranges.count == 40 && slice.end == 4 * 101)
      #expect(Set(Self.numbers(slice.ranges)).count == 404)
    }
  }

  @Test func `What everybody has left behind is put together, and nobody's place moves`() async throws {
    try await Self.withEach { state in
      let hour: Int64 = 3_600_000
      for round in 1...6 as ClosedRange<Int64> {
        for writer in 0..<2 as Range<Int64> {
          try await Self.say(round * 128 + writer, by: writer, at: 1 + round / 4 * hour, state)
        }
      }
      let before = try await Self.slice(state, after: 0)
      func fold() async throws -> ArrivalSlice {
        try await state.write { try ArrivalRows.fold(before: 10 * hour, in: $0) }
        return try await Self.slice(state, after: 0)
      }
      // A lane that runs keeps what is in front of it as it is; one that rests is on no border only.
      try await state.write { state in
        for (id, cursor, isPaused) in [(1, 8, false), (2, 3, true)] as [(Int64, Int64, Bool)] {
          let settings =
            #"{"url":"https://a.b","format":"protobuf","gzip":true,"headers":{},"level":0,"isPaused":\#(isPaused)}"#
          _ = try state.execute(
            "INSERT INTO forwarder(id, name, settings, changedAt, changedBy) VALUES (?1, ?2, ?3, 1, 'ada')", id,
            "f\(id)", settings)
          _ = try state.execute(
            "INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (?1, 'logs', ?2)", id, cursor)
        }
      }
      let folded = try await fold()
      #expect(folded.ranges.count < before.ranges.count && folded.end == before.end)
      func behind(_ slice: ArrivalSlice, _ place: Int64) -> [Int64] {
        Self.numbers(slice.ranges.compactMap { $0.part(after: place) })
      }
      #expect(behind(folded, 8) == behind(before, 8))
      #expect(Set(behind(folded, 3)) == Set(behind(before, 3)))
      #expect(Set(behind(folded, 0)) == Set(behind(before, 0)) && behind(folded, 0).count == 14)
      #expect(try await fold() == folded, "once more")
      // The lane goes on, and so does the order.
      try await state.write { _ = try $0.execute("UPDATE forwarder_lane SET cursor = 14 WHERE forwarder = 1") }
      try await Self.say(7 * 128, by: 0, state)
      let last = try await fold()
      #expect(last.end == before.end + 1 && Set(behind(last, 0)).count == 15)
      #expect(Set(behind(last, 3)).isSuperset(of: behind(before, 3)))
    }
  }

  @Test func `Lanes on which nobody works, and asks of a newer collector, keep nothing from being put together`()
    async throws
  {
    try await Self.withEach { state in
      for round in 1...6 as ClosedRange<Int64> {
        for writer in 0..<2 as Range<Int64> { try await Self.say(round * 128 + writer, by: writer, state) }
      }
      let before = try await Self.slice(state, after: 0)
      try await state.write { state in
        let settings =
          #"{"url":"https://a.b","format":"protobuf","gzip":true,"headers":{},"level":0,"isPaused":false,"types":["log"]}"#
        _ = try state.execute(
          "INSERT INTO forwarder(id, name, settings, changedAt, changedBy) VALUES (1, 'logs', ?1, 1, 'ada')", settings)
        for (signal, cursor) in [("logs", before.end), ("traces", 0)] {
          _ = try state.execute(
            "INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (1, ?1, ?2)", signal, cursor)
        }
        _ = try state.execute(
          """
          INSERT INTO ask(bundleId, kind, subject, reason, askedBy, askedAt, endsAt, state, changedAt, seen)
          VALUES ('a', 'of a newer one', 's', 'r', 'ada', 1, 2, 'asked', 1, 3)
          """)
      }
      try await state.write { try ArrivalRows.fold(before: 3_600_000, in: $0) }
      let folded = try await Self.slice(state, after: 0)
      #expect(folded.end == before.end && folded.ranges.count < before.ranges.count)
      #expect(Set(Self.numbers(folded.ranges)) == Set(Self.numbers(before.ranges)))
      // What it has not seen stays as it is, whoever goes on with it.
      func behind(_ slice: ArrivalSlice) -> Set<Int64> {
        Set(Self.numbers(slice.ranges.compactMap { $0.part(after: 3) }))
      }
      #expect(behind(folded) == behind(before))
    }
  }

  @Test func `What is in memory is read anew when somebody says that there is more`() async throws {
    try await Self.withEach { state in
      let order = ArrivalOrder(state)
      let (heard, news) = AsyncStream<Void>.makeStream()
      order.follow { news.yield() }
      #expect(try await order.slice(after: 0).ranges.isEmpty)
      try await Self.say(129, by: 1, state)
      var listener = heard.makeAsyncIterator()
      await listener.next()
      let slice = try await order.slice(after: 0)
      #expect(Self.numbers(slice.ranges) == [1, 129])
      #expect(Self.numbers(try await order.slice(after: 1).ranges) == [129])
      #expect(try await order.slice(after: 2).ranges.isEmpty)
      #expect(try await order.end() == 2)
      order.stop()
    }
  }

  @Test func `A collector says how far it is until the state has heard it`() async throws {
    try await Self.withEach { state in
      let publisher = ArrivalPublisher(state, writer: 5, logger: RunningCollector.quiet)
      publisher.start()
      publisher.confirmed(upTo: 5)
      publisher.confirmed(upTo: 1000)
      publisher.confirmed(upTo: 200)
      try await eventually("it is said") { try await Self.slice(state, after: 0).end == 8 }
      publisher.stop()
      // What comes while it ends is said by the end.
      let last = ArrivalPublisher(state, writer: 5, logger: RunningCollector.quiet)
      last.start()
      last.confirmed(upTo: 1300)
      last.stop()
      #expect(try await Self.slice(state, after: 0).ranges.last?.last == 1285)
    }
  }
}
