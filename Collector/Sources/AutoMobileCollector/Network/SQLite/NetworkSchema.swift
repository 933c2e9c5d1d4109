import Foundation
import GRDB

/// Requests: of each `network_request` event the little by which requests are listed, filtered, ordered and counted.
///
/// Everything else (headers, bodies, timings) stays in the event.
enum NetworkSchema {
  static let tables = """
    CREATE TABLE network_host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- A path with names of single things replaced: /v1/orders/:id.
    CREATE TABLE network_route(
      id INTEGER PRIMARY KEY, host INTEGER NOT NULL, pattern TEXT NOT NULL, UNIQUE (host, pattern));

    CREATE TABLE network(
      event INTEGER PRIMARY KEY, session INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      method TEXT NOT NULL, host INTEGER NOT NULL, route INTEGER NOT NULL, path TEXT NOT NULL, query TEXT,
      status INTEGER,
      -- Microseconds.
      duration INTEGER,
      -- Bytes.
      sent INTEGER, received INTEGER,
      failed INTEGER NOT NULL, error TEXT, tracer TEXT, mock TEXT, operation TEXT,
      -- Its trace, itself among the spans of that, and the span inside of which it was made.
      trace BLOB, span INTEGER, parent INTEGER);
    CREATE INDEX network_time ON network(timestamp);
    CREATE INDEX network_slow ON network(duration);
    CREATE INDEX network_session ON network(session, timestamp);
    CREATE INDEX network_host_time ON network(host, timestamp);
    CREATE INDEX network_host_slow ON network(host, duration);
    CREATE INDEX network_failed ON network(timestamp) WHERE failed = 1;
    CREATE INDEX network_tracer ON network(tracer, timestamp) WHERE tracer IS NOT NULL;
    """

  /// For the requests that were stored before there were these tables.
  static func addExisting(_ database: Database, maximumDepth: Int) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, session, timestamp, payload FROM event JOIN event_type ON event_type.id = event.type
        WHERE event_type.name = 'network_request'
        """)
    let writer = NetworkWriter(database, maximumDepth: maximumDepth)
    while let row = try rows.next() {
      let payload: Data = row[3]
      try payload.withUnsafeBytes { try writer.add(event: row[0], session: row[1], timestamp: row[2], $0) }
    }
  }
}
