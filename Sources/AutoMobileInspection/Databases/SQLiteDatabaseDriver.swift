import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Looks into SQLite databases, by the system's own SQLite.
///
/// Whether a statement reads or writes is decided by SQLite, not by its words: what reads runs on a connection that cannot
/// write; what writes runs in debug builds of the SDK only, one statement at a time, on a connection of its own. `ATTACH`,
/// `DETACH`, `VACUUM INTO`, transactions, loading code and pragmas that reach beyond the database are never executed.
/// Results have at most 500 rows and 512 KiB, a statement may take 8 s, and locks of others are waited for 5 s.
///
/// Methods block while they read: call them off the main thread. Several threads may call at once; each database answers one
/// after the other. An app that links an SQLite of its own (SQLCipher, for example) should not have the system's SQLite open
/// the same files: two copies do not see each other's locks.
public final class SQLiteDatabaseDriver: DatabaseDriver, @unchecked Sendable {
  // Unchecked only to be as it is documented: all that changes is behind locks.

  private let discovery: DatabaseDiscovery
  private let connections: SQLiteConnections
  let limits: DatabaseResultLimits
  private let allowsWrites: Bool
  private let statementMilliseconds: Int
  private let clock: @Sendable () -> Int64
  /// Held while a statement writes.
  private let writing = NSLock()
  private let writer = Locked<SQLiteConnection?>(nil)

  /// Looks for databases in Documents, Library and Application Support.
  public convenience init() { self.init(searchPaths: DatabaseDiscovery.standardPaths) }

  /// - Parameter searchPaths: directories below which databases are looked for, the container of an app group for example.
  public convenience init(searchPaths: [String]) {
    self.init(discovery: DatabaseDiscovery(searchPaths: searchPaths))
  }

  init(
    discovery: DatabaseDiscovery, limits: DatabaseResultLimits = .standard,
    allowsWrites: Bool = DefaultEndpoint.isDebugBuild, statementMilliseconds: Int = SQLite.statementMilliseconds,
    clock: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds
  ) {
    self.discovery = discovery
    self.limits = limits
    self.allowsWrites = allowsWrites
    self.statementMilliseconds = statementMilliseconds
    self.clock = clock
    connections = SQLiteConnections(clock: clock)
  }

  public func getDatabases() -> [DatabaseDescriptor] { discovery.databases() }

  public func getTables(databasePath: String) -> [String] { (try? tables(databasePath)) ?? [] }

  public func getTableData(databasePath: String, table: String, limit: Int, offset: Int) -> TableDataResult {
    do {
      return try read(databasePath) { connection throws(DatabaseError) in
        try self.rows(connection, table, limit: limit, offset: offset)
      }
    } catch {
      return TableDataResult(columns: [], rows: [], totalRows: 0, error: error.description)
    }
  }

  public func getTableStructure(databasePath: String, table: String) -> TableStructureResult {
    do {
      return try read(databasePath) { connection throws(DatabaseError) in try Self.structure(connection, table) }
    } catch {
      return TableStructureResult(columns: [], error: error.description)
    }
  }

  /// Executes one statement. In a release build of the SDK it must be one that only reads.
  public func executeSQL(databasePath: String, query: String) -> SQLExecutionResult {
    do {
      return try execute(databasePath, query)
    } catch {
      return SQLExecutionResult(columns: nil, rows: nil, rowsAffected: 0, error: error.description)
    }
  }

  /// Closes all databases, and ends what is being read or written; waits for that. They are opened again when somebody asks.
  public func closeAll() { close(suspending: false) }

  // MARK: For the inspector

  /// Nothing is opened any more, until ``resume()``. When this returns, all files are closed.
  func suspend() { close(suspending: true) }

  func resume() { connections.resume() }

  var openCount: Int { connections.count }

  func tables(_ path: String) throws(DatabaseError) -> [String] {
    try read(path) { connection throws(DatabaseError) in
      let statement = try connection.prepare(
        own: """
          SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          ORDER BY name LIMIT 5000
          """)
      var names: [String] = []
      while try statement.step() { if let name = statement.text(0) { names.append(name) } }
      return names
    }
  }

  /// Executes a statement that only reads.
  ///
  /// - Throws: ``DatabaseError/isWrite`` when it would change something.
  func readSQL(_ path: String, _ query: String) throws(DatabaseError) -> SQLExecutionResult {
    try read(path) { connection throws(DatabaseError) in
      let (statement, isWrite) = try connection.prepare(foreign: query, isWriting: false)
      if isWrite { throw .isWrite }
      var rows = DatabaseRows(columns: statement.columns, limits: self.limits)
      while try statement.step(), rows.append(statement.values(limit: self.limits.value)) {}
      return SQLExecutionResult(columns: statement, rows, affected: 0)
    }
  }

  // MARK: Within

  private func execute(_ path: String, _ query: String) throws(DatabaseError) -> SQLExecutionResult {
    do {
      return try readSQL(path, query)
    } catch {
      guard error == .isWrite else { throw error }
      guard allowsWrites else {
        throw DatabaseError(
          .refused, "Not allowed: the statement changes the database, which only debug builds of the SDK do.")
      }
      return try writeSQL(path, query)
    }
  }

  private func close(suspending: Bool) {
    let writer = writer.withLock { $0 }
    writer?.interrupt()
    connections.closeAll(suspending: suspending)
    writer?.close()
  }

  private func read<Result>(
    _ path: String, _ body: (SQLiteConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let connection = try connections.connection(to: try DatabaseFile(path))
    do {
      return try connection.use(within: statementMilliseconds, body)
    } catch {
      // Another one may fare better: the file may have been replaced, or be whole again.
      if error.kind == .notADatabase || error.kind == .damaged || error.kind == .notReadable {
        connections.remove(connection)
      }
      throw error
    }
  }

  private func writeSQL(_ path: String, _ query: String) throws(DatabaseError) -> SQLExecutionResult {
    writing.lock()
    defer { writing.unlock() }
    let file = try DatabaseFile(path)
    if connections.isSuspended { throw .suspended }
    let connection = try SQLiteConnection(path: file.path, isWritable: true, clock: clock)
    writer.withLock { $0 = connection }
    defer { writer.withLock { $0 = nil } }
    return try connection.use(within: statementMilliseconds) { connection throws(DatabaseError) in
      let (statement, _) = try connection.prepare(foreign: query, isWriting: true)
      var rows = DatabaseRows(columns: statement.columns, limits: self.limits)
      // To its end, or what it does would be undone; what does not fit is not kept.
      while try statement.step() { _ = rows.append(statement.values(limit: self.limits.value)) }
      return SQLExecutionResult(columns: statement, rows, affected: connection.changes)
    }
  }
}

extension SQLExecutionResult {
  fileprivate init(columns statement: SQLiteStatement, _ rows: DatabaseRows, affected: Int) {
    let hasRows = statement.columnCount > 0
    self.init(
      columns: hasRows ? statement.columns : nil, rows: hasRows ? rows.rows : nil, rowsAffected: affected,
      types: rows.types, isTruncated: rows.isTruncated)
  }
}
