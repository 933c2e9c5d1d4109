import AutoMobileState
import Foundation
import GRDB

/// The marks of erasures that a move follows: those of the directory, and those of the collectors that it moves to. What they name stays
/// behind.
struct MoveMarks: Sendable {
  let store: EventStore
  /// Of the collectors.
  let state: any StateStore

  /// As they are now. Nil: nothing is marked. Blocks: not for an event loop.
  func current() throws -> ErasedNames? {
    let shared = try state.readNow { state in
      try state.rows("SELECT hash, secret, at FROM erased_name WHERE ends > ?1", WallClock.now).map { row in
        ErasedNames.Shared(hash: try row[0], secret: try row[1], at: try row[2])
      }
    }
    return try store.pool.read { try ErasedNames($0, and: shared) }
  }

  /// Has the collectors know the directory's: phones may still hold what was erased there. A state that was moved has them already.
  func tell() throws {
    let (key, marks, others) = try store.pool.read { database in
      let own = try Row.fetchAll(database, sql: "SELECT hash, at, ends FROM erasure_mark WHERE ends > ?", arguments: [WallClock.now])
      var marks = own.map { Told(hash: $0[0], secret: nil, at: $0[1], ends: $0[2]) }
      if !marks.isEmpty { marks += try contexts(database) }
      let others = try Row.fetchAll(
        database, sql: "SELECT hash, secret, at, ends FROM erased_name WHERE ends > ?", arguments: [WallClock.now]
      ).map { Told(hash: $0[0], secret: $0[1], at: $0[2], ends: $0[3]) }
      return (marks.isEmpty ? nil : Data(try ErasureMarks.key(in: database)), marks, others)
    }
    for page in (marks + others).chunks(of: 500) {
      try state.writeNow { state in
        for mark in page {
          guard let secret = mark.secret ?? key else { continue }
          try state.execute(
            """
            INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (hash) DO NOTHING
            """, mark.hash, secret, mark.at, mark.ends)
        }
        try state.tell(.erasures)
      }
    }
  }

  /// Contexts that are emptied in the index: what names one of them is dropped there, and where contexts have no rows that stay, by its mark.
  private func contexts(_ database: Database) throws -> [Told] {
    let key = try ErasureMarks.key(in: database)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT owner.name, launch.given, contextId, erased FROM context JOIN launch ON launch.id = context.launch
          JOIN owner ON owner.id = launch.owner WHERE erased > 0 AND contextId >= 0
        """)
    return rows.map { row in
      let (owner, launch, number, at): (String, String, Int64, Int64) = (row[0], row[1], row[2], row[3])
      let name = ErasedNames.context(number, of: launch)
      return Told(
        hash: ErasureMarks.hash(.context, name, owner: owner, key), secret: nil, at: at, ends: at + ErasureMarks.lifetime)
    }
  }

  private struct Told {
    var hash: Data
    /// Nil: the directory's own.
    var secret: Data?
    var at: Int64
    var ends: Int64
  }
}

/// Which of an index's events and replays are of what was erased.
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

  mutating func isErased(_ event: MoveReader.Event, _ database: Database) throws -> Bool {
    if isErased(session: event.session, of: event.project) { return true }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT context.id, json FROM event JOIN context ON context.id = event.context WHERE event.id = ?"),
      arguments: [event.id])
    guard let row, let at = mark(ofContext: row[0], row[1], of: event.project) else { return false }
    return event.timestamp <= at
  }

  /// A replay is of somebody whose session it shows.
  mutating func isErased(replay: Int64, _ name: String, until last: Int64, of project: String, _ database: Database) throws -> Bool {
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
