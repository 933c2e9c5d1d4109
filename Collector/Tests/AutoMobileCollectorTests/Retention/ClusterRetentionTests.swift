import AutoMobileState
import ClickHouseTestServer
import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Whole days go from two real shards.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Retention in ClickHouse` {
  private static let day: Int64 = 86_400_000
  private static let start: Int64 = 1_800_057_600_000

  @Test func `days that are too old go from all tables of both shards, and others stay`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      // A record's day is that of its number.
      let clock = NIOLockedValueBox<Int64>(0)
      let follower = try FollowedLog(directory.url, cluster, clock: { clock.withLockedValue { $0 } })
      for day in 0..<4 {
        let received = Self.start + Int64(day) * Self.day + 5
        clock.withLockedValue { $0 = received }
        for _ in 0..<3 { try await follower.append(`The way into ClickHouse`.everything(), receivedAt: received) }
      }
      try await follower.drain()
      follower.close()
      let state = SQLiteState(try DatabasePool(path: directory.url.appending(path: "state.sqlite").path))
      let turn = WorkTurn(StateWork("retention"), in: state)
      let retention = ClickHouseRetention(cluster, turn: turn)
      #expect(try await retention.look(.everything, at: Self.start + 900 * Self.day)?.partitions == 0)
      // The second day ends just then: two are over.
      let step = try await retention.look(RetentionPolicy(days: 2), at: Self.start + 4 * Self.day)
      #expect(step?.rows == Int64(2 * 3 * 13))
      for table in TelemetryTables.all where table.name != "session_parts" {
        let days = try await cluster.client.rows(
          "SELECT DISTINCT day FROM \(cluster.readable(table)) ORDER BY day"
        ) { try $0.day() }
        #expect(
          days.isEmpty || days == [Self.start / Self.day + 2, Self.start / Self.day + 3], "\(table.name): \(days)")
      }
      let days = try await cluster.client.rows("SELECT DISTINCT day FROM \(cluster.readableSessions) ORDER BY day") {
        try $0.day()
      }
      // A batch that goes over midnight is of the later day.
      #expect(days.last == Self.start / Self.day + 3 && days.allSatisfy { $0 > Self.start / Self.day + 1 }, "\(days)")
      #expect(try await retention.look(RetentionPolicy(days: 2), at: Self.start + 4 * Self.day)?.partitions == 0)
      #expect(try await retention.usedBytes() > 0)
    }
  }

  @Test func `a table of somebody else's in the same database stays`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let table: AutoMobileClickHouse.SQL = "\(cluster.database).`visits`"
      for shard in cluster.map.shards {
        let server = cluster.client.only(shard.hosts)
        try await server.change(
          "CREATE TABLE \(table) (day Date, project String) ENGINE = MergeTree PARTITION BY (day, project) ORDER BY day"
        )
        try await server.change("INSERT INTO \(table) (day, project) SELECT toDate(\(Self.start / Self.day)), 'shop'")
      }
      let follower = try FollowedLog(directory.url, cluster)
      try await follower.append(`The way into ClickHouse`.everything(), receivedAt: Self.start + 5)
      try await follower.drain()
      follower.close()
      let state = SQLiteState(try DatabasePool(path: directory.url.appending(path: "state.sqlite").path))
      let retention = ClickHouseRetention(cluster, turn: WorkTurn(StateWork("retention"), in: state))
      let step = try await retention.look(RetentionPolicy(days: 2), at: Self.start + 9 * Self.day)
      #expect(step?.rows == 13)
      for shard in cluster.map.shards {
        let rows = try await cluster.client.only(shard.hosts).rows("SELECT count() FROM \(table)") {
          try $0.int(UInt64.self)
        }
        #expect(rows == [1])
      }
      // Nor does what it takes up count.
      let tables = try await ShardMutations(cluster).partitions().map(\.table)
      #expect(!tables.contains("visits"))
    }
  }

  @Test func `where bytes are limited the oldest days go, and never those that are being written`() {
    let partitions = (0..<5).flatMap { day in
      (0..<2).map { shard in
        ShardMutations.Partition(
          shard: shard, table: "events_local", id: "\(day)", day: 100 + Int64(day), bytes: 50, rows: 1)
      }
    }
    func gone(_ bytes: Int64) -> [Int64] {
      let policy = RetentionPolicy(bytes: bytes)
      let expired = ClickHouseRetention.expired(partitions, policy, at: 104 * Self.day + 5)
      return Set(expired.map { $0.day }).sorted()
    }
    #expect(gone(500) == [])
    #expect(gone(499) == [100])
    #expect(gone(250) == [100, 101, 102])
    #expect(gone(0) == [100, 101, 102])
    #expect(ClickHouseRetention.expired(partitions, .everything, at: 900 * Self.day) == [])
  }
}
