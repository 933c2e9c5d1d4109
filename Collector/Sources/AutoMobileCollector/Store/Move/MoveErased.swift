import Foundation
import GRDB

/// Which of an index's replays, and of its records that could not be read, are of what was erased.
struct MoveErased {
  let erased: ErasedNames
  private var sessions: [SessionKey: Bool] = [:]
  /// When whoever a context names was erased, by its row.
  private var contexts: [Int64: Int64?] = [:]

  private struct SessionKey: Hashable {
    var project: String
    var session: String
  }

  init(_ erased: ErasedNames) { self.erased = erased }

  mutating func isErased(session: String, of project: String) -> Bool {
    let key = SessionKey(project: project, session: session)
    if let known = sessions[key] { return known }
    let isErased = erased.isErased(session: session, of: DataOwner(name: project))
    sessions[key] = isErased
    return isErased
  }

  /// When the erasure of whoever a context names was asked for; nil: it was not.
  mutating func mark(ofContext row: Int64, _ json: Data, of project: String) -> Int64? {
    if let known = contexts[row] { return known }
    let record = json.withUnsafeBytes { try? ContextRecord(json: $0) }
    let mark = record.flatMap { erased.mark(of: $0, DataOwner(name: project)) }
    contexts[row] = .some(mark)
    return mark
  }

  /// A replay is of somebody whose session it shows.
  mutating func isErased(replay: Int64, _ name: String, until last: Int64, of project: String, _ database: Database)
    throws -> Bool
  {
    if erased.mark(.replay, name, of: DataOwner(name: project)) != nil { return true }
    let named = try String.fetchAll(
      database.cachedStatement(sql: "SELECT sessionId FROM replay_session WHERE replay = ?"), arguments: [replay])
    for session in named {
      if isErased(session: session, of: project) { return true }
      let contexts = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT context.id, json FROM context JOIN session ON session.id = context.session
              JOIN owner ON owner.id = session.owner WHERE session.given = ? AND owner.name = ?
            """), arguments: [session, project])
      for row in contexts {
        if let at = mark(ofContext: row[0], row[1], of: project), last <= at { return true }
      }
    }
    return false
  }

  /// Nobody can tell whose a record is that could not be read: it goes with its launch's sessions.
  mutating func isErased(launch: Int64, of project: String, _ database: Database) throws -> Bool {
    let named = try String.fetchAll(
      database.cachedStatement(
        sql: "SELECT given FROM session_launch JOIN session ON session.id = session WHERE launch = ?"),
      arguments: [launch])
    if named.contains(where: { isErased(session: $0, of: project) }) { return true }
    let contexts = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT id, json FROM context WHERE launch = ?"), arguments: [launch])
    return contexts.contains { mark(ofContext: $0[0], $0[1], of: project) != nil }
  }
}
