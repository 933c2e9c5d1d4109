#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// Decides what a statement may do, while SQLite prepares and executes it.
///
/// Its words cannot say: SQLite tells what a statement does, whatever it looks like. Pragmas need this most, for some take
/// effect while they are prepared.
final class SQLiteAuthorizer {
  enum Stage {
    /// Nothing may be changed. What a statement would change is noted.
    case reading
    /// One statement that may change the database is prepared.
    case writing
    /// It runs.
    case running
  }

  var stage = Stage.reading
  /// A pragma that sets something. Of all other statements SQLite says itself whether they only read.
  private(set) var isWrite = false
  /// Rows are inserted, changed or deleted.
  private(set) var changesRows = false
  /// What it asks for is never allowed, and why.
  private(set) var refusal: String?

  func begin(_ stage: Stage) {
    self.stage = stage
    isWrite = false
    changesRows = false
    refusal = nil
  }

  /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
  func decide(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION: return decideFunction(second?.lowercased() ?? "")
    case SQLITE_PRAGMA: return decidePragma(first?.lowercased() ?? "", second)
    case SQLITE_ATTACH:
      // VACUUM attaches an unnamed file while it runs; with INTO it has a name.
      if stage == .running, first?.isEmpty == true { return SQLITE_OK }
      return refuse(
        stage == .running
          ? "VACUUM INTO writes another file, and is never allowed"
          : "ATTACH opens another file, and is never allowed: ask for the other database by its own name")
    case SQLITE_DETACH: return refuse("DETACH is never allowed")
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      // VACUUM has one of its own.
      if stage == .running { return SQLITE_OK }
      return refuse(
        "transactions are never allowed, since they would leave the database locked: each statement is one by itself")
    case SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE: return decideVirtualTable(second?.lowercased() ?? "")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if stage != .running, first?.hasPrefix("sqlite_") == false { changesRows = true }
      return SQLITE_OK
    // Preparing changes nothing, and so may go on.
    default: return SQLITE_OK
    }
  }

  private func refuse(_ reason: String) -> Int32 {
    if refusal == nil { refusal = reason }
    return SQLITE_DENY
  }

  /// What reaches out of the database: code that is loaded, pointers as numbers, files.
  private static let refusedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit",
  ]

  private func decideFunction(_ name: String) -> Int32 {
    Self.refusedFunctions.contains(name) ? refuse("\(name)() is never allowed") : SQLITE_OK
  }

  private static let virtualTables: Set<String> = ["fts3", "fts4", "fts5", "rtree", "geopoly"]

  private func decideVirtualTable(_ module: String) -> Int32 {
    Self.virtualTables.contains(module) ? SQLITE_OK : refuse("tables of the module \(module) are never allowed")
  }

  /// They only tell something, with what stands in parentheses or without.
  private static let tellingPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check",
  ]
  /// Without a value they tell one.
  private static let readablePragmas: Set<String> = [
    "application_id", "auto_vacuum", "busy_timeout", "cache_size", "collation_list", "compile_options", "data_version",
    "database_list", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode",
    "journal_size_limit", "module_list", "page_count", "page_size", "pragma_list", "query_only", "recursive_triggers",
    "schema_version", "secure_delete", "synchronous", "trusted_schema", "user_version", "wal_autocheckpoint",
  ]
  /// They change the database, and nothing beyond it.
  private static let writingPragmas: Set<String> = [
    "application_id", "auto_vacuum", "encoding", "incremental_vacuum", "journal_mode", "optimize", "page_size",
    "user_version", "wal_checkpoint",
  ]

  private func decidePragma(_ name: String, _ value: String?) -> Int32 {
    if Self.tellingPragmas.contains(name) { return SQLITE_OK }
    if value == nil, Self.readablePragmas.contains(name) { return SQLITE_OK }
    guard Self.writingPragmas.contains(name) else {
      return refuse("PRAGMA \(name)\(value == nil ? "" : " with a value") is never allowed")
    }
    isWrite = true
    // A value that is set is set at once.
    return stage == .reading ? SQLITE_DENY : SQLITE_OK
  }
}
