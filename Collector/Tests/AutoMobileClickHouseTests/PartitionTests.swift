import ClickHouseTestServer
import Testing

@testable import AutoMobileClickHouse

/// How many parts there are to be of what apps say.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct PartitionTests {
  @Test func `A day is one partition of each table, of however many projects`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let events = (0..<50 as Range<Int64>).map { SampleEvent(project: "project \($0)", position: $0, id: $0) }
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows(events, cluster))
      var sessions = ShardedRows(SessionTables.parts, cluster.map)
      for number in 0..<50 {
        sessions.append(1) { row in
          row.string("project \(number)")
          row.string("s")
          for number in [1, 2, 3, 4] as [Int64] { row.int(number) }
          for text in ["b", "1.0", "ann", "{}", "{}", "home"] { row.string(text) }
          row.int(5 as Int64)
          row.bool(true)
          row.array(["log"]) { $0.string($1) }
          row.array(["home"]) { $0.string($1) }
          row.day(20_000)
          row.array(["launch"]) { $0.string($1) }
        }
      }
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(sessions)
      let partitions = try await ShardMutations(cluster).partitions()
      func days(_ table: String) -> [Int: [Int64]] {
        Dictionary(grouping: partitions.filter { $0.table == table }, by: \.shard).mapValues { $0.map(\.day) }
      }
      let day: Int64 = 1_700_000_000_000 / 86_400_000
      #expect(days("events_local") == [0: [day], 1: [day]])
      #expect(Array(days("sessions_local").values) == [[20_000]])
    }
  }
}
