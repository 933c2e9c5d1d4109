import AutoMobileClickHouse

/// What ClickHouse has of some replays.
struct MovedRows: Sendable {
  let cluster: ClickHouseCluster

  private static let patience: Duration = .seconds(60)

  /// Deletes all rows of these, and waits until they are gone.
  ///
  /// - Throws: ``ClickHouseError``; ``CollectorError`` when it takes too long.
  func delete(_ replays: [ErasureNames.Name]) async throws {
    let mutations = ShardMutations(cluster)
    let deadline = ContinuousClock.now + Self.patience
    for table in [TelemetryTables.replaySegments, TelemetryTables.replays] {
      while case let found = try await hashes(replays, in: table), !found.isEmpty {
        if try await mutations.pending() == 0 {
          // No name stands in what servers keep of deletions.
          let list = SQL.joined(found.map { "\($0)" }, ", ")
          try await mutations.delete(
            from: cluster.tables.local(table), where: "toInt64(cityHash64(project, replay)) IN (\(list))")
        }
        guard ContinuousClock.now < deadline else {
          throw CollectorError.telemetryUnusable(
            reason:
              "what was moved of replays of people who were erased meanwhile is not deleted yet: call it again, and it goes on"
          )
        }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private func hashes(_ replays: [ErasureNames.Name], in table: TelemetryTable) async throws -> [Int64] {
    try await cluster.client.rows(
      """
      SELECT DISTINCT toInt64(cityHash64(project, replay)) FROM \(cluster.readable(table)) WHERE \(condition(replays))
      """
    ) { try $0.int(Int64.self) }
  }

  private func condition(_ replays: [ErasureNames.Name]) -> SQL {
    ClickHouseSubject.condition(ClickHouseSubject.range(of: replays, column: "replay"))
  }
}
