import AutoMobileState
import Foundation

/// The state in a PostgreSQL database, which collectors share.
///
/// Writes are serializable: one that could not have been the only one is run again. News come by `NOTIFY`, and works are advisory
/// locks, so a pooler in between has to give each of its clients a server connection of its own (pgbouncer: `pool_mode = session`).
package final class PostgresState: StateStore {
  private let address: PostgresAddress
  private let options: PostgresOptions
  private let schema: PostgresSchema
  private let session: PostgresSession
  private let pool: PostgresPool
  private let workers: PostgresWorkers
  private let transactions: PostgresTransactions
  private let listeners = StateListeners()

  /// Connects, and makes the tables that are missing. Waits on the thread that it is called on.
  ///
  /// - Throws: ``StateError``, with what to do.
  package init(_ options: PostgresOptions, schema: PostgresSchema = .state) throws {
    address = try PostgresAddress(options.url, password: options.password)
    (self.options, self.schema) = (options, schema)
    pool = PostgresPool(address, options)
    workers = PostgresWorkers(options.connections, patience: options.patience)
    session = try PostgresSession(address, options, listeners)
    do {
      let place = try session.start()
      transactions = PostgresTransactions(pool: pool, address: address, options: options, channel: place.channelName)
      try Self.hearNews(of: place, in: session, pool, address, options)
      try PostgresMigrator(schema: schema, place: place, address: address, options: options).run()
    } catch {
      session.close()
      pool.close()
      workers.close()
      throw (error as? PostgresFailure)?.error ?? error
    }
  }

  package var place: String { address.place }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateReading) throws -> Result
  ) async throws -> Result {
    try await workers.run { [transactions] in try transactions.read(body) }
  }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result {
    try await workers.run { [transactions] in try transactions.write(body) }
  }

  package func readNow<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result {
    try transactions.read(body)
  }

  package func writeNow<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result {
    try transactions.write(body)
  }

  package func news(of subjects: Set<StateSubject>) -> AsyncStream<StateNews> { listeners.listen(to: subjects) }

  package func hold(_ work: StateWork) async throws -> StateHold? {
    try await session.holds.hold(work, patience: options.patience)
  }

  package func check() async throws {
    let oldest = try await write { state in
      try state.value("SELECT CAST(COALESCE(MAX(oldest), 0) AS BIGINT) FROM automobile_schema") as Int?
    }
    try schema.check(oldest: oldest ?? 0, address.place)
    try session.check()
  }

  package func close() {
    listeners.finish()
    session.close()
    pool.close()
    workers.close()
  }

  deinit { close() }

  /// Whether what one connection tells arrives at another one: not so when a pooler lends each of them a server's for a transaction.
  private static func hearNews(
    of place: PostgresPlace, in session: PostgresSession, _ pool: PostgresPool, _ address: PostgresAddress,
    _ options: PostgresOptions
  ) throws {
    let deadline = ContinuousClock.now + (options.opening ?? options.patience)
    // Once more from time to time: a server that is busy is late, and who restarts has forgotten.
    repeat {
      let question = PostgresNews.question + UUID().uuidString
      do {
        try pool.with(until: deadline) { connection in
          _ = try connection.query(
            "SELECT pg_notify($1, $2)", [.text(place.channelName), .text(question)], for: options.statementLimit)
        }
      } catch let failure as PostgresFailure where failure.course == .lost && .now + .seconds(1) < deadline {
        Thread.sleep(forTimeInterval: 0.1)
        continue
      }
      if session.hears(question, within: .seconds(2)) { return }
    } while .now < deadline
    throw StateError(
      .engine,
      """
      what is told through PostgreSQL at \(address.place) with NOTIFY does not arrive. A pooler in between that shares connections \
      between transactions does that: set its pool_mode to session (pgbouncer), or let the address lead to the server itself
      """)
  }
}
