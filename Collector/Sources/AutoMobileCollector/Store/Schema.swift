import Foundation
import GRDB

/// The index: what the ingest log's deliveries become.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: launches, sessions, events") { database in
      try database.execute(sql: tables)
    }
    migrator.registerMigration("2: issues") { database in
      try database.execute(sql: IssueSchema.tables)
      try IssueSchema.addExisting(database)
    }
    migrator.registerMigration("3: configuration documents") { database in
      try database.execute(sql: ConfigurationTables.sql)
    }
    migrator.registerMigration("4: ends of launches") { database in
      try database.execute(sql: LaunchEnds.table)
      try LaunchEnds.addExisting(database)
    }
    migrator.registerMigration("5: requests") { database in
      try database.execute(sql: NetworkSchema.tables)
      try NetworkSchema.addExisting(database, maximumDepth: CollectorLimits().jsonDepth)
    }
    migrator.registerMigration("6: outlines of events") { database in
      try database.execute(sql: Outline.schema)
      try Outline.addExisting(database, maximumDepth: CollectorLimits().jsonDepth)
      try database.execute(sql: Outline.index)
    }
    migrator.registerMigration("7: health, states of issues") { database in
      try LaunchEnds.addDetails(database)
      try database.execute(sql: HealthSchema.tables)
      try IssueSchema.addDurations(database)
      try HealthSchema.addExisting(database)
    }
    migrator.registerMigration("8: retention and projects") { database in
      try database.execute(sql: RetentionSchema.tables)
      try database.execute(sql: ProjectTables.sql)
    }
    migrator.registerMigration("9: replays") { database in
      try database.execute(sql: ReplayTables.sql)
    }
    migrator.registerMigration("10: saved searches, frames in the order of time") { database in
      try database.execute(sql: SavedSearches.table)
      try database.execute(sql: HealthSchema.framesInOrder)
    }
    migrator.registerMigration("11: hashes of what replays hold") { database in
      try database.execute(sql: ReplayTables.contentHashes)
    }
    migrator.registerMigration("12: parts of segments") { database in
      try database.execute(sql: ReplayTables.parts)
    }
    migrator.registerMigration("13: sessions out of files") { database in
      try database.execute(sql: SessionImport.table)
    }
    migrator.registerMigration("14: contexts by session") { database in
      try database.execute(sql: "CREATE INDEX context_session ON context(session)")
    }
    migrator.registerMigration("15: names by app") { database in
      try OwnerSchema.migrate(database)
    }
    migrator.registerMigration("16: errors in order of time") { database in
      try database.execute(sql: SessionFailure.index)
    }
    migrator.registerMigration("17: what issues are found by") { database in
      try database.execute(sql: IssueSearchText.table + IssueSearchText.addExisting)
    }
    migrator.registerMigration("18: issues by what happened, people, taps") { database in
      try IssueSchema.addMessages(database)
      try database.execute(sql: "CREATE INDEX session_user ON session(userId, last)")
      try HealthSchema.addUnfinishedVisits(database)
      try database.execute(sql: HealthSchema.taps)
      try HealthSchema.addExistingTaps(database)
      try database.execute(sql: "ALTER TABLE project ADD COLUMN tracker TEXT")
    }
    migrator.registerMigration("19: failed requests are errors") { database in
      try Outline.countFailedRequests(database)
    }
    migrator.registerMigration("20: spans") { database in
      try SpanSchema.migrate(database, maximumDepth: CollectorLimits().jsonDepth)
    }
    migrator.registerMigration("21: alerts") { database in
      try database.execute(sql: AlertTables.sql)
    }
    migrator.registerMigration("22: forwarders") { database in
      try database.execute(sql: ForwarderTables.sql)
    }
    migrator.registerMigration("23: people") { database in
      try database.execute(sql: SignInTables.sql)
    }
    migrator.registerMigration("25: blobs by name") { database in
      try database.execute(sql: BlobTables.sql)
    }
    migrator.registerMigration("26: erasures") { database in
      try database.execute(sql: ErasureTables.sql)
    }
    migrator.registerMigration("27: redaction") { database in
      try database.execute(sql: RedactionStore.sql)
    }
    migrator.registerMigration("28: summaries of sessions, and what is kept on devices") { database in
      try SummaryTables.migrate(database)
    }
    migrator.registerMigration("29: asks for what devices keep") { database in
      try database.execute(sql: AskTables.sql)
    }
    migrator.registerMigration("30: contexts by user") { database in
      try database.execute(sql: AskAudience.index)
    }
    migrator.registerMigration("31: memory in summaries") { database in
      try SummaryTables.addMemory(database)
    }
    migrator.registerMigration("32: what became of asks") { database in
      try database.execute(sql: AskChanges.sql)
    }
    migrator.registerMigration("33: ends of replays as they were told") { database in
      try database.execute(sql: ReplayTables.toldEnd)
    }
    migrator.registerMigration("34: the state elsewhere") { database in
      try database.execute(sql: StateMark.table + IssueNotice.table)
    }
    migrator.registerMigration("35: the order of arrival") { database in
      try database.execute(sql: ArrivalTables.sql)
    }
    migrator.registerMigration("36: what collectors of one state tell apart") { database in
      try database.execute(
        sql: ForwarderTables.wish + AlertCursors.table + AuditTables.batches + ErasureTables.late + BlobTables.directory
      )
    }
    migrator.registerMigration("37: names of what is erased and told elsewhere") { database in
      try database.execute(
        sql: ErasureNames.table + ErasureTables.shared + ClusterLook.table + ReplayTables.told
      )
    }
    migrator.registerMigration("38: commands between collectors") { database in
      try database.execute(sql: CommandTables.sql)
    }
    migrator.registerMigration("39: retention of a project") { database in
      try database.execute(sql: RetentionSchema.ofProjects)
    }
    return migrator
  }

  /// Sets up full text search when it is wanted, and takes it away when not, so that it never holds half of the events.
  ///
  /// Switching it on later indexes what is there.
  static func setFullText(_ isWanted: Bool, maximumDepth: Int, in database: Database) throws {
    let exists = try database.tableExists("event_text")
    guard exists != isWanted else { return }
    if !isWanted { return try database.execute(sql: "DROP TABLE event_text") }
    // Contentless: the text is in the payload already. Without positions (detail none): a third of the size, and
    // the searches here ask for words, not for phrases.
    try database.execute(
      sql: """
        CREATE VIRTUAL TABLE event_text USING fts5(
          text, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
        """)
    let insert = try database.makeStatement(sql: "INSERT INTO event_text(rowid, text) VALUES (?, ?)")
    let breadcrumb = try Int64.fetchOne(
      database, sql: "SELECT id FROM event_type WHERE name = ?", arguments: [EventTypes.breadcrumb])
    let rows = try Row.fetchCursor(database, sql: "SELECT id, payload, type FROM event")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let payload: Data = row[1]
      let type: Int64 = row[2]
      let text = payload.withUnsafeBytes {
        SearchText.words(of: $0, isBreadcrumb: type == breadcrumb, maximumDepth: maximumDepth)
      }
      try insert.execute(arguments: [id, text])
    }
  }

  private static let tables = """
    CREATE TABLE log_position(
      id INTEGER PRIMARY KEY CHECK (id = 1), segment INTEGER NOT NULL, offset INTEGER NOT NULL);
    INSERT INTO log_position VALUES (1, 0, 0);

    CREATE TABLE event_type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

    CREATE TABLE launch(
      id INTEGER PRIMARY KEY,
      launchId TEXT NOT NULL UNIQUE,
      bundleId TEXT, sdkVersion TEXT,
      first INTEGER, last INTEGER,
      recorded INTEGER NOT NULL DEFAULT 0,
      dropped TEXT NOT NULL DEFAULT '{}',
      torn INTEGER NOT NULL DEFAULT 0,
      final INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0,
      duplicates INTEGER NOT NULL DEFAULT 0,
      quarantined INTEGER NOT NULL DEFAULT 0,
      context INTEGER);

    CREATE TABLE session(
      id INTEGER PRIMARY KEY,
      sessionId TEXT NOT NULL UNIQUE,
      bundleId TEXT, appVersion TEXT, userId TEXT, tags TEXT, device TEXT,
      first INTEGER, last INTEGER,
      received INTEGER NOT NULL DEFAULT 0,
      events INTEGER NOT NULL DEFAULT 0,
      errors INTEGER NOT NULL DEFAULT 0,
      lastScreen TEXT, lastScreenAt INTEGER);
    CREATE INDEX session_last ON session(last);
    CREATE TABLE session_launch(session INTEGER, launch INTEGER, PRIMARY KEY (session, launch)) WITHOUT ROWID;
    CREATE INDEX session_launch_launch ON session_launch(launch);
    CREATE TABLE session_type(
      session INTEGER, type INTEGER, n INTEGER NOT NULL, PRIMARY KEY (session, type)) WITHOUT ROWID;
    CREATE TABLE session_screen(session INTEGER, screen TEXT, PRIMARY KEY (session, screen)) WITHOUT ROWID;

    CREATE TABLE context(
      id INTEGER PRIMARY KEY, launch INTEGER NOT NULL, contextId INTEGER NOT NULL, session INTEGER, json BLOB NOT NULL,
      UNIQUE (launch, contextId));

    -- Ids grow in the order of arrival; the live tail and the search page by them.
    CREATE TABLE event(
      id INTEGER PRIMARY KEY,
      launch INTEGER NOT NULL, sequence INTEGER NOT NULL,
      session INTEGER NOT NULL, type INTEGER NOT NULL,
      timestamp INTEGER NOT NULL, received INTEGER NOT NULL,
      context INTEGER, payload BLOB NOT NULL);
    CREATE UNIQUE INDEX event_name ON event(launch, sequence);
    CREATE INDEX event_session ON event(session, timestamp);
    CREATE INDEX event_type_id ON event(type);

    CREATE TABLE quarantine(
      id INTEGER PRIMARY KEY,
      launch INTEGER NOT NULL, sequence INTEGER NOT NULL, kind INTEGER NOT NULL,
      received INTEGER NOT NULL, reason TEXT NOT NULL, payload BLOB NOT NULL, length INTEGER NOT NULL,
      UNIQUE (launch, sequence));
    """
}

/// The words by which an event is found.
enum SearchText {
  /// All string values of a JSON text, an event's identifiers left out: exactly what the indexer put into the index, since
  /// it is by its words that an entry is taken out again.
  static func words(of json: UnsafeRawBufferPointer, isBreadcrumb: Bool, maximumDepth: Int) -> String {
    var scanner = JSONScanner(json, maximumDepth: maximumDepth)
    scanner.collected = []
    if isBreadcrumb {
      _ = try? scanner.document { try $0.skip() }
    } else {
      _ = try? EventFields(&scanner)
    }
    return String(decoding: scanner.collected ?? [], as: UTF8.self)
  }
}
