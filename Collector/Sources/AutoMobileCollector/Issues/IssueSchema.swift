import Foundation
import GRDB

/// Issues: reports of one problem, counted together.
enum IssueSchema {
  /// `issue_event` is what is true; the other tables are sums of it, kept in step in the same transaction.
  static let tables = """
    CREATE TABLE issue(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL, bundleId TEXT,
      cause TEXT NOT NULL, culprit TEXT, message TEXT, file TEXT, line INTEGER,
      events INTEGER NOT NULL DEFAULT 0,
      first INTEGER, last INTEGER,
      sample INTEGER,
      longest REAL);
    CREATE INDEX issue_last ON issue(last);

    CREATE TABLE issue_event(
      event INTEGER PRIMARY KEY, issue INTEGER NOT NULL, session INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      version TEXT, duration REAL);
    CREATE INDEX issue_event_issue ON issue_event(issue, timestamp);

    CREATE TABLE issue_session(issue INTEGER, session INTEGER, n INTEGER NOT NULL, PRIMARY KEY (issue, session))
      WITHOUT ROWID;
    CREATE TABLE issue_version(issue INTEGER, version TEXT, n INTEGER NOT NULL, PRIMARY KEY (issue, version))
      WITHOUT ROWID;
    CREATE TABLE issue_hour(issue INTEGER, hour INTEGER, n INTEGER NOT NULL, PRIMARY KEY (issue, hour)) WITHOUT ROWID;

    -- Reports that a build's symbols could say more of; an empty build: not looked at since it was indexed.
    CREATE TABLE report_image(build TEXT, event INTEGER, PRIMARY KEY (build, event)) WITHOUT ROWID;
    CREATE INDEX report_image_event ON report_image(event);
    \(states)
    \(IssueSearchText.table)
    """

  /// What people decided, by the issue's name: it holds also when the last report is gone and comes back.
  static let states = """
    CREATE TABLE IF NOT EXISTS issue_state(
      name TEXT PRIMARY KEY,
      -- resolved, ignored or open.
      status TEXT NOT NULL,
      -- Resolved in this version: reports of earlier ones were to be expected.
      version TEXT,
      changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL,
      -- When a resolved issue came back, and in which version.
      regressedAt INTEGER, regressedIn TEXT) WITHOUT ROWID;
    """

  /// How long each hang was; and what people decided about issues.
  static func addDurations(_ database: Database) throws {
    let columns = try database.columns(in: "issue_event").map(\.name)
    try database.execute(sql: states)
    guard !columns.contains("duration") else { return }
    // Milliseconds.
    try database.execute(sql: "ALTER TABLE issue_event ADD COLUMN duration REAL")
    try database.execute(
      sql: """
        UPDATE issue_event SET duration = (
          SELECT json_extract(CAST(payload AS TEXT), '$.durationMs') FROM event WHERE event.id = issue_event.event)
        WHERE issue IN (SELECT id FROM issue WHERE kind = 'hang')
        """)
  }

  /// Finds the issues of events that were indexed before there were any.
  static func addExisting(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, event.session, event.timestamp, event_type.name, event.payload, context.json, session.bundleId
        FROM event JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
          LEFT JOIN context ON context.id = event.context
        WHERE event_type.name IN ('crash', 'hang', 'handled_exception')
        """)
    let writer = IssueWriter(database)
    while let row = try rows.next() {
      let payload: Data = row[4]
      let context: Data? = row[5]
      try payload.withUnsafeBytes { payload in
        try writer.add(
          IssueWriter.Event(
            id: row[0], session: row[1], timestamp: row[2], type: row[3], context: context, bundleId: row[6]), payload)
      }
    }
  }
}
