import GRDB

/// What the index knows of a session that somebody asks for.
struct AskedSession: Sendable {
  /// As its app calls it.
  var given: String
  var bundle: String?
  var owner: DataOwner
  var keepsNothing: Bool

  /// Nil when there is no such session.
  init?(_ name: String, at now: Int64, in database: Database) throws {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT given, bundleId, owner.name FROM session JOIN owner ON owner.id = session.owner WHERE sessionId = ?
          """, arguments: [name])
    else { return nil }
    (given, bundle, owner) = (row[0], row[1], DataOwner(name: row[2]))
    keepsNothing = try AskAudience.keepsNothing(of: name, at: now, in: database)
  }
}
