/// Where everything is passed on to, and how far that has come.
enum ForwarderTables {
  static let sql = """
    CREATE TABLE forwarder(
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
      -- JSON; with what is secret in it.
      settings TEXT NOT NULL, changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL);

    -- Logs and traces go to two addresses, and are acknowledged each for itself.
    CREATE TABLE forwarder_lane(
      forwarder INTEGER NOT NULL, signal TEXT NOT NULL,
      -- The event up to which everything is settled: acknowledged, refused for good, or not wanted. Ids grow in the order of arrival.
      cursor INTEGER NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0,
      -- Deleted by the retention policy before it was sent; left out because too much waited.
      expired INTEGER NOT NULL DEFAULT 0, passedOver INTEGER NOT NULL DEFAULT 0,
      lastSent INTEGER,
      -- What the receiver said of the records that it did not take, last.
      refusal TEXT, refusedAt INTEGER,
      PRIMARY KEY (forwarder, signal)) WITHOUT ROWID;
    """

  /// A lane of an index that has nothing yet begins at 0 as well: the wish is told apart from that, since each collector whose events
  /// are its own begins its lanes itself.
  static let wish = """
    ALTER TABLE forwarder ADD COLUMN fromBeginning INTEGER NOT NULL DEFAULT 0;

    """
}
