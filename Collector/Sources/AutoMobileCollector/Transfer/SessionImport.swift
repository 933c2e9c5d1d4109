import GRDB

/// That a session was opened from a file, and what the file says of itself.
struct SessionImport: Sendable, Equatable {
  static let table = """
    CREATE TABLE session_import(
      sessionId TEXT PRIMARY KEY, importedAt INTEGER NOT NULL, exportedAt INTEGER, collector TEXT) WITHOUT ROWID;
    """
  /// Of a collector's version, in characters.
  private static let longestVersion = 40

  var sessionId: String
  /// By this collector's clock; milliseconds since 1970.
  var importedAt: Int64
  /// By the clock of the collector that wrote the file.
  var exportedAt: Int64?
  /// Its version.
  var collector: String?

  /// - Parameter head: the file's first line.
  /// - Throws: ``APIError`` when it is no session file of a version that is known.
  init(_ head: JSONTree, at now: Int64) throws {
    guard head["file"]?.string == "session", let session = head["sessionId"]?.string,
      (1...EventFields.maximumName).contains(session.utf8.count), !session.hasControlCharacters
    else {
      throw SessionFile.invalid(1, "does not say that this is a session file")
    }
    guard head["version"]?.integer == SessionFile.version else {
      throw SessionFile.invalid(1, "says another version than \(SessionFile.version): take a newer collector")
    }
    sessionId = session
    importedAt = now
    exportedAt = head["exportedAt"]?.integer.flatMap { (0...ReplayTimes.most).contains($0) ? $0 : nil }
    collector = head["collector"]?.string.map { String($0.prefix(Self.longestVersion)) }
  }

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

  private init(sessionId: String, importedAt: Int64, exportedAt: Int64?, collector: String?) {
    self.sessionId = sessionId
    self.importedAt = importedAt
    self.exportedAt = exportedAt
    self.collector = collector
  }

  /// The member, inside an object that the caller has begun.
  func write(to json: inout JSONOutput) {
    json.object("imported") {
      $0.member("at", importedAt)
      $0.member("exportedAt", exportedAt)
      $0.member("collector", collector)
    }
  }
}
