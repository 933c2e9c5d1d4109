import AutoMobileClickHouse
import AutoMobileJournal
import AutoMobileState
import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite(.timeLimit(.minutes(10))) struct `How far a log is in ClickHouse` {
  private static func span(_ least: Int64, _ greatest: Int64) -> ConfirmedNumbers.Span {
    .init(least: at(least), greatest: at(greatest))
  }

  private static func at(_ tick: Int64) -> Int64 { tick * FrameNumbers.step }

  @Test func `Is below all that is on its way or waits, in whichever order it is confirmed`() {
    var numbers = ConfirmedNumbers()
    numbers.begin(1, Self.span(1, 4))
    numbers.confirm(1)
    #expect(numbers.reached(waiting: []) == nil, "what an earlier process left is not known yet")
    numbers.start(at: nil)
    #expect(numbers.reached(waiting: []) == Self.at(4))
    numbers.begin(2, Self.span(5, 8))
    numbers.begin(3, Self.span(9, 12))
    numbers.confirm(3)
    #expect(numbers.reached(waiting: []) == Self.at(4), "the second is on its way")
    numbers.confirm(2)
    #expect(numbers.reached(waiting: []) == Self.at(12))
    // A delivery of the third waited, and comes with the fourth.
    #expect(numbers.reached(waiting: [Self.at(7), Self.at(10)]) == Self.at(6))
    numbers.begin(4, Self.span(7, 16))
    #expect(numbers.reached(waiting: [Self.at(10)]) == Self.at(6))
    numbers.confirm(4)
    #expect(numbers.reached(waiting: [Self.at(10)]) == Self.at(9))
    #expect(numbers.reached(waiting: []) == Self.at(16))
    numbers.confirm(9)
    numbers.start(at: 3)
    #expect(numbers.reached(waiting: []) == Self.at(16))
  }

  private static func index(_ body: (EventStore) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    try await body(store)
    try store.close()
  }

  /// A collector's log, and what it says in the state.
  private final class Speaker {
    let publisher: ArrivalPublisher
    let log: FollowedLog

    init(_ directory: TemporaryDirectory, _ cluster: ClickHouseCluster, _ store: EventStore, writer: Int) throws {
      let publisher = ArrivalPublisher(store.state, writer: writer, logger: RunningCollector.quiet)
      publisher.start()
      self.publisher = publisher
      log = try FollowedLog(directory.url, cluster, writer: writer, onConfirmed: { publisher.confirmed(upTo: $0) })
    }

    func close() {
      log.close()
      publisher.stop()
    }
  }

  @Test(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"))
  func `What came while the clock was set back by days is followed like everything else`() async throws {
    try await Self.index { store in
      try await ClickHousePair.shared.with { cluster in
        let directory = try TemporaryDirectory()
        let speaker = try Speaker(directory, cluster, store, writer: 3)
        let batch = `The way into ClickHouse`.many(1)[0]
        // Numbers go on from where they were.
        try await speaker.log.append(batch, receivedAt: WallClock.now - 3 * 86_400_000)
        let limits = CollectorLimits()
        let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
        let arrivals = ClickHouseArrivals(telemetry: telemetry, order: ArrivalOrder(store.state))
        let scope = try store.seesEverything()
        try await eventually("it is followed") {
          let found = try await arrivals.following(scope, 0, limit: 100, filter: EventFilter())
          return found.events.contains { $0.launchId == batch.launch.description }
        }
        speaker.close()
      }
    }
  }

  @Test(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"))
  func `What a collector brings late is followed late, and what one did not come to say the next one says`()
    async throws
  {
    try await Self.index { store in
      try await ClickHousePair.shared.with { cluster in
        let (late, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let batches = `The way into ClickHouse`.many(6)
        // The first one acknowledges, and dies.
        let log = try IngestLog(
          directory: LogDirectory(path: late.url.path), indexed: LogPosition(segment: 0, offset: 0),
          segmentSize: 1 << 20, writer: 1, metrics: CollectorMetrics(), logger: RunningCollector.quiet)
        for batch in batches.prefix(2) {
          try await log.append(
            receivedAt: WallClock.now, owner: FollowedLog.owner, batch: CheckedBatch(raw: try batch.body()))
        }
        log.close()

        let order = ArrivalOrder(store.state)
        let limits = CollectorLimits()
        let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
        let arrivals = ClickHouseArrivals(telemetry: telemetry, order: order)
        let scope = try store.seesEverything()
        var place: Int64 = 0
        var launches: [String] = []
        func follow(_ wanted: [RawBatch]) async throws {
          let wanted = Set(wanted.map(\.launch.description))
          var found: Set<String> = []
          try await eventually("it is followed") {
            let more = try await arrivals.following(scope, place, limit: 100, filter: EventFilter())
            place = more.upTo
            launches += more.events.map { "\($0.launchId) \($0.sequence)" }
            found.formUnion(more.events.map(\.launchId))
            return found == wanted && !more.isBehind
          }
        }
        let second = try Speaker(other, cluster, store, writer: 2)
        for batch in batches[2..<4] { try await second.log.append(batch, receivedAt: WallClock.now) }
        try await follow(Array(batches[2..<4]))
        // It is back.
        let first = try Speaker(late, cluster, store, writer: 1)
        try await follow(Array(batches[0..<2]))
        // One that has everything in ClickHouse, and did not come to say so.
        second.close()
        let silent = try FollowedLog(other.url, cluster, writer: 2)
        try await silent.append(batches[4], receivedAt: WallClock.now)
        try await silent.drain()
        silent.close()
        let again = try Speaker(other, cluster, store, writer: 2)
        try await follow([batches[4]])
        try await first.log.append(batches[5], receivedAt: WallClock.now)
        try await follow([batches[5]])
        #expect(Set(launches).count == launches.count, "nothing twice")
        #expect(launches.count == (try await cluster.count(TelemetryTables.events)))
        again.close()
        first.close()
      }
    }
  }
}

extension EventStore {
  /// What the door gives to somebody on this machine.
  fileprivate func seesEverything() throws -> ReadScope {
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: try ProjectStore(state, logger: RunningCollector.quiet),
      tokens: try UploadTokens(state, startedWith: []), isReachable: false)
    return try doorkeeper.readScope(of: .nobody, on: ClientPresence())
  }
}
