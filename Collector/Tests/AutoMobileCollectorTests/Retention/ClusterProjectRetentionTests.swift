import AutoMobileState
import ClickHouseTestServer
import Foundation
import GRDB
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Days of one project go from two real shards, on which those of others stay.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Retention of a project in ClickHouse` {
  private static let day: Int64 = 86_400_000
  /// A day, since 1970.
  private static let first: Int64 = 20_834
  private static let own = ["app dev.example.shop", "app dev.example.shop.widget"]
  private static let others = [
    "app dev.example.shop.inner", "app dev.example.shopping", "app com.example.other", "file dev.example.shop", "app ",
  ]
  private static let projects = ProjectRetention(
    ["dev.example.shop": 2], among: ["dev.example.shop", "dev.example.shop.inner"], below: .everything)
  /// When the second day has been over for two days.
  private static let now = (first + 4) * day

  /// A table with the one into which rows are put.
  private static let tables =
    TelemetryTables.all.filter { $0.name != "session_parts" }.map { (from: $0.localName, to: $0.localName) }
    + [(from: TelemetryTables.sessionParts.localName, to: SessionTables.localName)]

  private static func shards(_ cluster: ClickHouseCluster) -> [ClickHouseClient] {
    cluster.map.shards.map { cluster.client.only($0.hosts) }
  }

  /// A row of each owner and day in each table of each shard.
  private static func fill(
    _ cluster: ClickHouseCluster, _ owners: [String] = own + others, days: Range<Int64> = first..<first + 4,
    tables: [SQLName] = tables.map(\.from)
  ) async throws {
    let numbers = AutoMobileClickHouse.SQL.joined(days.map { "\($0)" }, ", ")
    for shard in shards(cluster) {
      for table in tables {
        try await shard.change(
          """
          INSERT INTO \(cluster.database).\(table) (project, day) SELECT project, toDate(number) FROM (\
          SELECT arrayJoin(\(SQLValue.strings(owners))) AS project, arrayJoin([\(numbers)]) AS number)
          """)
      }
    }
  }

  private static func left(_ cluster: ClickHouseCluster, _ shard: ClickHouseClient, _ table: SQLName) async throws
    -> Set<String>
  {
    Set(
      try await shard.rows(
        "SELECT DISTINCT concat(project, ' ', toString(toUInt16(day))) FROM \(cluster.database).\(table)"
      ) { try $0.string() })
  }

  private static func names(_ owners: [String], _ days: Range<Int64>) -> Set<String> {
    Set(owners.flatMap { owner in days.map { "\(owner) \($0)" } })
  }

  private static func mutations(_ cluster: ClickHouseCluster) async throws -> Int {
    var count = 0
    for shard in shards(cluster) {
      count +=
        try await shard.rows(
          "SELECT count() FROM system.mutations WHERE database = \(text: cluster.database.text)"
        ) { Int(try $0.int(UInt64.self)) }.first ?? 0
    }
    return count
  }

  /// As a collector has it that begins.
  private static func with(
    _ cluster: ClickHouseCluster, _ body: (ClickHouseRetention) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let state = SQLiteState(try DatabasePool(path: directory.url.appending(path: "state.sqlite").path))
    try await body(ClickHouseRetention(cluster, turn: WorkTurn(StateWork("retention"), in: state)))
    state.close()
  }

  private static func done(_ cluster: ClickHouseCluster) async throws {
    let mutations = ShardMutations(cluster)
    try await eventually("ClickHouse has deleted it") { try await mutations.pending() == 0 }
  }

  @Test func `its old days go from every table of both shards, and those of others stay`() async throws {
    try await ClickHousePair.shared.with { cluster in
      try await Self.fill(cluster)
      try await Self.with(cluster) { retention in
        let step = try await retention.look(.everything, Self.projects, at: Self.now)
        #expect(step == .init(partitions: 0, rows: Int64(2 * 2 * 2), bytes: 0))
        try await Self.done(cluster)
        let wanted = Self.names(Self.own, Self.first + 2..<Self.first + 4)
          .union(Self.names(Self.others, Self.first..<Self.first + 4))
        for (_, table) in Self.tables {
          for shard in Self.shards(cluster) {
            let left = try await Self.left(cluster, shard, table)
            #expect(left == wanted, "\(table): \(left.symmetricDifference(wanted).sorted())")
          }
        }
        #expect(try await Self.mutations(cluster) == 2 * Self.tables.count)
      }
    }
  }

  @Test func `it is done once a day, and only where there are rows`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let events = [TelemetryTables.events.localName]
      try await Self.fill(cluster, tables: events)
      try await Self.with(cluster) { retention in
        #expect(try await retention.look(.everything, Self.projects, at: Self.now)?.rows == 8)
        try await Self.done(cluster)
        #expect(try await Self.mutations(cluster) == 2)
        // What comes late goes with the next day.
        try await Self.fill(cluster, Self.own, days: Self.first..<Self.first + 1, tables: events)
        #expect(try await retention.look(.everything, Self.projects, at: Self.now + Self.day - 1)?.rows == 0)
        #expect(try await Self.mutations(cluster) == 2)
        #expect(try await retention.look(.everything, Self.projects, at: Self.now + Self.day)?.rows == 2 * 2 * 2)
        try await Self.done(cluster)
        #expect(try await Self.mutations(cluster) == 4)
      }
      // Whoever begins again looks, and finds nothing.
      try await Self.with(cluster) { retention in
        #expect(try await retention.look(.everything, Self.projects, at: Self.now + Self.day)?.rows == 0)
        #expect(try await Self.mutations(cluster) == 4)
        // What all is dropped of needs no deletion.
        let policy = RetentionPolicy(days: 3)
        let step = try await retention.look(policy, Self.projects, at: Self.now + 2 * Self.day)
        #expect(step?.partitions == 2 * 3 && step?.rows == Int64(2 * 5 * 3 + 2 * 2))
        try await Self.done(cluster)
        #expect(try await Self.mutations(cluster) == 6)
      }
    }
  }

  @Test func `while a shard has not deleted what it was told, it is not told again`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let events = TelemetryTables.events.localName
      try await Self.fill(cluster, tables: [events])
      let shard = Self.shards(cluster)[0]
      try await shard.change("SYSTEM STOP MERGES \(cluster.database).\(events)")
      try await Self.with(cluster) { _ = try await $0.look(.everything, Self.projects, at: Self.now) }
      try await eventually("one of two is done") { try await ShardMutations(cluster).pending() == 1 }
      try await Self.with(cluster) { retention in
        for _ in 0..<2 {
          #expect(try await retention.look(.everything, Self.projects, at: Self.now)?.rows == 0)
          #expect(try await Self.mutations(cluster) == 2)
        }
        try await shard.change("SYSTEM START MERGES \(cluster.database).\(events)")
        // It tries again by itself; this has it try at once.
        try await shard.change("ALTER TABLE \(cluster.database).\(events) DELETE WHERE 0")
        try await Self.done(cluster)
        #expect(try await retention.look(.everything, Self.projects, at: Self.now)?.rows == 0)
        #expect(try await Self.mutations(cluster) == 3)
        #expect(
          try await Self.left(cluster, shard, events).isDisjoint(
            with: Self.names(Self.own, Self.first..<Self.first + 2)))
      }
    }
  }

  @Test func `a shard that was away is told when it is back`() async throws {
    let pair = try await ClickHousePair()
    try await pair.with { cluster in
      let events = [TelemetryTables.events.localName]
      try await Self.fill(cluster, tables: events)
      try await Self.with(cluster) { retention in
        pair.servers[1].kill()
        await #expect(throws: ClickHouseError.self) {
          _ = try await retention.look(.everything, Self.projects, at: Self.now)
        }
        try await pair.servers[1].start()
        #expect(try await retention.look(.everything, Self.projects, at: Self.now)?.rows == 8)
        try await Self.done(cluster)
        for shard in Self.shards(cluster) {
          let left = try await Self.left(cluster, shard, events[0])
          #expect(left.isDisjoint(with: Self.names(Self.own, Self.first..<Self.first + 2)))
          #expect(left.isSuperset(of: Self.names(Self.others, Self.first..<Self.first + 4)))
        }
      }
    }
  }
}
