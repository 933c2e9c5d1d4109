/// What the collector remembers of what it has deleted, and how long it keeps the rest.
enum RetentionSchema {
  static let tables = """
    CREATE TABLE setting(
      name TEXT PRIMARY KEY, value TEXT NOT NULL, changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL) WITHOUT ROWID;

    -- Positions of deleted events, some of one launch in a row: a sender that repeats them is told that they were here.
    -- See ExpiredPositions.
    CREATE TABLE expired(
      launch INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL,
      positions BLOB NOT NULL, PRIMARY KEY (launch, first)) WITHOUT ROWID;
    -- The same for positions that are made of contents (SyntheticNames): these follow no order.
    CREATE TABLE expired_name(
      launch INTEGER NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (launch, sequence))
      WITHOUT ROWID;

    -- Ids of events grow for ever, also when the newest are deleted: cursors and the live tail rely on it.
    CREATE TABLE event_floor(id INTEGER PRIMARY KEY CHECK (id = 1), floor INTEGER NOT NULL);
    INSERT INTO event_floor VALUES (1, 0);

    ALTER TABLE launch ADD COLUMN expired INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX session_received ON session(received);
    """

  /// How many days a project's sessions are kept, where it says so; and what of it is oldest.
  static let ofProjects = """
    ALTER TABLE project ADD COLUMN days INTEGER;
    CREATE INDEX session_owner_received ON session(owner, received);
    """
}
