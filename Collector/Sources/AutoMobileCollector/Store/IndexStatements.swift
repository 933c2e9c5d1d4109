import AutoMobileJournal
import Foundation
import GRDB

/// The statements of an ``IndexTransaction``, prepared once for a connection.
struct IndexStatements {
  let insertEvent: BoundStatement
  let insertText: BoundStatement?
  let findLaunch: BoundStatement
  let findSession: BoundStatement
  let insertType: BoundStatement
  let findType: BoundStatement
  let insertContext: BoundStatement
  let setCurrentContext: BoundStatement
  let insertQuarantine: BoundStatement
  private let database: Database

  init(_ database: Database, hasFullText: Bool) throws {
    self.database = database
    insertEvent = try BoundStatement(
      database,
      """
      INSERT OR IGNORE INTO event(
        launch, sequence, session, type, timestamp, received, context, payload, severity, duration, origin, id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insertText =
      hasFullText ? try BoundStatement(database, "INSERT INTO event_text(rowid, text) VALUES (?, ?)") : nil
    findLaunch = try BoundStatement(database, "SELECT id FROM launch WHERE owner = ? AND given = ?")
    findSession = try BoundStatement(database, "SELECT id FROM session WHERE owner = ? AND given = ?")
    insertType = try BoundStatement(database, NameLimits.insertType)
    findType = try BoundStatement(database, "SELECT id FROM event_type WHERE name = ?")
    insertContext = try BoundStatement(
      database, "INSERT OR IGNORE INTO context(launch, contextId, session, json) VALUES (?, ?, ?, ?)")
    setCurrentContext = try BoundStatement(database, "UPDATE launch SET context = ? WHERE id = ?")
    insertQuarantine = try BoundStatement(
      database,
      """
      INSERT OR IGNORE INTO quarantine(launch, sequence, kind, received, reason, payload, length)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
  }

  // MARK: Once in a while

  func findContext(_ id: Int64, of launch: IndexCaches.Launch) throws -> IndexCaches.Context? {
    try context(
      Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT context.id, context.session, session.id, erased FROM context LEFT JOIN session ON session.id = context.session
            WHERE launch = ? AND contextId = ?
            """), arguments: [launch.row, id]), launch.owner)
  }

  func findCurrentContext(of launch: IndexCaches.Launch) throws -> IndexCaches.Context? {
    try context(
      Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT context.id, context.session, session.id, erased FROM launch JOIN context ON context.id = launch.context
              LEFT JOIN session ON session.id = context.session
            WHERE launch.id = ?
            """), arguments: [launch.row]), launch.owner)
  }

  /// A context outlives its session when that was deleted; what comes with it then begins the session anew.
  private func context(_ row: Row?, _ owner: IndexCaches.Owner) throws -> IndexCaches.Context? {
    guard let row else { return nil }
    let (id, session, existing, erased): (Int64, Int64?, Int64?, Int64) = (row[0], row[1], row[2], row[3])
    if erased > 0 { return IndexCaches.Context(row: id, session: nil, isErased: true) }
    let isGone = session != nil && existing == nil
    guard erased < 0 || isGone else { return IndexCaches.Context(row: id, session: session) }
    let record = try contextJSON(id).flatMap { $0.withUnsafeBytes { try? ContextRecord(json: $0) } }
    let mark = try erased < 0 ? record.flatMap { try ErasureMarks(database).mark(of: $0, owner.owner) } : nil
    guard isGone else { return IndexCaches.Context(row: id, session: session, mark: mark) }
    guard let name = record?.sessionId else { return IndexCaches.Context(row: id, session: nil, mark: mark) }
    if try ErasureMarks(database).mark(.session, name, of: owner.owner) != nil {
      return IndexCaches.Context(row: id, session: nil, isErased: true)
    }
    let anew = try self.row(of: name, owner, find: findSession, in: "session", column: "sessionId")
    try database.cachedStatement(sql: "UPDATE context SET session = ? WHERE id = ?").execute(arguments: [anew, id])
    return IndexCaches.Context(row: id, session: anew, mark: mark)
  }

  /// The row that has a name of an owner's, made when there is none.
  func row(
    of name: String, _ owner: IndexCaches.Owner, find: BoundStatement, in table: String, column: String
  ) throws -> Int64 {
    find.bind(1, owner.row)
    find.bind(2, name)
    if let known = try find.integer() { return known }
    let id = try PublicName.choose(name, owner.owner, column: column, of: table, in: database)
    try database.cachedStatement(sql: "INSERT INTO \(table)(\(column), owner, given) VALUES (?, ?, ?)")
      .execute(arguments: [id, owner.row, name])
    return database.lastInsertedRowID
  }

  func contextJSON(_ row: Int64) throws -> Data? {
    try Data.fetchOne(database.cachedStatement(sql: "SELECT json FROM context WHERE id = ?"), arguments: [row])
  }

  func fallbackSessionName(launch: Int64) throws -> String {
    let id = try String.fetchOne(database, sql: "SELECT launchId FROM launch WHERE id = ?", arguments: [launch])
    return "launch:\(id ?? String(launch))"
  }

  /// Takes over what a delivery's header says. A ledger is cumulative, so of two the one with more counts is later.
  func updateLaunch(_ launch: IndexCaches.Launch, _ header: BatchHeader, received: Int64) throws {
    let bundleId = launch.owner.bundle(header.bundleId)
    if bundleId != nil || header.sdkVersion != nil {
      try database.cachedStatement(
        sql: "UPDATE launch SET bundleId = COALESCE(?, bundleId), sdkVersion = COALESCE(?, sdkVersion) WHERE id = ?"
      ).execute(arguments: [bundleId, header.sdkVersion, launch.row])
    }
    guard let ledger = header.ledger else { return }
    let dropped = String(
      data: try JSONEncoder().encode(ledger.dropped.mapValues { Int64(clamping: $0) }), encoding: .utf8)
    let kept = ledger.kept.map { Int64(clamping: $0) }
    // Where no more has been recorded meanwhile, the later one keeps less. A last one may come from a launch that keeps nothing, or from
    // an SDK that says nothing there: of a launch that kept something, nothing is kept then.
    try database.cachedStatement(
      sql: """
        UPDATE launch SET recorded = ?1, dropped = ?2, torn = ?3, final = MAX(final, ?4),
          kept = IFNULL(?6, IIF(?4 AND kept IS NOT NULL, 0, NULL)), heard = IFNULL(heard, ?7)
        WHERE id = ?5 AND recorded <= ?1 AND final <= ?4
          AND (recorded < ?1 OR final < ?4 OR kept IS NULL OR ?6 IS NULL OR ?6 <= kept)
        """
    ).execute(arguments: [
      Int64(clamping: ledger.recorded), dropped ?? "{}", Int64(clamping: ledger.torn), ledger.final, launch.row, kept,
      received,
    ])
    guard database.changesCount > 0, kept != nil || ledger.final else { return }
    try SummaryWriter(database: database).noteLedger(
      of: launch.name, owner: launch.owner.row, kept: ledger.final ? nil : kept, at: header.sentAt, received: received)
  }

  func updateLaunch(_ row: Int64, _ delta: LaunchDelta) throws {
    try database.cachedStatement(
      sql: """
        UPDATE launch SET stored = stored + ?1 + ?7, expired = expired + ?7, duplicates = duplicates + ?2,
          quarantined = quarantined + ?3, bytes = bytes + ?8, measured = measured + ?1,
          first = MIN(IFNULL(first, ?4), IFNULL(?4, first)), last = MAX(IFNULL(last, ?5), IFNULL(?5, last))
        WHERE id = ?6
        """
    ).execute(arguments: [
      delta.stored, delta.duplicates, delta.quarantined, delta.first, delta.last, row, delta.dropped, delta.bytes,
    ])
  }

  func updateSession(_ row: Int64, _ delta: SessionDelta) throws {
    try database.cachedStatement(
      sql: """
        UPDATE session SET events = events + ?1, errors = errors + ?2,
          first = MIN(IFNULL(first, ?3), IFNULL(?3, first)), last = MAX(IFNULL(last, ?4), IFNULL(?4, last)),
          received = MAX(received, ?5),
          bundleId = COALESCE(?6, bundleId), appVersion = COALESCE(?7, appVersion), userId = COALESCE(?8, userId),
          tags = COALESCE(?9, tags), device = COALESCE(?10, device),
          lastScreen = CASE WHEN ?12 >= IFNULL(lastScreenAt, ?12) THEN ?11 ELSE lastScreen END,
          lastScreenAt = CASE WHEN ?12 >= IFNULL(lastScreenAt, ?12) THEN ?12 ELSE lastScreenAt END
        WHERE id = ?13
        """
    ).execute(arguments: [
      delta.events, delta.errors, delta.first, delta.last, delta.received,
      delta.bundleId, delta.context?.appVersion, delta.context?.userId,
      ContextRecord.json(delta.context?.tags), ContextRecord.json(delta.context?.device),
      delta.lastScreen?.name, delta.lastScreen?.at, row,
    ])
    for (type, count) in delta.types {
      try database.cachedStatement(
        sql: "INSERT INTO session_type VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n"
      ).execute(arguments: [row, type, count])
    }
    for (launch, own) in delta.launches {
      try database.cachedStatement(
        sql: """
          INSERT INTO session_launch(session, launch, events, last) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO UPDATE SET events = events + ?3, last = MAX(IFNULL(last, ?4), IFNULL(?4, last))
          """
      ).execute(arguments: [row, launch, own.events, own.last])
    }
    let summaries = SummaryWriter(database: database)
    if delta.isTold { try summaries.settle(row) } else { try summaries.goOn(row) }
    for screen in delta.screens {
      try database.cachedStatement(sql: NameLimits.insertScreen)
        .execute(arguments: [row, screen])
    }
  }

  func trimQuarantine(keeping count: Int) throws {
    try database.execute(
      sql: "DELETE FROM quarantine WHERE id <= (SELECT id FROM quarantine ORDER BY id DESC LIMIT 1 OFFSET ?)",
      arguments: [count])
  }

  func setPosition(_ position: LogPosition) throws {
    try database.cachedStatement(sql: "UPDATE log_position SET segment = ?, offset = ? WHERE id = 1")
      .execute(arguments: [Int64(bitPattern: position.segment), position.offset])
  }
}
