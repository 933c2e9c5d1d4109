/// Looks into the databases of an app.
///
/// Methods read files, and so block: call them off the main thread. They may be called on several threads at once, never
/// throw, and say in their results what went wrong.
public protocol DatabaseDriver: Sendable {
  /// The databases that there are.
  func getDatabases() -> [DatabaseDescriptor]
  /// The names of a database's tables and views, in order; none when it cannot be read.
  func getTables(databasePath: String) -> [String]
  /// Some rows of a table.
  ///
  /// - Parameters:
  ///   - databasePath: a ``DatabaseDescriptor/path``.
  ///   - table: a table's or a view's name.
  ///   - limit: how many rows at most.
  ///   - offset: how many rows are passed over first.
  func getTableData(databasePath: String, table: String, limit: Int, offset: Int) -> TableDataResult
  func getTableStructure(databasePath: String, table: String) -> TableStructureResult
  /// Executes one statement.
  func executeSQL(databasePath: String, query: String) -> SQLExecutionResult
}

/// A database of the app.
public struct DatabaseDescriptor: Sendable, Equatable {
  /// The file's name.
  public let name: String
  /// The file's path, without symbolic links.
  public let path: String
  /// Of the file itself; what stands in its write-ahead log is not counted.
  public let sizeBytes: Int64

  public init(name: String, path: String, sizeBytes: Int64) {
    self.name = name
    self.path = path
    self.sizeBytes = sizeBytes
  }
}

/// What SQLite calls the storage class of a value.
public enum DatabaseValueType: String, Sendable, Codable {
  case integer, real, text, blob, null
}

/// Some rows of a table.
public struct TableDataResult: Sendable, Equatable {
  public let columns: [String]
  /// The values' texts; nil is `NULL`, and what is no text is base64.
  public let rows: [[String?]]
  /// The rows of the whole table; -1 when counting them took too long.
  public let totalRows: Int
  /// For each value in ``rows`` what it is; empty when the driver does not say.
  public let types: [[DatabaseValueType]]
  /// Rows that were asked for, or ends of values, were left out: the result would have grown too large.
  public let isTruncated: Bool
  /// What went wrong, and what can be done about it.
  public let error: String?

  public init(
    columns: [String], rows: [[String?]], totalRows: Int, types: [[DatabaseValueType]] = [],
    isTruncated: Bool = false, error: String? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.totalRows = totalRows
    self.types = types
    self.isTruncated = isTruncated
    self.error = error
  }
}

/// How a table is made.
public struct TableStructureResult: Sendable, Equatable {
  public let columns: [ColumnInfo]
  /// The statement that made the table, when the driver knows it.
  public let sql: String?
  /// What went wrong, and what can be done about it.
  public let error: String?

  public init(columns: [ColumnInfo], sql: String? = nil, error: String? = nil) {
    self.columns = columns
    self.sql = sql
    self.error = error
  }
}

/// A column of a table.
public struct ColumnInfo: Sendable, Equatable {
  public let name: String
  /// As it was declared; may be empty.
  public let type: String
  public let isNullable: Bool
  public let isPrimaryKey: Bool
  /// The expression, as it was declared.
  public let defaultValue: String?

  public init(name: String, type: String, isNullable: Bool, isPrimaryKey: Bool, defaultValue: String?) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.isPrimaryKey = isPrimaryKey
    self.defaultValue = defaultValue
  }
}

/// What a statement gave.
public struct SQLExecutionResult: Sendable, Equatable {
  /// Nil when the statement gives no rows.
  public let columns: [String]?
  /// The values' texts; nil is `NULL`, and what is no text is base64.
  public let rows: [[String?]]?
  /// Rows that the statement inserted, changed or deleted.
  public let rowsAffected: Int
  /// What went wrong, and what can be done about it.
  public let error: String?
  /// For each value in ``rows`` what it is; empty when the driver does not say.
  public let types: [[DatabaseValueType]]
  /// There are more rows, or ends of values were left out: the result would have grown too large.
  public let isTruncated: Bool

  public init(
    columns: [String]?, rows: [[String?]]?, rowsAffected: Int, error: String? = nil,
    types: [[DatabaseValueType]] = [], isTruncated: Bool = false
  ) {
    self.columns = columns
    self.rows = rows
    self.rowsAffected = rowsAffected
    self.error = error
    self.types = types
    self.isTruncated = isTruncated
  }
}
