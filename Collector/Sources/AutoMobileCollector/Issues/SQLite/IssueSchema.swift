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
      -- What the developer wrote, without what varies: how the issue is called.
      template TEXT,
      events INTEGER NOT NULL DEFAULT 0,
      first INTEGER, last INTEGER,
      sample INTEGER,
      longest REAL);
    CREATE INDEX issue_last ON issue(last);

    CREATE TABLE issue_event(
      event INTEGER PRIMARY KEY, issue INTEGER NOT NULL, session INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      version TEXT, duration REAL,
      -- The issue that it would be in when nobody had merged any, and the screen that was shown.
      fingerprint TEXT, screen TEXT);
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
    \(notes)
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

  /// What people wrote down about issues, what they put together, and who changed what. By name, as ``states``.
  static let notes = """
    CREATE TABLE IF NOT EXISTS issue_note(name TEXT PRIMARY KEY, assignee TEXT, link TEXT) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS issue_change(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL, author TEXT NOT NULL,
      -- status, regressed, assignee, link, comment, merged, split or undone.
      what TEXT NOT NULL,
      -- In words that depend on what it was; and the state that it replaced, as JSON.
      value TEXT, before TEXT);
    CREATE INDEX IF NOT EXISTS issue_change_name ON issue_change(name, id);
    -- Reports of this fingerprint are counted in the other issue.
    CREATE TABLE IF NOT EXISTS issue_merge(
      name TEXT PRIMARY KEY, target TEXT NOT NULL,
      -- How it was called: it is again when it is taken apart.
      cause TEXT NOT NULL, culprit TEXT, message TEXT, file TEXT, line INTEGER, template TEXT) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS issue_merge_target ON issue_merge(target);
    """

  /// Issues by what happened: the messages of reports that are here, their screens and fingerprints. Failures are looked at
  /// again by the ``IssueRefiner``, and move to the issues of their messages; what people decided goes with them.
  static func addMessages(_ database: Database) throws {
    try database.execute(sql: notes)
    let known = Set(try database.columns(in: "issue_event").map(\.name))
    if !known.contains("fingerprint") {
      try database.execute(
        sql: """
          ALTER TABLE issue ADD COLUMN template TEXT;
          ALTER TABLE issue_event ADD COLUMN fingerprint TEXT;
          ALTER TABLE issue_event ADD COLUMN screen TEXT;
          UPDATE issue_event SET
            fingerprint = (SELECT name FROM issue WHERE issue.id = issue_event.issue),
            screen = (SELECT SUBSTR(json_extract(CAST(payload AS TEXT), '$.currentScreen'), 1, 200) FROM event
              WHERE event.id = issue_event.event);
          """)
    }
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO report_image
        SELECT '', event FROM issue_event JOIN issue ON issue.id = issue_event.issue WHERE kind <> 'hang'
        """)
    let states = try Row.fetchAll(database, sql: "SELECT name, changedBy FROM issue_state")
    for state in states {
      try database.execute(
        sql: "UPDATE issue_state SET changedBy = ? WHERE name = ?",
        arguments: [Author.named(before: state[1]), state[0] as String])
    }
  }

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
