import AutoMobileClickHouse

/// A statement that reads what one reader may see, and nothing else. It begins with a ``ClickHouseReading``, which puts the reader's
/// wall into it; there is no other way to one, and only these can be asked.
struct SeenSQL: Sendable {
  /// To stand inside of another statement.
  let sql: SQL

  fileprivate init(_ sql: SQL) { self.sql = sql }

  /// The same inside of what `make` writes around it.
  func inside(_ make: (SQL) -> SQL) -> SeenSQL { SeenSQL(make(sql)) }

  /// Several of them in one.
  static func together(_ parts: [SeenSQL], _ separator: StaticString) -> SeenSQL {
    SeenSQL(SQL.joined(parts.map(\.sql), separator))
  }
}

/// Rows of the table of sessions, put together: one for each session.
struct SeenSessions: Sendable {
  /// Of these, ``SessionTables/value(_:)`` says how they are written.
  var selected: [SQL] = []
  /// What holds of a session as a whole: its project, its name.
  var range: [SQL] = []
  /// What is asked of a session that has been put together, by the names of what was selected.
  var filter: [SQL] = []
  var order: [SQL] = []
  var limit: Int?
}

/// What one reader may ask, as long as their question lasts.
struct ClickHouseReading: Sendable {
  let limits: CollectorLimits
  let dialect: Dialect
  /// More than one project may be seen: a name alone does not say whose session it is.
  let isWide: Bool
  private let tables: ReadableTables
  private let asking: any ClickHouseAsking
  private let wall: SQL?

  init(
    _ asking: any ClickHouseAsking, _ tables: ReadableTables, _ wall: OwnerWall?, _ limits: CollectorLimits
  ) {
    self.asking = asking
    self.tables = tables
    self.wall = wall.map(\.sql)
    self.limits = limits
    dialect = tables.dialect
    isWide = wall.map { $0.parts.count > 1 } ?? true
  }

  // MARK: Statements

  /// Rows of a table, each once.
  ///
  /// - Parameters:
  ///   - selected: in the place of the columns.
  ///   - isOnShard: as of ``copies(_:of:_:_:isOnShard:)``.
  func distinct(_ rows: DistinctRows, selecting selected: [SQL] = [], isOnShard: Bool = false) -> SeenSQL {
    var rows = rows
    if let wall { rows.range.insert(wall, at: 0) }
    return SeenSQL(rows.sql(isOnShard ? tables.onShard : tables, selecting: selected))
  }

  /// Rows of a table as they lie there, those that have come twice twice: for what a copy more does not change.
  ///
  /// - Parameters:
  ///   - first: as of ``DistinctRows/first``.
  ///   - isOnShard: of those that each shard has itself: for the inside of an IN, where what is asked for is in the same session.
  func copies(
    _ selected: SQL, of table: TelemetryTable, _ range: [SQL], _ ending: SQL = "", first: [SQL] = [],
    isOnShard: Bool = false
  ) -> SeenSQL {
    let source = isOnShard ? tables.local(table) : tables(table)
    let conditions: SQL = "\(Self.clause(" PREWHERE ", first))\(Self.clause(" WHERE ", range + own))"
    return SeenSQL("SELECT \(selected) FROM \(source)\(conditions) \(ending)")
  }

  /// Sessions, each once.
  ///
  /// - Parameter isOnShard: as of ``copies(_:of:_:_:isOnShard:)``.
  func sessions(_ sessions: SeenSessions, isOnShard: Bool = false) -> SeenSQL {
    var sql: SQL = """
      SELECT project, session, shard, \(SQL.joined(sessions.selected, ", ")) \
      FROM \(isOnShard ? tables.localSessions : tables.sessions)\
      \(Self.clause(" WHERE ", sessions.range + own)) GROUP BY project, session, shard
      """
    sql = "\(sql)\(Self.clause(" HAVING ", sessions.filter))"
    if !sessions.order.isEmpty { sql = "\(sql) ORDER BY \(SQL.joined(sessions.order, ", "))" }
    if let limit = sessions.limit { sql = "\(sql) LIMIT \(count: limit)" }
    return SeenSQL(sql)
  }

  private var own: [SQL] { wall.map { [$0] } ?? [] }

  private static func clause(_ word: SQL, _ parts: [SQL]) -> SQL {
    parts.isEmpty ? "" : "\(word)\(SQL.joined(parts.map { "(\($0))" }, " AND "))"
  }

  // MARK: Asking

  /// - Throws: ``ClickHouseError``; ``ClickHouseTelemetry`` says it in the API's words.
  func rows<Row: Sendable>(
    _ statement: SeenSQL, _ read: @Sendable (inout RowBinaryReader) throws -> Row
  ) async throws -> [Row] {
    try await asking.rows(statement.sql, settings: settings, read)
  }

  /// A server that nobody asks any more stops by itself, a little later than whoever asked.
  private var settings: [(String, String)] {
    [
      ("max_execution_time", "\(Int(min(max(1, limits.readSeconds), 3600)) + 1)"),
      ("max_result_bytes", "\(Self.longestAnswer)"),
      // Names of issues, about which people decided, are a part of some.
      ("max_query_size", "\(Self.longestQuestion)"),
    ]
  }

  /// Pages are smaller by far. Beyond: the question is too broad.
  private static let longestAnswer = 64 << 20
  private static let longestQuestion = 16 << 20
}
