import AutoMobileClickHouse

/// Telemetry in ClickHouse: the names of what is to be erased are written down in the collector's own file, and deleted there shard by
/// shard when the log is behind (``ClickHouseDeletion``).
///
/// All collectors of a state follow the marks. What one of them brings before it has heard of them is found every ten minutes, as long as
/// they hold (``ClickHouseLate``).
final class ClickHouseErasing: TelemetryErasing {
  /// What must not come back, for whoever makes rows of the log.
  let marks: ErasedNamesCache
  private let telemetry: ClickHouseTelemetry
  private let lists: ErasureLists
  private let deletion: ClickHouseDeletion
  private let late: ClickHouseLate

  init(_ cluster: ClickHouseCluster, telemetry: ClickHouseTelemetry, lists: ErasureLists) {
    self.telemetry = telemetry
    marks = lists.marks
    self.lists = lists
    deletion = ClickHouseDeletion(cluster, telemetry: telemetry, lists: lists)
    late = ClickHouseLate(telemetry: telemetry, lists: lists)
  }

  func preview(
    _ subject: ErasureSubject, projects: Set<String>
  ) async throws -> (sessions: Int, counts: [String: Int64]) {
    let sessions = try await telemetry.readOwn { reading in
      let found = try await ClickHouseSubject(subject: subject, projects: projects, reading: reading).sessions()
      return try await ClickHouseSubject.whole(found, reading).sessions
    }
    return (sessions.count, try await deletion.counts(ErasedRows(sessions: Array(sessions))))
  }

  func find(_ subject: ErasureSubject, projects: Set<String>) async throws -> any ErasureFinding {
    let (sessions, around) = try await telemetry.readOwn { reading in
      let found = try await ClickHouseSubject(subject: subject, projects: projects, reading: reading).sessions()
      return try await ClickHouseSubject.whole(found, reading)
    }
    return ClickHouseFinding(subject: subject, projects: projects, sessions: sessions, around: around)
  }

  func marksChanged() { marks.changed() }

  func erase(_ erasure: Erasure, pause: (Double) -> Bool) throws -> String? {
    // Else others would put in what is being deleted.
    guard try lists.areTold() else { return "the database that collectors share has not been told of it yet" }
    // A look reads a week: one before ClickHouse deletes, however often that is tried, and one behind it.
    for _ in 0..<2 {
      if try !lists.isLookedFor(erasure.id) {
        // Also what came between the look and the marks, from this collector's log or from another's.
        try late.note(in: erasure.id, since: ClickHouseLate.Since(erasure.requestedAt))
        guard try lists.noteLooked(erasure.id) else { return nil }
      }
      // With the list it goes that somebody has looked.
      if let problem = try deletion.run(erasure.id, pause: pause) { return problem }
    }
    return nil
  }

  func remains(_ erasure: Erasure) -> [ErasureReceipt.Remains] {
    [
      ErasureReceipt.Remains(
        what: "collectors",
        why:
          "other collectors take nothing of it in once they have heard of it, within seconds of when they reach the database, and take replays out of their packs by themselves; what they bring before is deleted when somebody looks, every ten minutes",
        until: erasure.marksEnd),
      ErasureReceipt.Remains(
        what: "queries",
        why: "a log of queries of ClickHouse's own, where it is switched on, may have names until it ends"),
    ]
  }

  func lookAgain(at now: Int64, pause: (Double) -> Bool) throws {
    try late.note(at: now)
    // What is not done now is at the next look.
    _ = try deletion.run(ErasureNames.late, pause: pause)
  }

  /// Deletes all that is there of who is marked, whenever it came: for what comes with the times of another store.
  ///
  /// - Returns: why that is not done; nil: it is.
  func lookAtAll(pause: (Double) -> Bool) throws -> String? {
    try late.note(in: ErasureNames.late, since: .ever)
    return try deletion.run(ErasureNames.late, pause: pause)
  }
}
