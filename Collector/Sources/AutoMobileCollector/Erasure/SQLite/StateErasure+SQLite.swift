import GRDB

extension StateErasure {
  init(_ subject: ErasureSubject, projects: Set<String>, of found: Set<Int64>, in database: Database) throws {
    var (sessions, given): (Set<String>, Set<String>) = ([], [])
    for session in found {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT sessionId, given FROM session WHERE id = ?"), arguments: [session])
      guard let row else { continue }
      sessions.insert(row[0])
      given.insert(row[1])
    }
    self.init(subject: subject, projects: projects, sessions: sessions, names: sessions.union(given))
  }
}
