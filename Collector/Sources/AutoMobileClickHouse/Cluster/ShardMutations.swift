/// Deletions of rows: each shard does its own, in its own time, and goes on with them after it was started anew.
package struct ShardMutations: Sendable {
  private let shards: [ClickHouseClient]
  private let database: SQLName

  package init(_ cluster: ClickHouseCluster) {
    shards = cluster.map.shards.map { cluster.client.only($0.hosts) }
    database = cluster.database
  }

  /// Has all shards delete rows of a table of theirs. They are gone when nothing is ``pending()`` any more; what is put in meanwhile may
  /// stay. Done twice, it deletes nothing more.
  ///
  /// - Parameter table: a `…_local` one.
  /// - Throws: ``ClickHouseError`` when one of them does not take it: others may have.
  package func delete(from table: SQL, where condition: SQL) async throws {
    for shard in shards { try await shard.change("ALTER TABLE \(table) DELETE WHERE \(condition)") }
  }

  /// Has one shard delete rows of a table of its own.
  package func delete(from table: SQLName, shard: Int, where condition: SQL) async throws {
    try await shards[shard].change("ALTER TABLE \(database).\(table) DELETE WHERE \(condition)")
  }

  /// Rows of a table on one shard, each copy counted.
  package func count(of table: SQLName, shard: Int, where condition: SQL) async throws -> Int64 {
    try await shards[shard].rows(
      "SELECT toInt64(count()) FROM \(database).\(table) WHERE \(condition)"
    ) { try $0.int(Int64.self) }.first ?? 0
  }

  /// Whether a shard has still to delete rows of a table, whoever wished it.
  package func isDeleting(from table: SQLName, shard: Int) async throws -> Bool {
    try await shards[shard].rows(
      """
      SELECT count() FROM system.mutations WHERE database = \(text: database.text) AND table = \(text: table.text) \
      AND is_done = 0
      """
    ) { try $0.int(UInt64.self) }.first ?? 0 > 0
  }

  /// Drops partitions by their ids, on one shard.
  package func drop(partition id: String, of table: SQLName, shard: Int) async throws {
    try await shards[shard].change("ALTER TABLE \(database).\(table) DROP PARTITION ID \(text: id)")
  }

  /// How many deletions of this database are not done, of all shards.
  package func pending() async throws -> Int {
    var count = 0
    for shard in shards {
      let rows = try await shard.rows(
        "SELECT count() FROM system.mutations WHERE database = \(text: database.text) AND is_done = 0"
      ) { try $0.int(UInt64.self) }
      count += Int(clamping: rows.first ?? 0)
    }
    return count
  }

  /// A partition of a table on a shard.
  package struct Partition: Sendable, Equatable {
    package var shard: Int
    package var table: String
    package var id: String
    /// Days since 1970.
    package var day: Int64
    package var bytes: Int64
    package var rows: Int64
  }

  /// Tables of this program's that hold rows. Others may lie in the same database.
  private static let tables = SQL.joined(
    (TelemetryTables.all.map(\.localName) + [SessionTables.localName]).map { "\(text: $0.text)" }, ", ")

  /// What the tables take up. Partitions whose day cannot be told, and tables of others, are left out.
  package func partitions() async throws -> [Partition] {
    var found: [Partition] = []
    for (index, shard) in shards.enumerated() {
      // A partition is called after its day: '2026-11-27', in newer releases without quotes.
      found += try await shard.rows(
        """
        SELECT table, partition_id, toInt64(toDate(extract(any(partition), '[0-9]{4}-[0-9]{2}-[0-9]{2}'))), toInt64(sum(bytes_on_disk)), \
        toInt64(sum(rows)) FROM system.parts WHERE database = \(text: database.text) AND active = 1 \
        AND table IN (\(Self.tables)) AND match(partition, '[0-9]{4}-[0-9]{2}-[0-9]{2}') GROUP BY table, partition_id
        """
      ) { row in
        Partition(
          shard: index, table: try row.string(), id: try row.string(), day: try row.int(), bytes: try row.int(),
          rows: try row.int())
      }
    }
    return found
  }
}
