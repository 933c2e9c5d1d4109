import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// The numbers of SQLite that are used here, and the limits within which it works for us.
enum SQLite {
  static let ok = SQLITE_OK
  static let row = SQLITE_ROW
  static let done = SQLITE_DONE
  static let busy = SQLITE_BUSY
  static let locked = SQLITE_LOCKED
  static let notADatabase = SQLITE_NOTADB
  static let corrupt = SQLITE_CORRUPT
  static let cannotOpen = SQLITE_CANTOPEN
  static let permission = SQLITE_PERM
  static let ioError = SQLITE_IOERR
  static let readOnly = SQLITE_READONLY
  static let full = SQLITE_FULL
  static let tooBig = SQLITE_TOOBIG
  static let memory = SQLITE_NOMEM
  static let interrupted = SQLITE_INTERRUPT
  static let notAuthorized = SQLITE_AUTH

  /// How long a lock of somebody else is waited for.
  static let busyMilliseconds = 5000
  /// How long a statement may run, in milliseconds.
  static let statementMilliseconds = 8000
  /// The longest value that is loaded, in bytes: what one row may cost in memory.
  static let maximumValue: Int32 = 64 << 20
  /// The longest statement, in bytes.
  static let maximumStatement = 100_000

  static func text(_ characters: UnsafePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }

  /// A name as it stands in a statement, whatever is in it.
  static func quoted(_ identifier: String) -> String {
    "\"" + identifier.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
