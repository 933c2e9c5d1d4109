import GRDB

/// The rows of what is asked for.
enum AskTables {
  static let sql = """
    CREATE TABLE ask(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bundleId TEXT NOT NULL,
      -- See Ask.Kind; the subject as apps say it, and a session's id in this index.
      kind TEXT NOT NULL, subject TEXT NOT NULL, session TEXT,
      fromTime INTEGER, toTime INTEGER,
      reason TEXT NOT NULL, askedBy TEXT NOT NULL, askedAt INTEGER NOT NULL, endsAt INTEGER NOT NULL,
      state TEXT NOT NULL, gone TEXT, changedAt INTEGER NOT NULL, changedBy TEXT,
      toldAt INTEGER, cameAt INTEGER, events INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL);
    CREATE INDEX ask_open ON ask(bundleId) WHERE state <> 'gone';
    CREATE INDEX ask_subject ON ask(kind, subject);
    """

  static func one(_ id: Int64, in database: Database) throws -> Ask? {
    try Row.fetchOne(database, sql: "SELECT \(Ask.columns) FROM ask WHERE id = ?", arguments: [id]).flatMap(Ask.init)
  }

  /// All that stand.
  static func open(in database: Database) throws -> [Ask] {
    try Row.fetchAll(database, sql: "SELECT \(Ask.columns) FROM ask WHERE state <> 'gone' ORDER BY id").compactMap(
      Ask.init)
  }

  /// What is asked of the list.
  struct Filter: Sendable {
    var bundle: String?
    /// Only those about this one.
    var kind: Ask.Kind?
    var subject: String?
    var isOpen = false
    /// Only those with a lower number.
    var before: Int64?
    var limit = 50
  }

  /// The newest first.
  static func page(_ filter: Filter, in database: Database) throws -> [Ask] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT \(Ask.columns) FROM ask WHERE (?1 IS NULL OR bundleId = ?1) AND (?2 IS NULL OR kind = ?2)
          AND (?3 IS NULL OR IFNULL(session, subject) = ?3) AND (NOT ?4 OR state <> 'gone') AND (?5 IS NULL OR id < ?5)
        ORDER BY id DESC LIMIT ?6
        """,
      arguments: [filter.bundle, filter.kind?.rawValue, filter.subject, filter.isOpen, filter.before, filter.limit]
    ).compactMap(Ask.init)
  }

  static func insert(_ ask: Ask, in database: Database) throws -> Ask {
    try database.execute(
      sql: """
        INSERT INTO ask(bundleId, kind, subject, session, fromTime, toTime, reason, askedBy, askedAt, endsAt, state, changedAt, seen)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        ask.bundle, ask.kind.rawValue, ask.subject, ask.session, ask.from, ask.to, ask.reason, ask.askedBy, ask.askedAt,
        ask.endsAt, ask.state.rawValue, ask.changedAt, ask.seen,
      ])
    var ask = ask
    ask.id = database.lastInsertedRowID
    return ask
  }

  /// Writes how an ask stands.
  ///
  /// - Returns: false when it has gone meanwhile: what is gone stays so.
  @discardableResult
  static func update(_ ask: Ask, in database: Database) throws -> Bool {
    try database.execute(
      sql: """
        UPDATE ask SET state = ?2, gone = ?3, changedAt = ?4, changedBy = ?5, toldAt = ?6, cameAt = ?7, events = ?8, seen = ?9
        WHERE id = ?1 AND state <> 'gone'
        """,
      arguments: [
        ask.id, ask.state.rawValue, ask.end?.rawValue, ask.changedAt, ask.changedBy, ask.toldAt, ask.cameAt, ask.events,
        ask.seen,
      ])
    return database.changesCount > 0
  }

  /// Takes away what has been gone for long, and the oldest beyond what is kept of each owner.
  static func purge(before time: Int64, beyond rows: Int64, _ projects: Set<String>, in database: Database) throws {
    try database.execute(sql: "DELETE FROM ask WHERE state = 'gone' AND changedAt < ?", arguments: [time])
    guard try Int64.fetchOne(database, sql: "SELECT COUNT(*) FROM ask") ?? 0 > rows else { return }
    let counts = try Row.fetchAll(
      database, sql: "SELECT bundleId, COUNT(*) FROM ask WHERE state = 'gone' GROUP BY bundleId")
    for (_, apps) in Dictionary(grouping: counts, by: { DataOwner.app($0[0] as String, among: projects) })
    where apps.reduce(0 as Int64, { $0 + ($1[1] as Int64) }) > rows {
      let names = JSONTree.array(apps.map { .string($0[0]) }).text
      try database.execute(
        sql: """
          DELETE FROM ask WHERE state = 'gone' AND bundleId IN (SELECT value FROM json_each(?1)) AND id <= (
            SELECT id FROM ask WHERE state = 'gone' AND bundleId IN (SELECT value FROM json_each(?1))
            ORDER BY id DESC LIMIT 1 OFFSET ?2)
          """, arguments: [names, rows])
    }
  }

  // MARK: Erasures

  /// Asks for somebody who is erased go, whatever became of them: their names and reasons are about the one.
  ///
  /// - Returns: how many.
  static func erase(_ kind: Ask.Kind, _ subject: String, where admits: (String) -> Bool, in database: Database) throws
    -> Int64
  {
    let found = try Row.fetchAll(
      database, sql: "SELECT id, bundleId FROM ask WHERE kind = ? AND subject = ?",
      arguments: [kind.rawValue, subject]
    ).filter { admits($0[1]) }
    for row in found { try database.execute(sql: "DELETE FROM ask WHERE id = ?", arguments: [row[0] as Int64]) }
    return Int64(found.count)
  }
}
