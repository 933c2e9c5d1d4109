import GRDB

extension AskedSession {
  /// Nil when there is no such session.
  init?(_ name: String, at now: Int64, in database: Database) throws {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT given, bundleId, owner.name FROM session JOIN owner ON owner.id = session.owner WHERE sessionId = ?
          """, arguments: [name])
    else { return nil }
    self.init(
      given: row[0], bundle: row[1], owner: DataOwner(name: row[2]),
      keepsNothing: try AskAudience.keepsNothing(of: name, at: now, in: database))
  }
}
