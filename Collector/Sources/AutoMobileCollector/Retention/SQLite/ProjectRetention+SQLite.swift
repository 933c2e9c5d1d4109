import GRDB

extension ProjectRetention {
  /// Whose data goes, and what of it: what came last before a time in milliseconds since 1970.
  struct Expiring: Sendable {
    var owner: Int64
    var before: Int64
  }

  func expiring(at now: Int64, in database: Database) throws -> [Expiring] {
    try days.sorted { $0.key < $1.key }.flatMap { project, days in
      try ProjectWall.owners(of: project, among: apps, in: database).map {
        Expiring(owner: $0, before: now - Int64(days) * 86_400_000)
      }
    }
  }

  /// The session of an owner that is quiet for longest.
  static let next = """
    SELECT id FROM session WHERE owner = ? AND received > 0 AND received < ? ORDER BY received, id LIMIT 1
    """

  /// The session of one of the projects that goes next; nil when all may stay.
  func session(at now: Int64, in database: Database) throws -> Int64? {
    for part in try expiring(at: now, in: database) {
      let session = try Int64.fetchOne(
        database.cachedStatement(sql: Self.next), arguments: [part.owner, part.before])
      if let session { return session }
    }
    return nil
  }
}
