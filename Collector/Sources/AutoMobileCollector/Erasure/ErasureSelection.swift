import Foundation
import GRDB

/// Finds what belongs to a subject, and marks it: afterwards nothing new of it comes in.
struct ErasureSelection {
  let database: Database
  let subject: ErasureSubject
  private let projects: Set<String>
  /// The rows of the owners that it is limited to; nil: all.
  private let owners: Set<Int64>?

  /// - Parameter projects: the apps that are projects.
  init(_ subject: ErasureSubject, projects: Set<String>, in database: Database) throws {
    (self.subject, self.projects, self.database) = (subject, projects, database)
    owners = try subject.project.map { try Self.owners(of: $0, projects, in: database) }
  }

  /// What came from an extension before there was the project stands under the extension's own name.
  private static func owners(_ project: DataOwner, _ name: String, _ projects: Set<String>) -> Bool {
    let owner = DataOwner(name: name)
    return !owner.isFile && DataOwner.app(owner.bundleId, among: projects) == project
  }

  private static func owners(of project: String, _ projects: Set<String>, in database: Database) throws -> Set<Int64> {
    Set(
      try Row.fetchAll(database, sql: "SELECT id, name FROM owner").filter {
        owners(.app(project), $0[1], projects.union([project]))
      }.map { $0[0] as Int64 })
  }

  private func admits(_ owner: Int64) -> Bool { owners?.contains(owner) ?? true }

  // MARK: Finding

  /// A context that names the subject.
  private struct Named {
    var context: Int64
    var owner: Int64
    var session: Int64?
    var record: ContextRecord?
    var fallback: String
  }

  /// The sessions, by number.
  func sessions() throws -> Set<Int64> {
    var found = Set(try own())
    for named in try contexts() {
      if let session = named.session { found.insert(session) }
      found.formUnion(try fallback(named))
    }
    return found
  }

  /// By what the session itself says.
  private func own() throws -> [Int64] {
    let sql: String
    switch subject.kind {
    case .session: sql = "SELECT id, owner FROM session WHERE sessionId = ?"
    case .user: sql = "SELECT id, owner FROM session WHERE userId = ?"
    case .device: return []
    }
    return try Row.fetchAll(database, sql: sql, arguments: [subject.id]).filter { admits($0[1]) }.map { $0[0] }
  }

  /// A session has the user that was named last; another one may have been signed in before.
  private func contexts() throws -> [Named] {
    let member: String
    switch subject.kind {
    case .session: return []
    case .user: member = "$.userId"
    case .device: member = "$.anonymousId"
    }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT context.id, launch.owner, context.session, json, launch.launchId FROM context JOIN launch ON launch.id = launch
        WHERE json_valid(CAST(json AS TEXT)) AND json_extract(CAST(json AS TEXT), '\(member)') = ?
        """, arguments: [subject.id]
    ).filter { admits($0[1]) }.map { row in
      let json: Data = row[3]
      return Named(
        context: row[0], owner: row[1], session: row[2],
        record: json.withUnsafeBytes { try? ContextRecord(json: $0) }, fallback: "launch:\(row[4] as String)")
    }
  }

  /// What a context without a session says is true of the launch's own session.
  private func fallback(_ named: Named) throws -> [Int64] {
    guard named.record?.sessionId == nil else { return [] }
    return try Int64.fetchAll(
      database, sql: "SELECT id FROM session WHERE owner = ? AND given = ?", arguments: [named.owner, named.fallback])
  }

  // MARK: Marking

  /// Marks the subject and all that was found, and empties the contexts of sessions that are gone already.
  ///
  /// - Returns: the sessions that are to be erased.
  func mark(_ mark: ErasureMarks.Mark) throws -> Set<Int64> {
    let found = try sessions()
    let project = subject.project.map { DataOwner.app($0) }
    switch subject.kind {
    case .user: try ErasureMarks.insert(.user, subject.id, of: project, mark, in: database)
    case .device: try ErasureMarks.insert(.device, subject.id, of: project, mark, in: database)
    case .session where found.isEmpty: try ErasureMarks.insert(.session, subject.id, of: project, mark, in: database)
    case .session: break
    }
    for named in try contexts() {
      let owner = try owner(named.owner)
      try ErasureMarks.insert(.session, named.record?.sessionId ?? named.fallback, of: owner, mark, in: database)
      if let session = named.session, found.contains(session), try exists(session) { continue }
      try SessionScrub.empty("id = ?", [named.context], at: mark.at, in: database)
    }
    try markSessions(found, mark)
    for session in found {
      try database.execute(
        sql: "INSERT OR IGNORE INTO erasure_session(erasure, session) VALUES (?, ?)",
        arguments: [mark.erasure, session])
    }
    try removeFaults()
    return found
  }

  private func markSessions(_ sessions: Set<Int64>, _ mark: ErasureMarks.Mark) throws {
    for session in sessions {
      for row in try Row.fetchAll(
        database, sql: "SELECT owner, given FROM session WHERE id = ?", arguments: [session])
      {
        try ErasureMarks.insert(.session, row[1], of: owner(row[0]), mark, in: database)
      }
      // What names nothing that is known could be its own, when its launch has no session of that kind.
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT launch.owner, launch.launchId FROM session_launch JOIN launch ON launch.id = launch WHERE session = ?
            AND NOT EXISTS (SELECT 1 FROM session WHERE session.owner = launch.owner AND given = 'launch:' || launch.launchId)
          """, arguments: [session])
      {
        try ErasureMarks.insert(.session, "launch:\(row[1] as String)", of: owner(row[0]), mark, in: database)
      }
    }
  }

  /// Faults that were told without a replay, and name the subject: nothing else leads to them.
  func removeFaults() throws {
    let text = JSONTree.string(subject.id).text
    for row in try Row.fetchAll(
      database,
      sql: "SELECT owner, incidentId FROM replay_fault WHERE replay IS NULL AND instr(context, ?) > 0",
      arguments: [text])
    where admits(row[0]) {
      try database.execute(
        sql: "DELETE FROM replay_fault WHERE owner = ? AND incidentId = ?",
        arguments: [row[0] as Int64, row[1] as String])
    }
  }

  private func owner(_ row: Int64) throws -> DataOwner {
    DataOwner(
      name: try String.fetchOne(
        database.cachedStatement(sql: "SELECT name FROM owner WHERE id = ?"), arguments: [row])
        ?? DataOwner.app(nil).name)
  }

  private func exists(_ session: Int64) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE id = ?)", arguments: [session])
      ?? false
  }

  // MARK: Counting

  /// What an erasure would remove, by table.
  func counts(of sessions: Set<Int64>) throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for session in sessions { counts.merge(try SessionScrub.counts(session, in: database), uniquingKeysWith: +) }
    return counts
  }
}
