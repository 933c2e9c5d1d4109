import GRDB

extension SessionImport {
  static let table = """
    CREATE TABLE session_import(
      sessionId TEXT PRIMARY KEY, importedAt INTEGER NOT NULL, exportedAt INTEGER, collector TEXT) WITHOUT ROWID;
    """

  /// What is known of a session; nil when it came from an app.
  static func of(_ session: String, in database: Database) throws -> SessionImport? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT importedAt, exportedAt, collector FROM session_import WHERE sessionId = ?"),
      arguments: [session]
    ).map { SessionImport(sessionId: session, importedAt: $0[0], exportedAt: $0[1], collector: $0[2]) }
  }
}

/// In the index: the session is made with it.
struct SQLiteImports: SessionImports {
  let store: EventStore

  func keep(_ origin: SessionImport, as owner: DataOwner) async throws -> String {
    try await store.pool.write { database in
      guard try ErasureMarks(database).mark(.session, origin.sessionId, of: owner) == nil else {
        throw SessionImport.erased
      }
      let row = try OwnerTable.row(of: owner, in: database)
      if let known = try String.fetchOne(
        database, sql: "SELECT sessionId FROM session WHERE owner = ? AND given = ?",
        arguments: [row, origin.sessionId]
      ) {
        return known
      }
      let name = try PublicName.choose(origin.sessionId, owner, column: "sessionId", of: "session", in: database)
      try database.execute(
        sql: "INSERT INTO session(sessionId, owner, given) VALUES (?, ?, ?)", arguments: [name, row, origin.sessionId])
      try database.execute(
        sql: "INSERT OR REPLACE INTO session_import(sessionId, importedAt, exportedAt, collector) VALUES (?, ?, ?, ?)",
        arguments: [name, origin.importedAt, origin.exportedAt, origin.collector])
      return name
    }
  }

  /// There are no others.
  func known(_ replay: String, of owner: DataOwner) async throws -> ImportedReplay { ImportedReplay() }
}
