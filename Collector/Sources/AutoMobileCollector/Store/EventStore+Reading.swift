import GRDB

extension EventStore {
  /// Reads the index for somebody who may, as far as they may. Waits for a place, ends with its deadline and with its client.
  ///
  /// - Throws: ``APIError`` 429 when too many ask for as much at once, 503 when it takes too long; what `body` throws.
  func read<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost = .light, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await gate.run(scope, cost) { limit in
      switch scope.reach {
      case .everything:
        return try await pool.read { database in
          try limit.run(in: database) { try body(database) }
        }
      case .projects(let projects):
        return try await walled.readers().read { database in
          try limit.run(in: database) {
            try ProjectWall.open(projects, in: database)
            return try body(database)
          }
        }
      }
    }
  }
}

extension CollectorLimits {
  var databaseReaders: Int { lightReads + heavyReads + tailReads + 2 }
}
