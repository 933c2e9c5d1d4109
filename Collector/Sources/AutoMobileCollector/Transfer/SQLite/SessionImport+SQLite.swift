import GRDB

extension SessionImport {
  static let table = """
    CREATE TABLE session_import(
      sessionId TEXT PRIMARY KEY, importedAt INTEGER NOT NULL, exportedAt INTEGER, collector TEXT) WITHOUT ROWID;
    """

  /// Makes the session, marked, unless the same file has been taken in before.
  ///
  /// - Returns: the name by which it is known from now on.
  func keep(as owner: DataOwner, in store: EventStore) async throws -> String {
    try await store.pool.write { database in
      guard try ErasureMarks(database).mark(.session, sessionId, of: owner) == nil else {
        throw APIError(.gone, "erased", "this session was opened from this file before, and has been erased")
      }
      let row = try OwnerTable.row(of: owner, in: database)
      if let known = try String.fetchOne(
        database, sql: "SELECT sessionId FROM session WHERE owner = ? AND given = ?", arguments: [row, sessionId])
      {
        return known
      }
      let name = try PublicName.choose(sessionId, owner, column: "sessionId", of: "session", in: database)
      try database.execute(
        sql: "INSERT INTO session(sessionId, owner, given) VALUES (?, ?, ?)", arguments: [name, row, sessionId])
      try database.execute(
        sql: "INSERT OR REPLACE INTO session_import(sessionId, importedAt, exportedAt, collector) VALUES (?, ?, ?, ?)",
        arguments: [name, importedAt, exportedAt, collector])
      return name
    }
  }

  /// What is known of a session; nil when it came from an app.
  static func of(_ session: String, in database: Database) throws -> SessionImport? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT importedAt, exportedAt, collector FROM session_import WHERE sessionId = ?"),
      arguments: [session]
    ).map { SessionImport(sessionId: session, importedAt: $0[0], exportedAt: $0[1], collector: $0[2]) }
  }
}
