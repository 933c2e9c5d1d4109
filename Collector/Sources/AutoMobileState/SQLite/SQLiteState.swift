import Foundation
import GRDB

/// The state in the index's own file: one collector, which is alone with it.
package final class SQLiteState: StateStore {
  private let pool: DatabasePool
  private let rehearses: Bool
  private let listeners = StateListeners()
  private let works = SQLiteWorks()

  /// - Parameters:
  ///   - pool: stays open as long as whoever opened it wants.
  ///   - rehearses: runs each write once and takes that back before it is run for good. For tests: what is written must be right also
  ///     on a store that runs it again.
  package init(_ pool: DatabasePool, rehearses: Bool = false) {
    self.pool = pool
    self.rehearses = rehearses
  }

  package var place: String { pool.path }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateReading) throws -> Result
  ) async throws -> Result {
    try await pool.read { try Self.within($0, body) }
  }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result {
    try await pool.write { [self] in try run(body, in: $0) }
  }

  package func readNow<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result {
    try pool.read { try Self.within($0, body) }
  }

  package func writeNow<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result {
    try pool.write { try run(body, in: $0) }
  }

  /// The state inside of a transaction of the index, which has both.
  package func within<Result>(
    _ database: Database, _ body: (borrowing StateWriting) throws -> Result
  ) throws -> Result {
    let connection = SQLiteStateConnection(database, listeners)
    return try connection.finish(try body(StateWriting(connection)))
  }

  /// The same for what nobody has in memory: nobody is told.
  package static func within<Result>(
    _ database: Database, _ body: (borrowing StateWriting) throws -> Result
  ) throws -> Result {
    let connection = SQLiteStateConnection(database, nil)
    return try connection.finish(try body(StateWriting(connection)))
  }

  private static func within<Result>(
    _ database: Database, _ body: (borrowing StateReading) throws -> Result
  ) throws -> Result {
    let connection = SQLiteStateConnection(database, nil)
    return try connection.finish(try body(StateReading(connection)))
  }

  package func news(of subjects: Set<StateSubject>) -> AsyncStream<StateNews> { listeners.listen(to: subjects) }

  package func hold(_ work: StateWork) -> StateHold? { works.hold(work) }

  package func check() async throws { _ = try await read { try $0.row("SELECT 1") } }

  /// The database stays open.
  package func close() {
    listeners.finish()
    works.releaseAll()
  }

  private func run<Result>(
    _ body: (borrowing StateWriting) throws -> Result, in database: Database
  ) throws -> Result {
    if rehearses {
      try database.inSavepoint {
        // What it throws, it throws again.
        _ = try? body(StateWriting(SQLiteStateConnection(database, nil)))
        return .rollback
      }
    }
    return try within(database, body)
  }
}

/// Who does what, in one process.
///
/// Unchecked: what changes is read and written with the lock held.
private final class SQLiteWorks: @unchecked Sendable {
  // The number tells a hold from a later one of the same work.
  private let lock = NSLock()
  private var holds: [StateWork: Int] = [:]
  private var next = 0

  func hold(_ work: StateWork) -> StateHold? {
    let number: Int? = lock.withLock {
      guard holds[work] == nil else { return nil }
      next += 1
      holds[work] = next
      return next
    }
    guard let number else { return nil }
    return StateHold(
      work, isHeld: { [self] in lock.withLock { holds[work] == number } },
      release: { [self] in
        lock.withLock { if holds[work] == number { holds[work] = nil } }
      })
  }

  func releaseAll() { lock.withLock { holds = [:] } }
}
