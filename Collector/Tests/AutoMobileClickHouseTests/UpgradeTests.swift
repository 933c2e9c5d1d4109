import ClickHouseTestServer
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileClickHouse

/// A newer program comes in while older ones go on. These have a step of their own; real programs are tried by the cluster's tests.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct UpgradeTests {
  private static let next = (SchemaMigrator.steps.last?.version ?? 0) + 1

  private func migrator(_ cluster: ClickHouseCluster, oldest: Int) -> SchemaMigrator {
    var migrator = SchemaMigrator(database: cluster.database, cluster: "pair")
    migrator.steps.append(
      SchemaMigrator.Step(
        version: Self.next, oldest: oldest, columns: [(TelemetryTables.events, TableColumn("novelty", .int))]
      ) { _, _ in [] })
    return migrator
  }

  private func migrate(_ cluster: ClickHouseCluster, oldest: Int = 0) async throws {
    for shard in cluster.map.shards {
      for host in shard.hosts {
        _ = try await migrator(cluster, oldest: oldest).migrate(cluster.client.only([host]), cluster.dialect)
      }
    }
  }

  @Test func `Columns come while older programs write and read, and all can be read with them`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let table = cluster.readable(TelemetryTables.events)
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(
        ShardedRows([SampleEvent(session: "first")], cluster))
      let written = try await withThrowingTaskGroup(of: Int64.self) { group in
        // Two newer collectors start at once, and an older one writes and reads.
        let isOver = Flag()
        group.addTask {
          var number: Int64 = 1
          while !isOver.value || number < 20 {
            let event = SampleEvent(session: "s\(number)", position: number, id: number)
            try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows([event], cluster))
            number += 1
            let count = try await cluster.client.rows("SELECT count() FROM \(table)") { try $0.int(UInt64.self) }
            #expect(count == [UInt64(number)])
          }
          return number
        }
        async let one: Void = migrate(cluster)
        async let other: Void = migrate(cluster)
        _ = try await (one, other)
        isOver.value = true
        return try await group.reduce(0, +)
      }
      // An older one goes on, also when a server was away and is brought up to date by it.
      try await cluster.prepare()
      for shard in cluster.map.shards {
        let sums = try await cluster.client.only(shard.hosts)
          .rows("SELECT count(), sum(novelty) FROM \(table)") { (try $0.int(UInt64.self), try $0.int(Int64.self)) }
        #expect(sums.map(\.0) == [UInt64(written)] && sums.map(\.1) == [0])
      }
    }
  }

  @Test func `Servers that answer are brought up to date, whoever is away`() async throws {
    let pair = try await ClickHousePair.shared
    var address = try pair.address("test_away", cluster: nil)
    address.hosts = [pair.servers[0].http]
    let known = try await ClickHouseCluster.open(address)
    try await known.shutdown()
    let silent = try await ClickHouseServer.freePorts(1)[0]
    address.hosts = [.init("127.0.0.1", silent), pair.servers[1].http]
    let cluster = try ClickHouseCluster(address, remembering: known.remembered)
    await #expect(throws: ClickHouseError.self) { try await cluster.prepare() }
    let tables = try await cluster.client.only([pair.servers[1].http]).rows(
      "SELECT count() FROM system.tables WHERE database = 'test_away' AND name = 'session_imports_local'"
    ) { try $0.int(UInt64.self) }
    #expect(tables == [1])
    try await cluster.shutdown()
  }

  @Test func `An older program starts after a step that only adds, and not after one that says so`() async throws {
    let pair = try await ClickHousePair.shared
    try await pair.with(database: "test_oldest") { try await migrate($0) }
    try await pair.with(database: "test_oldest") { cluster in
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows([SampleEvent()], cluster))
    }
    try await pair.with(database: "test_excluding") { try await migrate($0, oldest: Self.next) }
    let error = await #expect(throws: ClickHouseError.self) { try await pair.with(database: "test_excluding") { _ in } }
    #expect(error?.kind == .setup && error?.message.contains("version \(Self.next)") == true)
  }
}

private final class Flag: Sendable {
  private let box = NIOLockedValueBox(false)
  var value: Bool {
    get { box.withLockedValue { $0 } }
    set { box.withLockedValue { $0 = newValue } }
  }
}
