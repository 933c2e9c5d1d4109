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
      version TEXT);
    CREATE INDEX issue_event_issue ON issue_event(issue, timestamp);

    CREATE TABLE issue_session(issue INTEGER, session INTEGER, n INTEGER NOT NULL, PRIMARY KEY (issue, session))
      WITHOUT ROWID;
    CREATE TABLE issue_version(issue INTEGER, version TEXT, n INTEGER NOT NULL, PRIMARY KEY (issue, version))
      WITHOUT ROWID;
    CREATE TABLE issue_hour(issue INTEGER, hour INTEGER, n INTEGER NOT NULL, PRIMARY KEY (issue, hour)) WITHOUT ROWID;

    -- Reports that a build's symbols could say more of; an empty build: not looked at since it was indexed.
    CREATE TABLE report_image(build TEXT, event INTEGER, PRIMARY KEY (build, event)) WITHOUT ROWID;
    CREATE INDEX report_image_event ON report_image(event);
    """

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
