import GRDB

/// Erases from where telemetry lies. What is said of a subject to the state, the receipt and the marks are the same wherever that is.
protocol TelemetryErasing: Sendable {
  /// What would go: sessions, and rows by table.
  func preview(_ subject: ErasureSubject, projects: Set<String>) async throws -> (
    sessions: Int, counts: [String: Int64]
  )

  /// Looks for the subject, before the erasure is written down.
  func find(_ subject: ErasureSubject, projects: Set<String>) async throws -> any ErasureFinding

  /// Called when marks were committed.
  func marksChanged()

  /// Erases what lies outside of the index, once all that was acknowledged before is there: may be called again at any time, in any
  /// process, and goes on then. Runs on the thread of erasures.
  ///
  /// - Parameter pause: sleeps for so many seconds; false when it is time to end.
  /// - Returns: why it has to wait; nil when nothing is left.
  func erase(_ erasure: Erasure, pause: (Double) -> Bool) throws -> String?

  /// What remains there when it is done, for the receipt.
  func remains(_ erasure: Erasure) -> [ErasureReceipt.Remains]

  /// Looks for what came after an erasure from somewhere that does not know its marks. Runs on the thread of erasures, every ten minutes.
  func lookAgain(at now: Int64, pause: (Double) -> Bool) throws
}

/// What was found of a subject.
protocol ErasureFinding: Sendable {
  /// What the state has to be asked for.
  func state(in database: Database) throws -> StateErasure

  /// Marks the subject and all that was found, and notes what is to be erased, in the transaction that writes the erasure down.
  ///
  /// - Returns: the number of sessions, and what the state has to be asked for.
  func mark(_ mark: ErasureMarks.Mark, in database: Database) throws -> (sessions: Int, state: StateErasure)
}
