import Foundation
import GRDB

/// What *App health* counts: one row for each launch time and each measured screen, beside the event that told it.
///
/// Rows, not sums: they go with their events, and a percentile needs each of them anyway. Hangs are counted from issues,
/// ends from ``LaunchEnds``, losses from the launches' ledgers.
enum HealthSchema {
  static let tables = """
    -- An app in one version; "" where the app did not say.
    CREATE TABLE build(
      id INTEGER PRIMARY KEY, bundleId TEXT NOT NULL, version TEXT NOT NULL, UNIQUE (bundleId, version));

    CREATE TABLE launch_time(
      event INTEGER PRIMARY KEY, session INTEGER NOT NULL, build INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      kind TEXT NOT NULL,
      -- Microseconds.
      total INTEGER NOT NULL, preMain INTEGER);
    CREATE INDEX launch_time_time ON launch_time(timestamp);

    CREATE TABLE screen_frames(
      event INTEGER PRIMARY KEY, session INTEGER NOT NULL, build INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      screen TEXT NOT NULL,
      -- Milliseconds, frames, and microseconds.
      duration INTEGER NOT NULL, frames INTEGER NOT NULL, slow INTEGER NOT NULL, frozen INTEGER NOT NULL,
      worst INTEGER NOT NULL,
      -- A second in which frames came late, of a visit whose sums have not come.
      second INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX screen_frames_time ON screen_frames(timestamp);

    CREATE INDEX launch_last ON launch(last);
    CREATE INDEX issue_event_time ON issue_event(timestamp);
    CREATE INDEX issue_event_session ON issue_event(session);
    """

  /// All that *App health* sums up of frames, in the order of time: read from one end to the other, it is several times
  /// quicker than a look into the table for each row.
  static let framesInOrder = """
    DROP INDEX screen_frames_time;
    CREATE INDEX screen_frames_time ON screen_frames(
      timestamp, build, screen, frames, slow, frozen, duration, worst, session);
    """

  /// Of visits whose sums never came, since the process ended first, the seconds in which frames came late are counted.
  static func addUnfinishedVisits(_ database: Database) throws {
    if try !database.columns(in: "screen_frames").contains(where: { $0.name == "second" }) {
      try database.execute(sql: "ALTER TABLE screen_frames ADD COLUMN second INTEGER NOT NULL DEFAULT 0")
    }
    try database.execute(
      sql: """
        DROP INDEX screen_frames_time;
        CREATE INDEX screen_frames_time ON screen_frames(
          timestamp, build, screen, frames, slow, frozen, duration, worst, session, second);
        CREATE INDEX screen_frames_session ON screen_frames(session, screen, second, timestamp);
        DELETE FROM screen_frames;
        """)
    try addExisting(database)
  }

  /// Taps that show that something is wrong: several quick ones in one place, and such as nothing answered.
  static let taps = """
    CREATE TABLE tap_trouble(
      event INTEGER PRIMARY KEY, session INTEGER NOT NULL, build INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      -- rage_tap or dead_tap.
      kind TEXT NOT NULL, screen TEXT NOT NULL, element TEXT NOT NULL);
    CREATE INDEX tap_trouble_time ON tap_trouble(timestamp);
    """

  static func addExistingTaps(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, event.session, event.timestamp, event.payload, context.json, session.bundleId
        FROM event JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
          LEFT JOIN context ON context.id = event.context
        WHERE event_type.name = 'interaction'
          AND json_extract(CAST(payload AS TEXT), '$.interactionType') IN ('rage_tap', 'dead_tap')
        """)
    let writer = HealthWriter(database)
    while let row = try rows.next() {
      let payload: Data = row[3]
      try payload.withUnsafeBytes {
        try writer.addTap(
          HealthWriter.Event(id: row[0], session: row[1], timestamp: row[2], context: row[4], bundleId: row[5]), $0)
      }
    }
  }

  /// Measures the events that were stored before there were these tables.
  static func addExisting(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, event.session, event.timestamp, event.payload, context.json, session.bundleId
        FROM event JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
          LEFT JOIN context ON context.id = event.context
        WHERE event_type.name = 'custom' ORDER BY event.id
        """)
    let writer = HealthWriter(database)
    while let row = try rows.next() {
      let payload: Data = row[3]
      try payload.withUnsafeBytes {
        try writer.add(
          HealthWriter.Event(id: row[0], session: row[1], timestamp: row[2], context: row[4], bundleId: row[5]), $0)
      }
    }
  }
}
