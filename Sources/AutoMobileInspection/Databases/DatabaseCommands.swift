import AutoMobileRecorder
import Foundation

/// `databases` and its like: what a collector may ask of the databases of a debug build.
///
/// Secrets are not told; see ``DatabaseSecrets``. A path must be one that ``DatabaseDriver/getDatabases()`` tells, or the name of one of them: no other file is opened for
/// anybody out there.
struct DatabaseCommands: Sendable {
  let inspector: DatabaseInspector

  func register(in registry: CommandRegistry) {
    registry.register("databases", changesSomething: false) { _ in try list() }
    registry.register("database.tables", changesSomething: false) { try tables($0.arguments) }
    registry.register("database.structure", changesSomething: false) { try structure($0.arguments) }
    registry.register("database.rows", changesSomething: false) { try rows($0.arguments) }
    registry.register("database.query", changesSomething: false) { try query($0.arguments) }
    registry.register("database.execute", changesSomething: true) { try execute($0.arguments) }
  }

  /// Of a list of databases, or of tables, in one answer.
  private static let pageSize: Int64 = 500

  private func driver() throws -> any DatabaseDriver {
    guard let driver = inspector.getDriver() else {
      throw CommandFailure(
        "switched_off",
        "The app does not allow its databases to be inspected: DatabaseInspector.shared.setEnabled(true) switches that on."
      )
    }
    return driver
  }

  /// What the app's own driver gives, whatever happens in there.
  private func call<Value>(_ body: () -> Value) throws -> Value {
    guard let value = ErrorBarrier.run(.databaseDriver, or: nil, { Optional(body()) }) else {
      throw CommandFailure("failed", "The app's driver threw an exception.")
    }
    return value
  }

  private func list() throws -> MetadataValue {
    let driver = try driver()
    let databases = try call { driver.getDatabases() }
    return [
      "databases": .array(
        databases.prefix(Int(Self.pageSize)).map {
          ["name": .string($0.name), "path": .string($0.path), "sizeBytes": .int($0.sizeBytes)]
        }),
      "total": .int(Int64(databases.count)),
    ]
  }

  private func tables(_ arguments: ControlValue) throws -> MetadataValue {
    let driver = try driver()
    let path = try path(arguments, driver)
    let offset = try arguments.member("offset").integer(in: 0...1_000_000, default: 0)
    // The protocol has no place for what went wrong; ours says it.
    let names = try failing {
      try (driver as? SQLiteDatabaseDriver).map { try $0.tables(path) }
        ?? call { driver.getTables(databasePath: path) }
    }
    let page = names.dropFirst(Int(offset)).prefix(Int(Self.pageSize))
    return ["tables": .array(page.map { .string(String($0.prefix(1000))) }), "total": .int(Int64(names.count))]
  }

  private func structure(_ arguments: ControlValue) throws -> MetadataValue {
    let driver = try driver()
    let (path, table) = (try path(arguments, driver), try table(arguments))
    let result = try call { driver.getTableStructure(databasePath: path, table: table) }
    if let error = result.error { throw CommandFailure("failed", error) }
    return [
      "columns": .array(
        result.columns.prefix(2000).map {
          [
            "name": .string($0.name), "type": .string($0.type), "isNullable": .bool($0.isNullable),
            "isPrimaryKey": .bool($0.isPrimaryKey), "defaultValue": $0.defaultValue.map { .string($0) } ?? .null,
          ]
        }),
      "sql": result.sql.map { .string(String($0.prefix(64 * 1024))) } ?? .null,
    ]
  }

  private func rows(_ arguments: ControlValue) throws -> MetadataValue {
    let driver = try driver()
    let (path, table) = (try path(arguments, driver), try table(arguments))
    let limit = try arguments.member("limit").integer(in: 1...500, default: 100)
    let offset = try arguments.member("offset").integer(in: 0...4_503_599_627_370_496, default: 0)
    let result = try call {
      driver.getTableData(databasePath: path, table: table, limit: Int(clamping: limit), offset: Int(clamping: offset))
    }
    if let error = result.error { throw CommandFailure("failed", error) }
    let told = DatabaseSecrets(columns: result.columns, rows: result.rows, types: result.types)
    return [
      "columns": Self.strings(result.columns), "rows": Self.rows(told.rows), "types": Self.letters(told.types),
      "offset": .int(offset), "totalRows": .int(Int64(result.totalRows)), "isTruncated": .bool(result.isTruncated),
    ]
  }

  private func query(_ arguments: ControlValue) throws -> MetadataValue {
    let driver = try driver()
    guard let driver = driver as? SQLiteDatabaseDriver else {
      throw CommandFailure("failed", "The app's own driver cannot tell reading from writing: use database.execute.")
    }
    let (path, sql) = (try path(arguments, driver), try sql(arguments))
    return Self.result(try failing { try driver.readSQL(path, sql) })
  }

  private func execute(_ arguments: ControlValue) throws -> MetadataValue {
    let driver = try driver()
    let (path, sql) = (try path(arguments, driver), try sql(arguments))
    let result = try call { driver.executeSQL(databasePath: path, query: sql) }
    if let error = result.error { throw CommandFailure("failed", error) }
    return Self.result(result)
  }

  // MARK: Arguments

  /// The one database that is meant.
  private func path(_ arguments: ControlValue, _ driver: any DatabaseDriver) throws -> String {
    guard let wanted = try arguments.member("database").string(maximumLength: 4096) else {
      throw ControlError("give a database: a path or a name, as the command “databases” lists them")
    }
    let databases = try call { driver.getDatabases() }
    if let found = databases.first(where: { $0.path == wanted }) { return found.path }
    let named = databases.filter { $0.name == wanted }
    guard named.count < 2 else {
      throw ControlError("there are \(named.count) databases with this name: give the path")
    }
    guard let found = named.first else {
      throw ControlError(
        "no such database; available: \(databases.prefix(20).map(\.name).joined(separator: ", "))")
    }
    return found.path
  }

  private func table(_ arguments: ControlValue) throws -> String {
    guard let table = try arguments.member("table").string(maximumLength: 4096) else {
      throw ControlError("give a table")
    }
    return table
  }

  private func sql(_ arguments: ControlValue) throws -> String {
    guard let sql = try arguments.member("sql").string(maximumLength: SQLite.maximumStatement) else {
      throw ControlError("give a statement: sql")
    }
    return sql
  }

  private func failing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw CommandFailure(error == .isWrite ? "is_write" : "failed", error.description)
    }
  }

  // MARK: Answers

  private static func strings(_ texts: [String]) -> MetadataValue { .array(texts.map { .string($0) }) }

  private static func rows(_ rows: [[String?]]) -> MetadataValue {
    .array(rows.map { row in .array(row.map { $0.map { .string($0) } ?? .null }) })
  }

  /// A text for each row with a letter for each value: `itrbn`.
  private static func letters(_ types: [[DatabaseValueType]]) -> MetadataValue {
    strings(types.map { row in String(row.compactMap(\.rawValue.first)) })
  }

  private static func result(_ result: SQLExecutionResult) -> MetadataValue {
    let told = DatabaseSecrets(columns: result.columns ?? [], rows: result.rows ?? [], types: result.types)
    return [
      "columns": result.columns.map(strings) ?? .null, "rows": result.rows == nil ? .null : rows(told.rows),
      "types": letters(told.types), "rowsAffected": .int(Int64(result.rowsAffected)),
      "isTruncated": .bool(result.isTruncated),
    ]
  }
}
