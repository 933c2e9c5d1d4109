import GRDB

extension EventStore {
  /// Reads the index for somebody who may, as far as they may. Waits for a place, ends with its deadline and with its client.
  ///
  /// - Throws: ``APIError`` 429 when too many ask for as much at once, 503 when it takes too long; what `body` throws.
  func read<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost = .light, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    if case .projects(let projects) = scope.reach {
      return try await walled.places(of: projects).take(cost, for: scope.client) {
        try await readAsAll(scope, cost, body)
      }
    }
    return try await readAsAll(scope, cost, body)
  }

  private func readAsAll<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await places.take(cost, for: scope.client) {
      let limit = ReadLimit(seconds: limits.readSeconds, client: scope.client, stop: places.stopTime)
      let watch = Task { try await limit.watch() }
      defer { watch.cancel() }
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
  /// Of the readers of the database, how many are for what. A few more are left to the collector's own work.
  var readPlaces: [ReadCost: ReadPlaces.Kind] {
    [
      .light: .init(places: lightReads, waiting: connections, patience: readWaitSeconds),
      .heavy: .init(places: heavyReads, waiting: waitingHeavyReads, patience: readWaitSeconds),
      .tail: .init(places: tailReads, waiting: subscribers, patience: nil),
    ]
  }

  /// Of these, those that readers of one project can have: others have room whatever it asks.
  var projectReadPlaces: [ReadCost: ReadPlaces.Kind] {
    readPlaces.mapValues { kind in
      .init(places: max(1, kind.places - 1), waiting: kind.waiting, patience: kind.patience)
    }
  }

  var databaseReaders: Int { lightReads + heavyReads + tailReads + 2 }
}
