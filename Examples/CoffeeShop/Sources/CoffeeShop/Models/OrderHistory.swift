import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// The orders of the past, in SQLite. Nothing here knows of AutoMobile: its inspector finds the database by itself. One thread.
final class OrderHistory {
  enum Failure: Error {
    case database(String)
  }

  private let database: OpaquePointer

  init(_ file: URL) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(file.path, &opened) == SQLITE_OK, let opened else { throw Failure.database("not opened") }
    database = opened
    try run("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, total REAL NOT NULL, items INTEGER NOT NULL)")
  }

  deinit { sqlite3_close(database) }

  func add(_ order: Order) throws {
    let insert = try statement("INSERT OR REPLACE INTO orders (id, total, items) VALUES (?, ?, ?)")
    defer { sqlite3_finalize(insert) }
    // Copied by SQLite, which the constant for that says; Swift does not import it.
    sqlite3_bind_text(insert, 1, order.id, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    sqlite3_bind_double(insert, 2, order.total)
    sqlite3_bind_int64(insert, 3, Int64(order.items))
    guard sqlite3_step(insert) == SQLITE_DONE else { throw failure }
  }

  /// The newest first.
  func all() -> [Order] {
    guard let select = try? statement("SELECT id, total, items FROM orders ORDER BY rowid DESC") else { return [] }
    defer { sqlite3_finalize(select) }
    var orders: [Order] = []
    while sqlite3_step(select) == SQLITE_ROW {
      guard let id = sqlite3_column_text(select, 0) else { continue }
      orders.append(
        Order(
          id: String(cString: id), total: sqlite3_column_double(select, 1),
          items: Int(sqlite3_column_int64(select, 2))))
    }
    return orders
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private func statement(_ sql: String) throws -> OpaquePointer? {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK else { throw failure }
    return prepared
  }

  private var failure: Failure { .database(String(cString: sqlite3_errmsg(database))) }
}
