import GRDB

/// Names that are their owner's: what was one row for the whole collector is one row for each app.
enum OwnerSchema {
  /// Two apps may give the same name; outside, each row keeps one that is its own (``PublicName``).
  private static let columns = """
    CREATE TABLE owner(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- `given`: as the app calls it.
    ALTER TABLE session ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN given TEXT NOT NULL DEFAULT '';
    ALTER TABLE launch ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE launch ADD COLUMN given TEXT NOT NULL DEFAULT '';
    ALTER TABLE replay ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE replay ADD COLUMN given TEXT NOT NULL DEFAULT '';
    UPDATE session SET given = sessionId;
    UPDATE launch SET given = launchId;
    UPDATE replay SET given = replayId;
    """

  private static let indexes = """
    CREATE UNIQUE INDEX session_given ON session(owner, given);
    CREATE UNIQUE INDEX launch_given ON launch(owner, given);
    CREATE UNIQUE INDEX replay_given ON replay(owner, given);
    """

  /// Tables whose keys have to change are made anew.
  private static let rebuilt = """
    ALTER TABLE launch_end RENAME TO launch_end_before;
    CREATE TABLE launch_end(
      -- Named, because the launch itself may arrive later, or never.
      owner INTEGER NOT NULL, name TEXT NOT NULL, verdict TEXT NOT NULL, evidence TEXT NOT NULL, lastSeen INTEGER,
      appVersion TEXT, memory INTEGER, memoryLimit INTEGER, PRIMARY KEY (owner, name)) WITHOUT ROWID;
    -- What was told of a launch that never came says not whose it is, and nobody ever sees it.
    INSERT INTO launch_end SELECT owner, name, verdict, evidence, lastSeen, appVersion, memory, memoryLimit
      FROM launch_end_before JOIN launch ON launch.launchId = name;
    DROP TABLE launch_end_before;

    ALTER TABLE replay_segment RENAME TO replay_segment_before;
    DROP INDEX replay_segment_time;
    CREATE TABLE replay_segment(
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, segmentId TEXT NOT NULL, replay INTEGER NOT NULL, kind TEXT NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, frames INTEGER NOT NULL, announced INTEGER NOT NULL,
      received INTEGER NOT NULL, complete INTEGER NOT NULL DEFAULT 0,
      -- Where its gzip body is; nil while it has not come.
      pack INTEGER, offset INTEGER, length INTEGER, checksum INTEGER,
      contentHash TEXT,
      -- The segment that a part goes on from; nil for what plays by itself.
      continues TEXT,
      UNIQUE (owner, segmentId));
    INSERT INTO replay_segment SELECT replay_segment_before.id, owner, segmentId, replay, kind,
        replay_segment_before.first, replay_segment_before.last, replay_segment_before.frames, announced,
        replay_segment_before.received, complete, pack, offset, length, checksum, contentHash, continues
      FROM replay_segment_before JOIN replay ON replay.id = replay;
    DROP TABLE replay_segment_before;
    CREATE INDEX replay_segment_time ON replay_segment(replay, first);

    ALTER TABLE replay_fault RENAME TO replay_fault_before;
    DROP INDEX replay_fault_replay;
    CREATE TABLE replay_fault(
      owner INTEGER NOT NULL, incidentId TEXT NOT NULL, replay INTEGER, timestamp INTEGER NOT NULL, category TEXT NOT NULL,
      identifier TEXT NOT NULL, detail TEXT NOT NULL, frames TEXT NOT NULL, context TEXT NOT NULL,
      received INTEGER NOT NULL, PRIMARY KEY (owner, incidentId)) WITHOUT ROWID;
    INSERT INTO replay_fault SELECT IFNULL(replay.owner, 0), incidentId, replay_fault_before.replay, timestamp, category,
        identifier, detail, replay_fault_before.frames, context, replay_fault_before.received
      FROM replay_fault_before LEFT JOIN replay ON replay.id = replay_fault_before.replay;
    DROP TABLE replay_fault_before;
    CREATE INDEX replay_fault_replay ON replay_fault(replay);
    """

  /// Gives everything that is there to its app: to its project, or to the bundle id that it came with.
  static func migrate(_ database: Database) throws {
    try database.execute(sql: columns)
    let projects = Set(try String.fetchAll(database, sql: "SELECT bundleId FROM project"))
    for table in ["session", "launch", "replay"] {
      for bundle in try String?.fetchAll(database, sql: "SELECT DISTINCT bundleId FROM \(table)") {
        let owner = try OwnerTable.row(of: .app(bundle, among: projects), in: database)
        try database.execute(sql: "UPDATE \(table) SET owner = ? WHERE bundleId IS ?", arguments: [owner, bundle])
      }
    }
    try database.execute(sql: indexes + rebuilt)
  }
}
