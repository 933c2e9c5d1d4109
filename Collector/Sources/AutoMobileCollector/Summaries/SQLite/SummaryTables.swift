import AutoMobileJournal
import Foundation
import GRDB

/// What devices say of sessions whose events stay with them.
enum SummaryTables {
  static let sql = """
    -- The latest summary of a session in each of its launches, which has the name that the app gave it: it may never come itself.
    CREATE TABLE session_summary(
      session INTEGER NOT NULL, launch TEXT NOT NULL,
      revision INTEGER NOT NULL, startedAt INTEGER NOT NULL, endedAt INTEGER NOT NULL, final INTEGER NOT NULL, ending TEXT,
      -- A later launch told it: that one is over.
      toldLater INTEGER NOT NULL,
      events INTEGER NOT NULL, counts TEXT NOT NULL, screens TEXT NOT NULL, visits INTEGER NOT NULL,
      -- Microseconds.
      launchTime INTEGER, launchKind TEXT NOT NULL, slow INTEGER NOT NULL, frozen INTEGER NOT NULL,
      requests TEXT NOT NULL, errors INTEGER NOT NULL, failures INTEGER NOT NULL, crashes INTEGER NOT NULL,
      -- What its launch kept then, and until when. The launch may go on with other sessions, and keep those for longer.
      kept INTEGER NOT NULL, until INTEGER,
      PRIMARY KEY (session, launch)) WITHOUT ROWID;
    CREATE INDEX session_summary_time ON session_summary(startedAt);

    -- What a launch has on its device, by its last word: a summary's, or a ledger's.
    CREATE TABLE launch_kept(
      owner INTEGER NOT NULL, launch TEXT NOT NULL,
      -- By the device's clock as far as that can be, and by ours.
      at INTEGER NOT NULL, received INTEGER NOT NULL,
      events INTEGER NOT NULL,
      -- By the last summary: when it was made, what was kept then, and the room that it took, in bytes; and when the launch began.
      toldAt INTEGER,
      toldEvents INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, until INTEGER, startedAt INTEGER,
      PRIMARY KEY (owner, launch)) WITHOUT ROWID;
    CREATE INDEX launch_kept_received ON launch_kept(received);

    -- By its last ledger; NULL where everything is sent.
    ALTER TABLE launch ADD COLUMN kept INTEGER;
    -- When its first ledger came, by our clock: of a launch that never sends an event, nothing else says when it was.
    ALTER TABLE launch ADD COLUMN heard INTEGER;
    DROP INDEX launch_last;
    CREATE INDEX launch_last ON launch(last, heard);
    -- Of the events of it that are here, or were: their JSON, and how many these are. Counted from this version on.
    ALTER TABLE launch ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE launch ADD COLUMN measured INTEGER NOT NULL DEFAULT 0;
    -- Events that came from the launch itself: a crash that a later one tells of is in no summary of it. NULL: some came before they
    -- were counted, and a summary of their session has not come yet.
    ALTER TABLE session_launch ADD COLUMN events INTEGER;
    -- By the time of the last of these.
    ALTER TABLE session_launch ADD COLUMN last INTEGER;

    -- The sums of its summaries, so that a list of sessions needs no other table.
    ALTER TABLE session ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN toldErrors INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN toldCrashes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN toldFinal INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN toldEnd TEXT;

    CREATE INDEX launch_time_session ON launch_time(session);
    """

  /// In bytes; NULL: nobody looked, or there is no limit.
  private static let memory = """
    ALTER TABLE session_summary ADD COLUMN memoryPeak INTEGER;
    ALTER TABLE session_summary ADD COLUMN memoryLeft INTEGER;
    ALTER TABLE session_summary ADD COLUMN memoryWarnings INTEGER NOT NULL DEFAULT 0;
    """

  /// Where the table was made before there was memory in summaries; one that is made now has it from the beginning.
  static func addMemory(_ database: Database) throws {
    guard try !database.columns(in: "session_summary").contains(where: { $0.name == "memoryPeak" }) else { return }
    try database.execute(sql: memory)
  }

  /// Reads the summaries that an earlier version has taken in as events of a type that it did not know.
  static func migrate(_ database: Database) throws {
    try database.execute(sql: sql)
    // What is read is written as it is now.
    try database.execute(sql: memory)
    guard
      let type = try Int64.fetchOne(
        database, sql: "SELECT id FROM event_type WHERE name = ?", arguments: [EventTypes.summary])
    else { return }
    let writer = SummaryWriter(database: database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.session, event.timestamp, event.received, event.payload, launch.given, session.owner
        FROM event JOIN launch ON launch.id = event.launch JOIN session ON session.id = event.session
        WHERE event.type = ? ORDER BY event.id
        """, arguments: [type])
    while let row = try rows.next() {
      let payload: Data = row[3]
      try payload.withUnsafeBytes { bytes in
        var scanner = JSONScanner(bytes, maximumDepth: CollectorLimits().jsonDepth)
        guard let fields = try? EventFields(&scanner), let summary = SessionSummary(bytes) else { return }
        let own: String = row[4]
        let named = fields.ofLaunch.map { LaunchID(scanner.decode($0)) }
        // What it names is no launch.
        if let named, named == nil { return }
        let other = named??.description ?? own
        _ = try writer.add(
          summary,
          .init(
            session: row[0], owner: row[5], launch: other, isToldLater: other != own,
            at: min(row[1], LogRecord.sent(nil, row[2]) - 1), received: row[2]))
        for screen in summary.screens {
          try database.execute(sql: NameLimits.insertScreen, arguments: [row[0], screen])
        }
      }
    }
    try correctSessions(type, database)
  }

  /// A summary is no event of its session, and says when that was.
  private static func correctSessions(_ type: Int64, _ database: Database) throws {
    try database.execute(
      sql: """
        UPDATE session SET events = events
            - (SELECT COUNT(*) FROM event WHERE event.session = session.id AND event.type = ?1),
          first = (SELECT MIN(time) FROM (
            SELECT MIN(timestamp) AS time FROM event WHERE event.session = session.id AND event.type <> ?1
            UNION ALL SELECT MIN(startedAt) FROM session_summary WHERE session_summary.session = session.id)),
          last = (SELECT MAX(time) FROM (
            SELECT MAX(timestamp) AS time FROM event WHERE event.session = session.id AND event.type <> ?1
            UNION ALL SELECT MAX(endedAt) FROM session_summary WHERE session_summary.session = session.id))
        WHERE id IN (SELECT session FROM session_summary);
        """, arguments: [type])
    let writer = SummaryWriter(database: database)
    for session in try Int64.fetchAll(database, sql: "SELECT DISTINCT session FROM session_summary") {
      try writer.settle(session)
    }
  }
}
