/// What people have set and decided, and what the collectors must agree on. A laptop has it in the index's file, a company in a
/// database that its collectors share.
///
/// The text of the statements is the same for all stores, see ``StateSQL``; the schema is each store's own.
package protocol StateStore: Sendable {
  /// Where it is, for people; without anything secret.
  var place: String { get }

  /// Runs `body` on a connection, never on one of Swift's concurrency threads. All that it reads is of one moment.
  ///
  /// - Throws: what `body` throws; ``StateError``, or what the engine says.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateReading) throws -> Result
  ) async throws -> Result

  /// The same, and keeps what it writes: whole, or not at all when it throws. What it reads is what is there when it is kept.
  /// After a statement that failed nothing else is done, and nothing is kept, also when `body` makes nothing of the error.
  ///
  /// `body` may be run again when somebody else wrote meanwhile, so it does nothing but that: what is to happen once stands behind
  /// the call, or is a ``StateWriting/tell(_:_:)``.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result

  /// ``read(_:)`` for threads of the collector's own, and before it runs: waits on the thread that it is called on.
  func readNow<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result

  /// ``write(_:)`` for threads of the collector's own, and before it runs: waits on the thread that it is called on.
  func writeNow<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result

  /// What is told from now on, by whoever has this store open, oneself included. Ends when the store is closed, or its reader goes.
  ///
  /// ``StateNews/everything`` when some may have been missed: after a connection was made anew, or when too much waited.
  func news(of subjects: Set<StateSubject>) -> AsyncStream<StateNews>

  /// Work that one collector does at a time. Nil: somebody else has it. It may be lost with a connection, see ``StateHold/isHeld``.
  func hold(_ work: StateWork) async throws -> StateHold?

  /// Whether it can be read and written.
  ///
  /// - Throws: ``StateError``, or what the engine says, with what to do.
  func check() async throws

  /// Ends ``news(of:)`` and gives up what is held.
  func close() throws
}
