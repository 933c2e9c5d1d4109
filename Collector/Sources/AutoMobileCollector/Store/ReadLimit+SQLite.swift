import GRDB
import GRDBSQLite

extension ReadLimit {
  /// Unchecked: `sqlite3_interrupt`, the only use here, may be called by any thread while the connection is open.
  private struct Connection: @unchecked Sendable {
    let pointer: SQLiteConnection?
  }

  /// Runs `body`, whose statements end with the limit. The connection is left as it was found.
  ///
  /// - Throws: ``APIError`` that says why it ended early; what `body` throws.
  func run<Result>(in database: Database, _ body: () throws -> Result) throws -> Result {
    let connection = Connection(pointer: database.sqliteConnection)
    return try run(interrupt: { sqlite3_interrupt(connection.pointer) }, body)
  }
}
