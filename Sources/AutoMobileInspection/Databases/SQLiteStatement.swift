import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// A prepared statement. Lives no longer than its connection, and is used on one thread at a time.
final class SQLiteStatement {
  /// A value of a row.
  struct Value: Equatable {
    var type: DatabaseValueType
    /// Nil is `NULL`. What is no text is base64.
    var text: String?
    /// Its end was left out.
    var isCut = false
  }

  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  init(_ handle: OpaquePointer, _ connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// It cannot change the database, as SQLite sees it.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  var isExplanation: Bool { sqlite3_stmt_isexplain(handle) != 0 }

  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  var columns: [String] {
    (0..<columnCount).map { SQLite.text(sqlite3_column_name(handle, Int32(clamping: $0))) }
  }

  func bind(_ values: [Int64]) {
    for (index, value) in values.enumerated() { sqlite3_bind_int64(handle, Int32(clamping: index + 1), value) }
  }

  func bind(_ text: String) {
    // SQLITE_TRANSIENT, which is a cast in C: it copies the text.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, 1, text, Int32(clamping: text.utf8.count), copies)
  }

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLite.row: return true
    case SQLite.done: return false
    default: throw connection.error(code)
    }
  }

  /// The row that was stepped to.
  ///
  /// - Parameter limit: of a text's bytes.
  func values(limit: Int) -> [Value] {
    (0..<columnCount).map { value(Int32(clamping: $0), limit) }
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func text(_ column: Int32) -> String? { value(column, .max).text }

  private func value(_ column: Int32, _ limit: Int) -> Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: return Value(type: .null)
    case SQLITE_INTEGER: return Value(type: .integer, text: String(sqlite3_column_int64(handle, column)))
    case SQLITE_FLOAT: return Value(type: .real, text: "\(sqlite3_column_double(handle, column))")
    case SQLITE_BLOB:
      // Bytes after the pointer: asking for the pointer may convert the value.
      let start = sqlite3_column_blob(handle, column)
      let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size(column))
      // Three bytes are four letters.
      let kept = bytes.prefix(limit / 4 * 3)
      return Value(type: .blob, text: Data(kept).base64EncodedString(), isCut: kept.count < bytes.count)
    default:
      let start = sqlite3_column_text(handle, column)
      let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : size(column))
      return Self.text(bytes, limit)
    }
  }

  private func size(_ column: Int32) -> Int { max(0, Int(sqlite3_column_bytes(handle, column))) }

  /// What is no UTF-8 becomes the replacement character: a text may hold any bytes, zero included.
  private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Value {
    guard bytes.count > limit else { return Value(type: .text, text: String(decoding: bytes, as: UTF8.self)) }
    var end = max(0, limit)
    // Not within a character.
    while end > 0, limit - end < 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Value(type: .text, text: String(decoding: bytes[..<end], as: UTF8.self) + "…", isCut: true)
  }
}
