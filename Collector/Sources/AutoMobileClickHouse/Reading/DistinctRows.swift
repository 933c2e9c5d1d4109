/// Rows of a table, each of them once: one that has come twice is in the table twice until its parts are merged, and on two days for
/// ever.
///
/// `LIMIT 1 BY` finds them, and stands in a query of its own inside of the one that has a `LIMIT`: over a Distributed table each
/// shard cuts at the `LIMIT` first, and what was cut away is not there when duplicates have fallen out.
package struct DistinctRows: Sendable {
  package let table: TelemetryTable
  /// Those that are asked for, and those that ``filter`` and ``order`` speak of.
  package var columns: [SQLName]
  /// Of ``range`` what leaves few rows and is said by small columns: the others are read of those rows only.
  package var first: [SQL] = []
  /// What holds of all copies of a row or of none: its session, its time. All of them have to be true.
  package var range: [SQL] = []
  /// What may be true of one copy only, and of the one that counts is asked: the state of a launch.
  package var filter: [SQL] = []
  package var order: [SQL] = []
  package var limit: Int?

  package init(_ table: TelemetryTable, _ columns: [SQLName]) {
    self.table = table
    self.columns = columns
  }

  /// - Parameter selected: in the place of the columns.
  package func sql(_ cluster: ClickHouseCluster, selecting selected: [SQL] = []) -> SQL {
    sql(cluster.tables, selecting: selected)
  }

  package func sql(_ tables: ReadableTables, selecting selected: [SQL] = []) -> SQL {
    var sql: SQL = """
      SELECT \(SQL.joined(selected.isEmpty ? columns.map { "\($0)" } : selected, ", ")) \
      FROM (\(distinct(tables)))\(Self.clause(" WHERE ", filter, " AND "))\(Self.clause(" ORDER BY ", order, ", "))
      """
    if let limit { sql = "\(sql) LIMIT \(count: limit)" }
    return sql
  }

  private func distinct(_ tables: ReadableTables) -> SQL {
    // A column has to be selected to be ordered and distinguished by.
    let own = ["id", "later", "received", "revision"].filter { name in table.columns.contains { $0.name.text == name } }
    var names = columns
    for name in table.identity + own.map({ SQLName(trusted: $0) }) where !names.contains(name) { names.append(name) }
    return """
      SELECT \(Self.list(names)) FROM \(tables(table))\(Self.clause(" PREWHERE ", first, " AND "))\
      \(Self.clause(" WHERE ", range, " AND ")) \
      ORDER BY \(table.preference) LIMIT 1 BY \(Self.list(table.identity))
      """
  }

  private static func list(_ names: [SQLName]) -> SQL { SQL.joined(names.map { "\($0)" }, ", ") }

  private static func clause(_ word: SQL, _ parts: [SQL], _ separator: StaticString) -> SQL {
    guard !parts.isEmpty else { return "" }
    return "\(word)\(SQL.joined(parts.map { separator.description == " AND " ? "(\($0))" : $0 }, separator))"
  }
}

extension DistinctRows {
  /// - Parameter columns: as this program writes them.
  package init(_ table: TelemetryTable, columns: [StaticString]) {
    self.init(table, columns.map { SQLName($0) })
  }
}
