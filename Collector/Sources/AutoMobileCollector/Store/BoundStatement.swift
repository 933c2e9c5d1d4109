import GRDB
import GRDBSQLite

/// A prepared statement whose parameters are bound in place, without a Swift object for each: the indexer runs these
/// hundreds of thousands of times a second.
///
/// Pointers that are bound must stay valid until the statement has run.
struct BoundStatement {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws { statement = try database.cachedStatement(sql: sql) }

  private var handle: OpaquePointer { statement.sqliteStatement }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  func bind(_ index: Int32, blob bytes: UnsafeRawBufferPointer) {
    sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
  }

  func bind(_ index: Int32, text bytes: UnsafeRawBufferPointer) {
    sqlite3_bind_text64(
      handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
      UInt8(SQLITE_UTF8))
  }

  func bind(_ index: Int32, _ value: String?) {
    guard var value else { return _ = sqlite3_bind_null(handle, index) }
    value.withUTF8 { bytes in
      // -1: SQLite makes a copy, since the string's bytes go.
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          handle, index, $0.baseAddress, UInt64($0.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self),
          UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Runs a statement that returns no rows.
  func run() throws {
    let status = sqlite3_step(handle)
    sqlite3_reset(handle)
    guard status == SQLITE_DONE || status == SQLITE_ROW else { throw failure() }
  }

  /// Runs a statement that returns at most one integer.
  func integer() throws -> Int64? {
    defer { sqlite3_reset(handle) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return sqlite3_column_type(handle, 0) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, 0)
    case SQLITE_DONE: return nil
    default: throw failure()
    }
  }

  private func failure() -> DatabaseError {
    let connection = sqlite3_db_handle(handle)
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)), sql: statement.sql)
  }
}
