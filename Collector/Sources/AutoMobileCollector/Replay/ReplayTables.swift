import GRDB

/// What is known of replays. Their pictures are in packs (``ReplayPacks``).
enum ReplayTables {
  /// The number by which segments refer to a pack.
  static func pack(_ name: BlobName, in database: Database) throws -> Int64 {
    try database.execute(
      sql: "INSERT INTO replay_pack(name, live) VALUES (?, 0) ON CONFLICT DO NOTHING", arguments: [name.file])
    return try Int64.fetchOne(database, sql: "SELECT id FROM replay_pack WHERE name = ?", arguments: [name.file]) ?? 0
  }

  /// The end as its device told it, whose clock may be ahead.
  static let toldEnd = "ALTER TABLE replay ADD COLUMN toldEnd INTEGER"

  static let sql = """
    CREATE TABLE replay(
      id INTEGER PRIMARY KEY, replayId TEXT NOT NULL UNIQUE, bundleId TEXT,
      -- Of the segments that are here; milliseconds since 1970.
      first INTEGER, last INTEGER,
      frames INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
      -- When something last came, by the collector's clock.
      received INTEGER NOT NULL,
      -- Of the end, once it was told.
      startedAt INTEGER, endedAt INTEGER, backgroundMs INTEGER, endReason TEXT, metrics TEXT);
    CREATE INDEX replay_received ON replay(received);

    -- A replay has an id of its own: these are the sessions of its telemetry.
    CREATE TABLE replay_session(replay INTEGER NOT NULL, sessionId TEXT NOT NULL, PRIMARY KEY (replay, sessionId)) WITHOUT ROWID;
    CREATE INDEX replay_session_name ON replay_session(sessionId);

    CREATE TABLE replay_segment(
      id INTEGER PRIMARY KEY, segmentId TEXT NOT NULL UNIQUE, replay INTEGER NOT NULL, kind TEXT NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, frames INTEGER NOT NULL, announced INTEGER NOT NULL,
      received INTEGER NOT NULL, complete INTEGER NOT NULL DEFAULT 0,
      -- Where its gzip body is; nil while it has not come.
      pack INTEGER, offset INTEGER, length INTEGER, checksum INTEGER);
    CREATE INDEX replay_segment_time ON replay_segment(replay, first);

    -- `live`: bytes that belong to a segment; without any the file goes.
    CREATE TABLE replay_pack(id INTEGER PRIMARY KEY, live INTEGER NOT NULL);

    CREATE TABLE replay_fault(
      incidentId TEXT PRIMARY KEY, replay INTEGER, timestamp INTEGER NOT NULL, category TEXT NOT NULL, identifier TEXT NOT NULL,
      detail TEXT NOT NULL, frames TEXT NOT NULL, context TEXT NOT NULL, received INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX replay_fault_replay ON replay_fault(replay);
    """

  /// The replays of a session: those of the same app that name it.
  static func ofSession(_ condition: String) -> String {
    """
    SELECT replay.id FROM session JOIN replay_session ON replay_session.sessionId = session.given
      JOIN replay ON replay.id = replay_session.replay AND replay.owner = session.owner WHERE \(condition)
    """
  }

  /// The same by the name by which the session is known; or, when nothing else of it has come yet, those that name it.
  static let ofSessionNamed = """
    WITH wanted(name) AS (VALUES (?))
    \(ofSession("session.sessionId = (SELECT name FROM wanted)"))
    UNION SELECT replay FROM replay_session WHERE sessionId = (SELECT name FROM wanted)
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.sessionId = (SELECT name FROM wanted))
    """

  /// Packs of which another index knows what is in them; under the empty name how far it knows replays as a whole, by their changes.
  static let told = """
    CREATE TABLE replay_told(pack TEXT PRIMARY KEY, change INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    ALTER TABLE replay ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
    UPDATE replay SET change = id;
    CREATE INDEX replay_change ON replay(change);
    """

  /// The number of a change of a replay that is made now: above all others, and above what another index knows. Unlike a time, it grows
  /// in the order in which changes are committed.
  static let nextChange = """
    (SELECT 1 + MAX(IFNULL((SELECT MAX(change) FROM replay), 0),
      IFNULL((SELECT change FROM replay_told WHERE pack = ''), 0)))
    """

  static let contentHashes = "ALTER TABLE replay_segment ADD COLUMN contentHash TEXT;"
  /// The segment that a part goes on from; nil for what plays by itself.
  static let parts = "ALTER TABLE replay_segment ADD COLUMN continues TEXT"
}
