import GRDB

/// Telemetry in the index's own file: it is found in the transaction that marks it, and goes session by session (``SessionScrub``).
struct SQLiteErasing: TelemetryErasing {
  let store: EventStore

  func preview(
    _ subject: ErasureSubject, projects: Set<String>
  ) async throws -> (sessions: Int, counts: [String: Int64]) {
    try await store.pool.read { database in
      let selection = try ErasureSelection(subject, projects: projects, in: database)
      let found = try selection.sessions()
      return (found.count, try selection.counts(of: found))
    }
  }

  func find(_ subject: ErasureSubject, projects: Set<String>) async throws -> any ErasureFinding {
    Finding(subject: subject, projects: projects)
  }

  // The indexer asks the table.
  func marksChanged() {}
  func erase(_ erasure: Erasure, pause: (Double) -> Bool) throws -> String? { nil }
  func remains(_ erasure: Erasure) -> [ErasureReceipt.Remains] { [] }
  func lookAgain(at now: Int64, pause: (Double) -> Bool) throws {}

  private struct Finding: ErasureFinding {
    let subject: ErasureSubject
    let projects: Set<String>

    func state(in database: Database) throws -> StateErasure {
      let selection = try ErasureSelection(subject, projects: projects, in: database)
      return try StateErasure(subject, projects: projects, of: try selection.sessions(), in: database)
    }

    func mark(_ mark: ErasureMarks.Mark, in database: Database) throws -> (sessions: Int, state: StateErasure) {
      let found = try ErasureSelection(subject, projects: projects, in: database).mark(mark)
      return (found.count, try StateErasure(subject, projects: projects, of: found, in: database))
    }
  }
}
