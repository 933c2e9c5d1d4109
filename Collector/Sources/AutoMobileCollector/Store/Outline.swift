import AutoMobileJournal
import GRDB

/// The little of every event that a timeline is drawn from, kept beside it: a session of 100 000 events is laid out without
/// reading one payload.
struct Outline {
  /// As OpenTelemetry counts, roughly: 0 verbose, 1 debug, 2 info, 3 warning, 4 error, 5 fatal.
  var severity: Int64
  /// From here on it is an error: exactly what ``EventTypes/isError(_:_:)`` says of the event.
  static let errorSeverity: Int64 = 4
  /// How long it lasted, in milliseconds.
  var duration: Int64?
  /// Tells the sources of one type apart (the tag of a log, the name of a custom event): equal for equal ones.
  var origin: Int64

  /// With all that a timeline asks for, so that it is read from the index alone. It serves in the place of the index by
  /// session and time.
  static let schema = """
    ALTER TABLE event ADD COLUMN severity INTEGER NOT NULL DEFAULT 2;
    ALTER TABLE event ADD COLUMN duration INTEGER;
    ALTER TABLE event ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
    """
  static let index = """
    DROP INDEX IF EXISTS event_session;
    CREATE INDEX event_outline ON event(session, timestamp, id, type, launch, severity, duration, origin);
    CREATE INDEX network_failed_session ON network(session) WHERE failed = 1;
    """

  init(type: String, _ fields: EventFields, _ payload: UnsafeRawBufferPointer) {
    severity = Self.severity(type, fields)
    duration = fields.duration
    let bytes = fields.origin.map { UnsafeRawBufferPointer(rebasing: payload[$0]) }
    origin = bytes.map { Int64(CRC32C.checksum(of: $0)) } ?? 0
  }

  /// The origin of the custom events of this name.
  static func origin(ofName name: String) -> Int64 {
    Array("\"\(name)\"".utf8).withUnsafeBytes { Int64(CRC32C.checksum(of: $0)) }
  }

  private static func severity(_ type: String, _ fields: EventFields) -> Int64 {
    switch type {
    case "crash": 5
    case "log": min(max(fields.logLevel ?? 2, 0), 5)
    case _ where EventTypes.isError(type, fields): errorSeverity
    case "network_request":
      // A WebSocket is meant to last.
      fields.isUnfinished || (fields.duration ?? 0) >= 2000 && fields.statusCode != 101 ? 3 : 2
    // What made it fail is told by itself, and counted there: a failure passes through all spans around it.
    case "span": fields.hasErrorStatus ? 3 : 2
    default: 2
    }
  }

  /// Requests that failed are errors, whatever an earlier version took for one: their severities, and the sums of sessions.
  static func countFailedRequests(_ database: Database) throws {
    try database.execute(
      sql: """
        UPDATE event SET severity = 4
          WHERE severity < 4 AND id IN (SELECT event FROM network INDEXED BY network_failed WHERE failed = 1);
        UPDATE event SET severity = 3
          WHERE severity = 4 AND id IN (SELECT event FROM network WHERE failed = 0 AND (status >= 400 OR error IS NOT NULL));
        UPDATE session SET errors = (
          SELECT COUNT(*) FROM event INDEXED BY event_error WHERE event.session = session.id AND severity >= 4);
        """)
  }

  /// For the events that were stored before there were these columns.
  static func addExisting(_ database: Database, maximumDepth: Int) throws {
    let update = try database.makeStatement(
      sql: "UPDATE event SET severity = ?, duration = ?, origin = ? WHERE id = ?")
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT event.id, name, payload FROM event JOIN event_type ON event_type.id = event.type ORDER BY event.id")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let type: String = row[1]
      try row.withUnsafeData(atIndex: 2) { data in
        try data?.withUnsafeBytes { payload in
          var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
          guard let fields = try? EventFields(&scanner) else { return }
          let outline = Outline(type: type, fields, payload)
          try update.execute(arguments: [outline.severity, outline.duration, outline.origin, id])
        }
      }
    }
  }
}
