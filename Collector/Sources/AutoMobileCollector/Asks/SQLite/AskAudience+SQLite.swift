import Foundation
import GRDB

extension AskAudience {
  /// What a context says of the user: a session may have had several, and knows the last of them only.
  static let user = member("userId")
  private static let device = member("anonymousId")
  static let index = "CREATE INDEX context_user ON context(\(user))"

  /// Of whatever a context holds. The index takes it only word for word.
  private static func member(_ name: String) -> String {
    "CASE WHEN json_valid(CAST(json AS TEXT)) THEN json_extract(CAST(json AS TEXT), '$.\(name)') END"
  }

  /// What somebody opened from a file no device has sent.
  private static func isSent(_ table: String) -> String {
    "NOT EXISTS (SELECT 1 FROM owner WHERE owner.id = \(table).owner AND name LIKE 'file %')"
  }

  static let ofUser = """
    SELECT DISTINCT found FROM (
      SELECT \(device) AS found FROM context INDEXED BY context_user JOIN launch ON launch.id = context.launch
        LEFT JOIN session ON session.id = context.session
      WHERE \(user) = ?1 AND context.id > ?2 AND COALESCE(session.bundleId, launch.bundleId) = ?3 AND \(isSent("launch"))
      ORDER BY context.id DESC LIMIT \(mostContexts))
    WHERE typeof(found) = 'text' LIMIT \(mostDevices)
    """
  private static let ofSession = """
    SELECT DISTINCT found FROM (
      SELECT \(device) AS found FROM context INDEXED BY context_session
      WHERE session = (SELECT id FROM session WHERE sessionId = ?1) AND id > ?2 LIMIT \(mostOfSession))
    WHERE typeof(found) = 'text'
    """

  /// The newest context there is.
  static func lastContext(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM context") ?? 0
  }

  /// The newest event there is.
  static func lastEvent(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
  }

  /// Looks at the contexts after one.
  static func look(for ask: Ask, after first: Int64, in database: Database) throws -> Look {
    var look = Look(last: try lastContext(in: database))
    // Those that are erased may leave their numbers to later ones.
    let first = first > look.last ? 0 : first
    let found: [String]
    switch ask.kind {
    // An app says these itself. Devices that had the version once may have another one now, and are too many.
    case .device, .appVersion: found = []
    case .session:
      found = try String.fetchAll(
        database.cachedStatement(sql: ofSession), arguments: [ask.session, first])
    case .user:
      found = try String.fetchAll(
        database.cachedStatement(sql: ofUser), arguments: [ask.subject, first, ask.bundle])
    }
    look.add(found)
    return look
  }

  /// The installations that a session's contexts name: one, unless somebody makes contexts up.
  private static func devices(of session: Int64, in database: Database) throws -> Set<String> {
    let contexts = try Data.fetchAll(
      database.cachedStatement(sql: "SELECT json FROM context WHERE session = ? LIMIT \(mostOfSession)"),
      arguments: [session])
    return Set(contexts.compactMap { json in json.withUnsafeBytes { (try? ContextRecord(json: $0))?.anonymousId } })
  }

  /// Whom a context names.
  static func user(of context: Int64, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT named FROM (SELECT \(user) AS named FROM context WHERE id = ?) WHERE typeof(named) = 'text'"),
      arguments: [context])
  }

  static func session(_ id: Int64, withDevices: Bool, in database: Database) throws -> ArrivedSession? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT sessionId, bundleId, userId, appVersion FROM session WHERE id = ? AND \(isSent("session"))"),
        arguments: [id])
    else { return nil }
    return ArrivedSession(
      name: row[0], bundle: row[1], user: row[2], version: row[3],
      devices: withDevices ? try devices(of: id, in: database) : [])
  }

  /// Whether a session's device has nothing that is not here: by the same words as the session's page.
  static func keepsNothing(of session: String, at now: Int64, in database: Database) throws -> Bool {
    guard
      let row = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM session WHERE sessionId = ?"), arguments: [session]),
      let told = try ToldSession.of(row, now: now, in: database)
    else { return false }
    return keepsNothing(told)
  }
}
