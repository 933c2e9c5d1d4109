import NIOCore

/// Rows of one table, apart by the shard that they go to.
package struct ShardedRows: Sendable {
  package let table: TelemetryTable
  private let map: ShardMap
  private var writers: [RowBinaryWriter]
  private var counts: [Int]

  package init(_ table: TelemetryTable, _ cluster: ClickHouseCluster) { self.init(table, cluster.map) }

  package init(_ table: TelemetryTable, _ map: ShardMap) {
    self.table = table
    self.map = map
    writers = map.shards.map { _ in RowBinaryWriter() }
    counts = map.shards.map { _ in 0 }
  }

  package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - key: of the row's column `shard`, which is written here.
  ///   - write: the other columns in the table's order. What it throws takes the row back.
  package mutating func append(_ key: UInt64, _ write: (inout RowBinaryWriter) throws -> Void) rethrows {
    let index = map.index(of: key)
    let before = writers[index].count
    writers[index].int(key)
    do {
      try write(&writers[index])
    } catch {
      writers[index].cut(to: before)
      throw error
    }
    counts[index] += 1
  }

  /// Rows of all shards.
  package var count: Int { counts.reduce(0, +) }
  package var byteCount: Int { writers.reduce(0) { $0 + $1.count } }

  /// By the index of the shard.
  package var parts: [(shard: Int, bytes: ByteBuffer, rows: Int)] {
    writers.indices.filter { counts[$0] > 0 }.map { ($0, writers[$0].buffer, counts[$0]) }
  }
}
