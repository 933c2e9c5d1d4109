import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// How rows get there: into two real shards, one of which is killed.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct InsertTests {
  private static let quick: InsertLimits = {
    var limits = InsertLimits()
    limits.patience = .milliseconds(50)
    limits.pause = .milliseconds(20)
    limits.longestPause = .milliseconds(100)
    return limits
  }()

  private static func positions(_ cluster: ClickHouseCluster) async throws -> [Int64] {
    try await cluster.client.rows(DistinctRows(TelemetryTables.events, ["position"]).sql(cluster)) {
      try $0.int(Int64.self)
    }
  }

  private static func raw(_ cluster: ClickHouseCluster) async throws -> UInt64 {
    try await cluster.client.rows("SELECT count() FROM \(cluster.readable(TelemetryTables.events))") {
      try $0.int(UInt64.self)
    }.first ?? 0
  }

  private static func events(_ range: Range<Int64>) -> [SampleEvent] {
    range.map { SampleEvent(session: "session-\($0 % 97)", position: $0, id: $0, timestamp: $0) }
  }

  @Test func `Rows of more days than a block may have partitions are taken`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let inserter = ClickHouseInserter(cluster, limits: .asBrought)
      let events = (0..<300 as Range<Int64>).map {
        SampleEvent(session: "one", position: $0, id: $0, received: (20_000 + $0) * 86_400_000)
      }
      try await inserter.insert(ShardedRows(events, cluster))
      #expect(try await Self.positions(cluster).count == 300)
    }
  }

  @Test func `Rows of a table that is not this store's are refused, not dropped`() async throws {
    try await ClickHousePair.shared.with { cluster in
      var table = TelemetryTables.events
      table.name = "others"
      var made = ShardedRows(table, cluster)
      made.append(1) { SampleEvent().write(&$0) }
      let (rows, inserter) = (made, ClickHouseInserter(cluster))
      let failure = await #expect(throws: InsertFailure.self) { try await inserter.insert(rows) }
      #expect(failure?.parts.map(\.table) == ["others"] && failure?.isTransient == false)
    }
  }

  @Test func `Many small deliveries become few inserts`() async throws {
    try await ClickHousePair.shared.with { cluster in
      var limits = Self.quick
      limits.patience = .seconds(1)
      let inserter = ClickHouseInserter(cluster, limits: limits)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<500 as Range<Int64> {
          group.addTask { try await inserter.insert(ShardedRows(Self.events(number * 10..<number * 10 + 10), cluster)) }
        }
        try await group.waitForAll()
      }
      #expect(Set(try await Self.positions(cluster)) == Set(0..<5000))
      #expect(inserter.bytesInMemory == 0)
      let parts = try await cluster.client.rows(
        "SELECT sum(level = 0) FROM system.parts WHERE database = \(text: cluster.database.text) AND table = 'events_local'"
      ) { try $0.int(UInt64.self) }
      let count = try #require(parts.first)
      #expect(count < 20)
    }
  }

  @Test func `Rows of many projects come in one insert`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let events = (0..<300 as Range<Int64>).map { SampleEvent(project: "project-\($0)", position: $0, id: $0) }
      try await ClickHouseInserter(cluster, limits: Self.quick).insert(ShardedRows(events, cluster))
      #expect(Set(try await Self.positions(cluster)) == Set(0..<300))
    }
  }

  @Test func `Rows are packed when the address says so`() async throws {
    var address = try await ClickHousePair.shared.address("test_packed")
    address.isCompressed = true
    let cluster = try await ClickHouseCluster.open(address)
    try await ClickHouseInserter(cluster, limits: Self.quick).insert(ShardedRows(Self.events(0..<2000), cluster))
    #expect(Set(try await Self.positions(cluster)) == Set(0..<2000))
    try await cluster.shutdown()
    let rows = ByteBuffer(repeating: 7, count: 1 << 20)
    let packed = try #require(Gzip.packed(rows, level: 1, memory: 8))
    #expect(packed.readableBytes < 20_000 && Gzip.packed(rows, level: 1, memory: 8) == packed)
    let nothing = try #require(Gzip.packed(ByteBuffer(), level: 1, memory: 8))
    #expect(nothing.readableBytes > 0 && Gzip.compressed(ByteBuffer()) == nil)
  }

  @Test func `Hostile payloads come back as they were recorded`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let megabyte = Array(repeating: hostileTexts.joined(), count: 1 + (1 << 20) / hostileTexts.joined().count)
        .joined()
      let texts = hostileTexts + [Array(megabyte)]
      let events = texts.enumerated().map { number, text in
        var event = SampleEvent(position: Int64(number), id: Int64(number), payload: text)
        event.session = String(decoding: text.prefix(200), as: UTF8.self)
        return event
      }
      try await ClickHouseInserter(cluster, limits: Self.quick).insert(ShardedRows(events, cluster))
      for event in events {
        var question = DistinctRows(TelemetryTables.events, ["payload"])
        question.range = ["session = \(text: event.session)", "position = \(event.position)"]
        let back = try await cluster.client.rows(question.sql(cluster, selecting: ["payload"])) {
          Array(buffer: try $0.bytes())
        }
        #expect(back == [event.payload])
      }
    }
  }

  @Test func `A shard that is killed in the middle loses nothing that was confirmed, and doubles nothing`() async throws
  {
    let pair = try await ClickHousePair()
    try await pair.with { cluster in
      var limits = Self.quick
      limits.rows = 100
      limits.longestRows = 2000
      let inserter = ClickHouseInserter(cluster, limits: limits)
      let confirmed = NIOLockedValueBox(0)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 as Range<Int64> {
          group.addTask {
            for round in 0..<40 as Range<Int64> {
              let first = (worker * 40 + round) * 100
              try await inserter.insert(ShardedRows(Self.events(first..<first + 100), cluster))
              confirmed.withLockedValue { $0 += 1 }
            }
          }
        }
        for wanted in [40, 120] {
          while confirmed.withLockedValue({ $0 }) < wanted { try await Task.sleep(for: .milliseconds(2)) }
          pair.servers[1].kill()
          try await Task.sleep(for: .milliseconds(100))
          try await pair.servers[1].start()
        }
        try await group.waitForAll()
      }
      #expect(confirmed.withLockedValue { $0 } == 320)
      let positions = try await Self.positions(cluster)
      #expect(positions.count == 32_000 && Set(positions) == Set(0..<32_000))
    }
  }

  @Test func `A shard that stays away is named, and the other one keeps its rows`() async throws {
    let pair = try await ClickHousePair()
    try await pair.with { cluster in
      var limits = Self.quick
      limits.giveUpAfter = .seconds(2)
      let inserter = ClickHouseInserter(cluster, limits: limits)
      pair.servers[1].kill()
      let events = Self.events(0..<1000)
      let failure = await #expect(throws: InsertFailure.self) {
        try await inserter.insert(ShardedRows(events, cluster))
      }
      #expect(failure?.parts.map(\.shard) == [2] && failure?.confirmed == [1] && failure?.isTransient == true)
      #expect(failure.map { "\($0)".contains("shard 2") && "\($0)".contains(pair.servers[1].http.description) } == true)
      let attempts = try #require(failure?.parts.first?.attempts)
      #expect(attempts > 1)
      #expect(inserter.bytesInMemory == 0)
      // The whole again: one shard has its rows twice, and is read once.
      try await pair.servers[1].start()
      try await inserter.insert(ShardedRows(events, cluster))
      let positions = try await Self.positions(cluster)
      #expect(positions.count == 1000 && Set(positions) == Set(0..<1000))
    }
  }

  @Test func `A shard that is away when a collector begins gets its rows when it is back`() async throws {
    let pair = try await ClickHousePair()
    pair.servers[1].kill()
    try await pair.with { cluster in
      #expect(cluster.silent == [pair.servers[1].http] && cluster.map.shards.map(\.number) == [1, 2])
      #expect(cluster.map.shards[1].hosts == [pair.servers[1].http])
      let inserter = ClickHouseInserter(cluster, limits: Self.quick)
      async let inserted: Void = inserter.insert(ShardedRows(Self.events(0..<200), cluster))
      // It never had tables: the refusal for good is what the inserter gives back, and then they are made.
      try await pair.servers[1].start()
      _ = try? await inserted
      try await cluster.prepare()
      try await inserter.insert(ShardedRows(Self.events(0..<200), cluster))
      let positions = try await Self.positions(cluster)
      #expect(positions.count == 200 && Set(positions) == Set(0..<200))
    }
  }

  @Test func `An insert is tried again with the same bytes, and a confirmation that was lost doubles nothing`()
    async throws
  {
    try await ClickHousePair.shared.with { cluster in
      let sent = NIOLockedValueBox<[ByteBuffer]>([])
      let shard = cluster.map.shards[0]
      let client = cluster.client.only(shard.hosts)
      let sql = TelemetryTables.events.insert(in: cluster.database, cluster.dialect)
      let lane = InsertLane(TelemetryTables.events, shard, Self.quick, InsertMemory(limit: 1 << 20)) { bytes in
        let attempt = sent.withLockedValue { sent in
          sent.append(bytes)
          return sent.count
        }
        try await client.insert(bytes, sql)
        if attempt < 3 { throw ClickHouseError(.connection, "lost") }
      }
      let rows = ShardedRows(Self.events(0..<500), cluster).parts[0]
      try await lane.add(rows.bytes, rows: rows.rows)
      let buffers = sent.withLockedValue { $0 }
      #expect(buffers.count == 3 && Set(buffers.map { Array(buffer: $0) }).count == 1)
      let positions = try await Self.positions(cluster)
      #expect(positions.count == rows.rows && Set(positions).count == rows.rows)
    }
  }

  @Test func `What the server refuses for good is tried once`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let inserter = ClickHouseInserter(cluster, limits: Self.quick)
      for shard in cluster.map.shards {
        try await cluster.client.only(shard.hosts)
          .run("DROP TABLE \(cluster.database).\(TelemetryTables.events.localName)")
      }
      let failure = await #expect(throws: InsertFailure.self) {
        try await inserter.insert(ShardedRows(Self.events(0..<500), cluster))
      }
      #expect(failure?.parts.map(\.shard) == [1, 2] && failure?.confirmed == [] && failure?.isTransient == false)
      #expect(failure?.parts.allSatisfy { $0.attempts == 1 } == true)
    }
  }

  // MARK: Without a server

  /// A lane whose inserts succeed when the test lets them.
  private final class Gate: Sendable {
    let sent = NIOLockedValueBox<[Int]>([])
    private let open = NIOLockedValueBox(false)

    func send(_ bytes: ByteBuffer) async throws {
      sent.withLockedValue { $0.append(bytes.readableBytes) }
      while !open.withLockedValue({ $0 }) {
        try Task.checkCancellation()
        await Task.yield()
      }
    }

    func letThrough() { open.withLockedValue { $0 = true } }
  }

  private static func lane(_ gate: Gate, _ limits: InsertLimits, memory: InsertMemory) -> InsertLane {
    InsertLane(TelemetryTables.events, .init(number: 1, weight: 1, hosts: []), limits, memory) {
      try await gate.send($0)
    }
  }

  @Test func `Who brings more than there is room for waits`() async throws {
    let gate = Gate()
    var limits = Self.quick
    limits.rows = 1
    limits.longestBytes = 100
    let memory = InsertMemory(limit: 1000)
    let lane = Self.lane(gate, limits, memory: memory)
    let bytes = ByteBuffer(repeating: 1, count: 100)
    let done = NIOLockedValueBox(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await lane.add(bytes, rows: 1)
          #expect(memory.used <= 1000)
          done.withLockedValue { $0 += 1 }
        }
      }
      while memory.used < 1000 { await Task.yield() }
      #expect(done.withLockedValue { $0 } == 0)
      gate.letThrough()
      try await group.waitForAll()
    }
    #expect(gate.sent.withLockedValue { $0 } == Array(repeating: 100, count: 50))
    #expect(memory.used == 0)
    let failure = await #expect(throws: ClickHouseError.self) {
      try await lane.add(ByteBuffer(repeating: 1, count: 1001), rows: 1)
    }
    #expect(failure?.kind == .statement)
  }

  @Test func `Who does not wait any more is let go, waiting for room or for a confirmation`() async throws {
    let gate = Gate()
    var limits = Self.quick
    limits.rows = 1
    let memory = InsertMemory(limit: 100)
    let lane = Self.lane(gate, limits, memory: memory)
    let bytes = ByteBuffer(repeating: 1, count: 60)
    let first = Task { try await lane.add(bytes, rows: 1) }
    while gate.sent.withLockedValue({ $0.isEmpty }) { await Task.yield() }
    let second = Task { try await lane.add(bytes, rows: 1) }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // Its rows are on their way, and keep their room until that is over.
    #expect(memory.used == 60)
    gate.letThrough()
    while memory.used > 0 { await Task.yield() }
    try await lane.add(bytes, rows: 1)
    #expect(gate.sent.withLockedValue { $0 } == [60, 60])
  }

  @Test func `A row that cannot be written is taken back as a whole`() throws {
    struct Bad: Error {}
    let map = try ShardMap([.init(number: 1, weight: 1, hosts: [])])
    var rows = ShardedRows(TelemetryTables.events, map)
    rows.append(1) { $0.string("good") }
    #expect(throws: Bad.self) {
      try rows.append(1) {
        $0.string("half")
        throw Bad()
      }
    }
    #expect(rows.parts.map(\.rows) == [1] && rows.parts[0].bytes.readableBytes == 13)
  }
}
