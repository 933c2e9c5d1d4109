import AutoMobileJournal
import NIOCore
import Testing

@testable import AutoMobileCollector

/// In flight recorder mode a delivery is a few pieces out of a launch, and what lies between them may follow later.
@Suite struct `Deliveries that were read ahead` {
  private static func log(_ message: String, of launch: LaunchID, at position: UInt64) -> RawBatch {
    var batch = RawBatch(launch: launch, from: position)
    batch.addLog(message, context: nil)
    return batch
  }

  /// Of one launch; the second one stands further back.
  private static func joined(_ first: RawBatch, _ second: RawBatch) throws -> [UInt8] {
    var header = first.header
    header.to = second.header.to
    return try header.encoded() + first.records + second.records
  }

  @Test func `what lies between two pieces is not taken for known`() async throws {
    try await RunningCollector.with { collector in
      let launch = LaunchID()
      let (first, last) = (Self.log("first", of: launch, at: 0), Self.log("last", of: launch, at: 10_000))
      let between = Self.log("between", of: launch, at: 5_000)
      func send(_ bytes: [UInt8]) async throws -> JSONValue {
        let answer = try await collector.send(
          .POST, "/sdk-events", headers: [("Content-Type", BatchHeader.mediaType)], body: ByteBuffer(bytes: bytes))
        #expect(answer.status == 200)
        return try answer.json()
      }
      let pieces = try Self.joined(first, last)
      #expect(try await send(pieces)["accepted"].int == 2)
      // Without a ledger nothing else brings it into the log.
      let answer = try await send(between.bytes())
      #expect(answer["accepted"].int == 1 && answer["duplicates"].int == 0)
      try await collector.waitForLaunch(launch, stored: 3)
      // The same again is still recognised, whole and in parts.
      let again = try await send(pieces)
      #expect(again["accepted"].int == 0 && again["duplicates"].int == 2)
      for batch in [first, between, last] {
        let again = try await send(batch.bytes())
        #expect(again["accepted"].int == 0 && again["duplicates"].int == 1)
      }
      // Answered from memory: the index has heard of none of them.
      #expect(try await collector.json("/api/launches").launch(launch)["duplicates"].int == 0)
    }
  }

  // MARK: The parts

  private static func runs(_ ranges: Range<UInt64>...) -> PositionRuns {
    var runs = PositionRuns()
    for range in ranges { runs.add(range.lowerBound, to: range.upperBound) }
    return runs
  }

  @Test func `records that follow each other are one run`() throws {
    var batch = RawBatch()
    for index in 0..<100 { batch.addLog("log \(index)") }
    let checked = try CheckedBatch(raw: batch.body())
    #expect(checked.positions.ranges == [0..<batch.position])
    #expect(Self.runs(0..<24, 24..<48, 72..<96).ranges == [0..<48, 72..<96])
    var many = PositionRuns()
    for index in 0..<1000 as Range<UInt64> { many.add(index * 48, to: index * 48 + 24) }
    #expect(many.ranges.isEmpty && !many.isComplete)
  }

  @Test func `memory says of nothing that it is there unless it is`() {
    let recent = RecentRanges()
    let name = RecentRanges.Name(owner: .app("dev.example.shop"), launch: LaunchID())
    #expect(!recent.contains(Self.runs(0..<24), of: name) && !recent.contains(PositionRuns(), of: name))
    // Delivery after delivery in order, as a launch sends: one run, however they are cut when they come again.
    for start in stride(from: 0 as UInt64, to: 48_000, by: 480) {
      recent.insert(Self.runs(start..<start + 480), of: name)
    }
    #expect(recent.contains(Self.runs(240..<720), of: name) && recent.contains(Self.runs(0..<48_000), of: name))
    #expect(!recent.contains(Self.runs(0..<48_024), of: name))
    // Pieces.
    recent.insert(Self.runs(60_000..<60_024, 70_000..<70_024), of: name)
    #expect(recent.contains(Self.runs(24..<48, 60_000..<60_024, 70_000..<70_024), of: name))
    #expect(!recent.contains(Self.runs(65_000..<65_024), of: name))
    #expect(!recent.contains(Self.runs(60_000..<60_024, 65_000..<65_024, 70_000..<70_024), of: name))
    // What lies between comes, and joins them.
    recent.insert(Self.runs(60_024..<70_000), of: name)
    #expect(recent.contains(Self.runs(60_000..<70_024), of: name))
    let other = RecentRanges.Name(owner: .app("dev.example.bank"), launch: name.launch)
    #expect(!recent.contains(Self.runs(0..<24), of: other))
  }

  /// Against a set of all positions, with a generator that is always the same.
  @Test func `memory agrees with a list of all that was inserted`() {
    let recent = RecentRanges()
    let name = RecentRanges.Name(owner: .app(nil), launch: LaunchID())
    var known: Set<UInt64> = []
    var state: UInt64 = 7
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    for _ in 0..<2000 {
      var runs = PositionRuns()
      var (position, all): (UInt64, [UInt64]) = (next(100), [])
      for _ in 0..<1 + next(4) {
        for _ in 0..<1 + next(6) {
          runs.add(position, to: position + 1)
          all.append(position)
          position += 1
        }
        position += 1 + next(20)
      }
      #expect(recent.contains(runs, of: name) == all.allSatisfy(known.contains))
      if next(8) == 0 {
        recent.insert(runs, of: name)
        known.formUnion(all)
      }
    }
  }
}
