import AutoMobileState
import Foundation

/// So many connections at most. Made when they are needed.
///
/// Unchecked: what changes is read and written with the lock held.
final class PostgresPool: @unchecked Sendable {
  private let address: PostgresAddress
  private let options: PostgresOptions
  // Also says when one came back.
  private let lock = NSCondition()
  // The last one is taken first.
  private var idle: [PostgresConnection] = []
  // In use, idle or being made.
  private var open = 0
  private var isClosed = false

  init(_ address: PostgresAddress, _ options: PostgresOptions) {
    (self.address, self.options) = (address, options)
  }

  /// Waits for a connection, makes one when there may be more, and takes it back.
  ///
  /// - Throws: what `body` throws; ``PostgresFailure`` when there is none.
  func with<Result>(until deadline: ContinuousClock.Instant, _ body: (PostgresConnection) throws -> Result) throws
    -> Result
  {
    let connection = try take(until: deadline)
    defer { giveBack(connection) }
    return try body(connection)
  }

  private func take(until deadline: ContinuousClock.Instant) throws -> PostgresConnection {
    while let found = try known(until: deadline) {
      found.look()
      if found.isIdle { return found }
      giveBack(found)
    }
    do {
      return try PostgresConnection(address, options)
    } catch {
      lock.withLock {
        open -= 1
        lock.signal()
      }
      throw error
    }
  }

  /// - Returns: nil when one is to be made.
  private func known(until deadline: ContinuousClock.Instant) throws -> PostgresConnection? {
    lock.lock()
    defer { lock.unlock() }
    while true {
      guard !isClosed else {
        throw PostgresFailure(course: .final, error: StateError(.unavailable, "the state was closed"))
      }
      if let last = idle.popLast() { return last }
      if open < max(1, options.connections) {
        open += 1
        return nil
      }
      let left = deadline - .now
      guard left > .zero else {
        throw PostgresFailure(
          course: .final,
          error: StateError(
            .busy,
            """
            all \(open) connections to PostgreSQL at \(address.place) are in use, for \(options.patience) already: try it again; \
            look at pg_stat_activity for what takes so long
            """))
      }
      _ = lock.wait(until: Date(timeIntervalSinceNow: Double(left.milliseconds) / 1000))
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    let stays = connection.isIdle
    let closing: [PostgresConnection] = lock.withLock {
      defer { lock.signal() }
      if stays, !isClosed {
        idle.append(connection)
        return []
      }
      // One that is gone says that the others may be; they are looked at when they are taken.
      open -= 1
      return [connection]
    }
    for connection in closing { connection.close() }
  }

  /// What is in use is closed when it comes back.
  func close() {
    let closing = lock.withLock {
      isClosed = true
      lock.broadcast()
      defer {
        open -= idle.count
        idle = []
      }
      return idle
    }
    for connection in closing { connection.close() }
  }
}
