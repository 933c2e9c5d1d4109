import Foundation
import GRDB

/// Puts spans into the index, and takes them out, inside a transaction of the caller's.
struct SpanWriter {
  private let database: Database
  private let maximumDepth: Int

  init(_ database: Database, maximumDepth: Int) {
    self.database = database
    self.maximumDepth = maximumDepth
  }

  /// The end completes the begin, and the begin the end; a second one of either changes nothing. What the end says counts.
  private static let upsert = """
    INSERT INTO spans(owner, trace, span, parent, session, timestamp, duration, name, kind, status, message, begun, ended)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, IIF(?7 IS NULL, ?12, NULL), IIF(?7 IS NULL, NULL, ?12))
    ON CONFLICT(span, owner, trace) DO UPDATE SET
      session = IIF(begun IS NULL AND excluded.begun IS NOT NULL, excluded.session, session),
      begun = IFNULL(begun, excluded.begun),
      parent = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.parent, parent),
      timestamp = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.timestamp, timestamp),
      duration = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.duration, duration),
      name = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.name, name),
      kind = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.kind, kind),
      status = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.status, status),
      message = IIF(ended IS NULL AND excluded.ended IS NOT NULL, excluded.message, message),
      ended = IFNULL(ended, excluded.ended)
    """

  /// Adds a `span` event that was just stored.
  func add(event: Int64, session: Int64, owner: Int64, timestamp: Int64, _ payload: UnsafeRawBufferPointer) throws {
    // It was checked before it was stored.
    guard let fields = try? SpanFields(payload, maximumDepth: maximumDepth), let (trace, span) = fields.identity else {
      return
    }
    try database.cachedStatement(sql: Self.upsert).execute(arguments: [
      owner, trace.data, span, fields.parent, session, timestamp, fields.duration, fields.name, fields.kind,
      fields.status, fields.message, event,
    ])
  }

  /// An event is about to go: of a span that it ended the begin is left, and of one that nobody tells of any more nothing.
  func remove(event: Int64, session: Int64, _ payload: UnsafeRawBufferPointer) throws {
    guard let fields = try? SpanFields(payload, maximumDepth: maximumDepth), let (trace, span) = fields.identity else {
      return
    }
    let found =
      "WHERE span = ?1 AND trace = ?2 AND owner = (SELECT owner FROM session WHERE session.id = ?3)"
    let arguments: StatementArguments = [span, trace.data, session, event]
    try database.cachedStatement(
      sql: """
        UPDATE spans SET begun = NULLIF(begun, ?4), duration = IIF(ended = ?4, NULL, duration),
          status = IIF(ended = ?4, NULL, status), message = IIF(ended = ?4, NULL, message), ended = NULLIF(ended, ?4)
        \(found)
        """
    ).execute(arguments: arguments)
    try database.cachedStatement(
      sql: "DELETE FROM spans \(found) AND begun IS NULL AND ended IS NULL AND ?4 IS NOT NULL"
    ).execute(arguments: arguments)
  }

  /// A session is gone: what ended in another one is that one's.
  static func leave(session: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE spans SET session = (SELECT event.session FROM event WHERE event.id = IFNULL(ended, begun))
          WHERE session = ?1 AND EXISTS (SELECT 1 FROM event WHERE event.id = IFNULL(ended, begun));
        """, arguments: [session])
    try database.execute(sql: "DELETE FROM spans WHERE session = ?", arguments: [session])
  }
}
