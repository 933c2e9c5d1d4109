/// Pages of a table, and what it is made of.
extension SQLiteDatabaseDriver {
  /// How long the rows of a table are counted, in milliseconds.
  private static let countMilliseconds = 2000

  func rows(
    _ connection: SQLiteConnection, _ table: String, limit: Int, offset: Int
  ) throws(DatabaseError) -> TableDataResult {
    // One more than may be kept, so that a longer table is noticed.
    let wanted = min(max(0, limit), limits.rows + 1)
    let statement = try connection.prepare(own: "SELECT * FROM \(SQLite.quoted(table)) LIMIT ?1 OFFSET ?2")
    statement.bind([Int64(clamping: wanted), Int64(clamping: max(0, offset))])
    let columns = statement.columns
    var rows = DatabaseRows(columns: columns, limits: limits)
    while try statement.step(), rows.append(statement.values(limit: limits.value)) {}
    return TableDataResult(
      columns: columns, rows: rows.rows, totalRows: try count(connection, table), types: rows.types,
      isTruncated: rows.isTruncated)
  }

  /// Counted again when somebody else has changed the database; -1 when it takes too long.
  private func count(_ connection: SQLiteConnection, _ table: String) throws(DatabaseError) -> Int {
    let version = try connection.prepare(own: "PRAGMA data_version")
    let now = try version.step() ? version.integer(0) : 0
    if let known = connection.counts[table], known.version == now { return known.rows }
    let statement = try connection.prepare(own: "SELECT count(*) FROM \(SQLite.quoted(table))")
    var count = -1
    do {
      connection.limit(to: Self.countMilliseconds)
      if try statement.step() { count = Int(clamping: statement.integer(0)) }
    } catch {
      guard error.kind == .tooSlow else { throw error }
    }
    if connection.counts.count >= 256 { connection.counts = [:] }
    connection.counts[table] = (now, count)
    return count
  }

  static func structure(_ connection: SQLiteConnection, _ table: String) throws(DatabaseError) -> TableStructureResult {
    let statement = try connection.prepare(own: "PRAGMA table_xinfo(\(SQLite.quoted(table)))")
    var columns: [ColumnInfo] = []
    while try statement.step() {
      // Of a virtual table, what is not meant to be seen.
      guard statement.integer(6) != 1 else { continue }
      columns.append(
        ColumnInfo(
          name: statement.text(1) ?? "", type: statement.text(2) ?? "", isNullable: statement.integer(3) == 0,
          isPrimaryKey: statement.integer(5) > 0, defaultValue: statement.text(4)))
    }
    guard !columns.isEmpty else {
      throw DatabaseError(.sql, "There is no table \(table.prefix(200)). Ask for the list of tables.")
    }
    let maker = try connection.prepare(
      own: "SELECT sql FROM sqlite_master WHERE name = ?1 AND type IN ('table', 'view')")
    maker.bind(table)
    return TableStructureResult(columns: columns, sql: try maker.step() ? maker.text(0) : nil)
  }
}
