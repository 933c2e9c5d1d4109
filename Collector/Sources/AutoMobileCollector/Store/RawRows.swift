import GRDB
import GRDBSQLite

/// Rows as SQLite has them, without an object for each: for sums over hundreds of thousands.
struct RawRows {
  private let statement: OpaquePointer

  /// Hands each row of a query to `body`. Columns are valid inside of it.
  static func each(
    _ database: Database, sql: String, arguments: StatementArguments, _ body: (RawRows) throws -> Void
  ) throws {
    try some(database, sql: sql, arguments: arguments) {
      try body($0)
      return true
    }
  }

  /// Hands rows to `body` until it returns false.
  static func some(
    _ database: Database, sql: String, arguments: StatementArguments, _ body: (RawRows) throws -> Bool
  ) throws {
    let prepared = try database.cachedStatement(sql: sql)
    try prepared.setArguments(arguments)
    let statement = prepared.sqliteStatement
    defer { sqlite3_reset(statement) }
    let row = RawRows(statement: statement)
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if try !body(row) { return }
      case SQLITE_DONE: return
      case let code:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(database.sqliteConnection)),
          sql: sql)
      }
    }
  }

  /// 0 for what is NULL.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func optionalInteger(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
  }

  /// Up to eight bytes of a text as a number, by which short texts are told apart quickly; nil when there are more.
  func shortText(_ column: Int32) -> UInt64? {
    let count = sqlite3_column_bytes(statement, column)
    guard count <= 8, let bytes = sqlite3_column_text(statement, column) else { return nil }
    var value: UInt64 = 0
    for index in 0..<Int(count) { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// A blob where SQLite has it, until the next row; nil for what is NULL.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    // In this order: asking for the blob may move it.
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  func text(_ column: Int32) -> String {
    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }
}
