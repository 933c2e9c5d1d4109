import GRDB

extension SQLiteSessions {
  func came(fromApps bundles: [String]) async throws -> [String: AppSessions] {
    try await store.pool.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT COUNT(*), MAX(received) FROM session WHERE bundleId = ?")
      var found: [String: AppSessions] = [:]
      for bundle in bundles {
        guard let row = try Row.fetchOne(statement, arguments: [bundle]), row[0] > 0 else { continue }
        found[bundle] = AppSessions(count: row[0], received: row[1])
      }
      return found
    }
  }
}
