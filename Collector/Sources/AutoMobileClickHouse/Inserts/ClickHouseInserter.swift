import NIOConcurrencyHelpers
import NIOCore

/// Puts rows into ClickHouse in few large inserts, whoever brings how many.
///
/// What it confirms, ClickHouse has confirmed. What it does not confirm may be there or not: whoever brings it again adds nothing to
/// what is read, since rows have names (``TelemetryTable/identity``).
package final class ClickHouseInserter: Sendable {
  private struct LaneName: Hashable {
    var table: String
    var shard: Int
  }

  private let memory: InsertMemory
  private let lanes: [LaneName: InsertLane]

  package init(_ cluster: ClickHouseCluster, limits: InsertLimits = InsertLimits()) {
    let memory = InsertMemory(limit: limits.memory)
    self.memory = memory
    let settings = cluster.insertSettings
    var lanes: [LaneName: InsertLane] = [:]
    for (index, shard) in cluster.map.shards.enumerated() {
      let client = cluster.client.only(shard.hosts)
      for table in TelemetryTables.all {
        let sql = table.insert(in: cluster.database, cluster.dialect)
        lanes[LaneName(table: table.name, shard: index)] = InsertLane(table, shard, limits, memory) { bytes in
          try await client.insert(bytes, sql, settings: settings)
        }
      }
    }
    self.lanes = lanes
  }

  /// Bytes of rows that wait, or are on their way.
  package var bytesInMemory: Int { memory.used }

  /// Waits until ClickHouse has confirmed all of the rows.
  ///
  /// - Parameter confirmed: numbers of shards that have theirs from an earlier attempt.
  /// - Throws: ``InsertFailure``, which says what of them has not been; `CancellationError`, which says nothing of that.
  package func insert(_ rows: ShardedRows, besides confirmed: Set<Int> = []) async throws {
    let parts = rows.parts.filter { part in
      lanes[LaneName(table: rows.table.name, shard: part.shard)].map { !confirmed.contains($0.shard.number) } ?? true
    }
    var failure = InsertFailure(parts: [], confirmed: [])
    await withTaskGroup(of: (Int, InsertFailure.Part?).self) { group in
      for part in parts {
        guard let lane = lanes[LaneName(table: rows.table.name, shard: part.shard)] else {
          let error = ClickHouseError(.statement, "there is no such table or shard here")
          failure.parts.append(
            InsertFailure.Part(table: rows.table.name, shard: part.shard + 1, attempts: 0, error: error))
          continue
        }
        group.addTask {
          do {
            try await lane.add(part.bytes, rows: part.rows)
            return (lane.shard.number, nil)
          } catch let error as InsertFailure.Part {
            return (lane.shard.number, error)
          } catch {
            return (
              lane.shard.number,
              InsertFailure.Part(table: lane.table.name, shard: lane.shard.number, attempts: 0, error: error)
            )
          }
        }
      }
      for await (shard, part) in group {
        if let part { failure.parts.append(part) } else { failure.confirmed.append(shard) }
      }
    }
    try Task.checkCancellation()
    failure.parts.sort { $0.shard < $1.shard }
    failure.confirmed.sort()
    if !failure.parts.isEmpty { throw failure }
  }
}
