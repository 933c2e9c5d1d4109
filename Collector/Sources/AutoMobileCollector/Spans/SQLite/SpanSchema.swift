import Foundation
import GRDB

/// Spans: of each the begin and the end put together, whichever came first.
///
/// Attributes and all else stay in the event: the end's, when there is one.
enum SpanSchema {
  static let tables = """
    CREATE TABLE spans(
      id INTEGER PRIMARY KEY,
      -- Whose it is: what two apps call alike are two spans.
      owner INTEGER NOT NULL, trace BLOB NOT NULL, span INTEGER NOT NULL, parent INTEGER,
      -- Where it began, as far as that is known.
      session INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      -- Microseconds; nil while nobody has told of the end.
      duration INTEGER,
      name TEXT NOT NULL, kind TEXT, status TEXT, message TEXT,
      -- The events that told of it.
      begun INTEGER, ended INTEGER);
    CREATE UNIQUE INDEX spans_name ON spans(span, owner, trace);
    CREATE INDEX spans_session ON spans(session, timestamp, id);
    CREATE INDEX spans_trace ON spans(trace, timestamp, id);
    """

  /// What says of a request which trace it belongs to: the header that it carried, or the span inside of which it was made.
  private static let requests = """
    ALTER TABLE network ADD COLUMN trace BLOB;
    ALTER TABLE network ADD COLUMN span INTEGER;
    ALTER TABLE network ADD COLUMN parent INTEGER;
    """

  static func migrate(_ database: Database, maximumDepth: Int) throws {
    try database.execute(sql: tables)
    // In a new directory, the table of requests has been made with them.
    if try !database.columns(in: "network").contains(where: { $0.name == "trace" }) {
      try database.execute(sql: requests)
      try addRequests(database, maximumDepth: maximumDepth)
    }
    try database.execute(sql: "CREATE INDEX network_trace ON network(trace, timestamp, event) WHERE trace IS NOT NULL")
    try addExisting(database, maximumDepth: maximumDepth)
  }

  private static func addRequests(_ database: Database, maximumDepth: Int) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT network.event, payload FROM network JOIN event ON event.id = network.event
        WHERE INSTR(payload, CAST('"traceparent"' AS BLOB)) > 0
        """)
    while let row = try rows.next() {
      let payload: Data = row[1]
      let fields = payload.withUnsafeBytes { try? NetworkFields($0, maximumDepth: maximumDepth) }
      guard let place = fields?.place else { continue }
      try database.cachedStatement(sql: "UPDATE network SET trace = ?, span = ?, parent = ? WHERE event = ?")
        .execute(arguments: [place.trace.data, place.span, place.parent, row[0] as Int64])
    }
  }

  /// What a newer SDK than the collector was has told of.
  private static func addExisting(_ database: Database, maximumDepth: Int) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, event.session, event.timestamp, payload, session.owner
        FROM event JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
        WHERE event_type.name = 'span'
        """)
    let writer = SpanWriter(database, maximumDepth: maximumDepth)
    while let row = try rows.next() {
      let payload: Data = row[3]
      try payload.withUnsafeBytes {
        try writer.add(event: row[0], session: row[1], owner: row[4], timestamp: row[2], $0)
      }
    }
  }
}
