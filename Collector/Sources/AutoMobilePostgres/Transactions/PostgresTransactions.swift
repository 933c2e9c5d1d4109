import AutoMobileState
import Foundation

/// Transactions on connections of the pool, tried again as long as that may help. All of it waits on the thread that it is called on.
struct PostgresTransactions {
  let pool: PostgresPool
  let address: PostgresAddress
  let options: PostgresOptions
  let channel: String

  /// The server gives up first: what is beyond this is a connection on which nothing comes any more.
  private var limit: Duration { options.statementLimit + .seconds(5) }

  // MARK: Reading

  func read<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result {
    var attempts = PostgresAttempts(patience: options.patience)
    while true {
      do {
        return try pool.with(until: attempts.deadline) { connection in
          try connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", for: limit)
          let transaction = PostgresTransaction(connection, limit: limit, channel: nil)
          return try end(connection, transaction, Swift.Result { try body(StateReading(transaction)) }) {
            // Whether that arrives changes nothing of what was read.
            _ = try? connection.query("COMMIT", for: limit)
          }
        }.get()
      } catch let failure as PostgresFailure {
        try attempts.next(after: failure)
      }
    }
  }

  // MARK: Writing

  func write<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result {
    var attempts = PostgresAttempts(patience: options.patience)
    var rehearses = options.rehearses
    while true {
      do {
        let result = try pool.with(until: attempts.deadline) { connection in
          try once(connection, isAlone: attempts.isAlone, keeps: !rehearses, body)
        }
        if !rehearses { return try result.get() }
        rehearses = false
      } catch let failure as PostgresFailure {
        try attempts.next(after: failure)
      }
    }
  }

  /// - Returns: what `body` has returned or thrown.
  /// - Throws: ``PostgresFailure``; then nothing was kept.
  private func once<Result>(
    _ connection: PostgresConnection, isAlone: Bool, keeps: Bool, _ body: (borrowing StateWriting) throws -> Result
  ) throws -> Swift.Result<Result, any Error> {
    let token = try begin(connection, isAlone: isAlone)
    let transaction = PostgresTransaction(connection, limit: limit, channel: channel)
    return try end(connection, transaction, Swift.Result { try body(StateWriting(transaction)) }, isAlone: isAlone) {
      guard keeps else { return _ = try connection.query("ROLLBACK", for: limit) }
      try commit(connection, token)
    }
  }

  /// - Returns: by what one can ask what became of the transaction.
  private func begin(_ connection: PostgresConnection, isAlone: Bool) throws -> PostgresToken {
    do {
      let token = connection.nextToken()
      // Locking the table comes before the moment at which the transaction sees everything: nothing that one waits for is old.
      try connection.query(
        """
        BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; LOCK TABLE automobile_turn IN \(isAlone ? "EXCLUSIVE" : "ROW SHARE") MODE;
        \(token.note)
        """, for: limit)
      return token
    } catch let failure as PostgresFailure {
      _ = try? connection.query("ROLLBACK", for: limit)
      guard failure.isOfOnlyReading else { throw failure }
      // Where the address leads may be another server in a moment.
      connection.close()
      throw PostgresFailure.onlyRead(address)
    }
  }

  private func commit(_ connection: PostgresConnection, _ token: PostgresToken) throws {
    do {
      let answers = try connection.query("COMMIT", for: limit)
      guard answers.last?.command == "COMMIT" else {
        throw PostgresFailure(
          course: .final, error: StateError(.engine, "PostgreSQL at \(address.place) did not keep what was written"))
      }
    } catch let failure as PostgresFailure where failure.course == .lost {
      // It may have been kept before the connection was gone: to write it once more could double it.
      connection.close()
      guard try wasKept(token) else { throw failure }
    }
  }

  /// Asks for the outcome of a transaction, until it has one.
  private func wasKept(_ token: PostgresToken) throws -> Bool {
    var attempts = PostgresAttempts(patience: options.patience)
    while true {
      do {
        // Besides those of the pool: all of them may be waiting for the same.
        let connection = try PostgresConnection(address, options)
        defer { connection.close() }
        return try connection.query(token.question, [], for: limit).rows.first?[0] == token.number
      } catch let failure as PostgresFailure {
        do {
          // Whatever the reason is: a standby, or one that is behind, knows when it has taken the other one's place.
          try attempts.next(after: PostgresFailure(course: .lost, error: failure.error))
        } catch {
          throw PostgresFailure(
            course: .final,
            error: StateError(
              .unknown,
              """
              PostgreSQL at \(address.place) went away while something was being kept, and whether it was is not known: look before \
              it is written again
              """))
        }
      }
    }
  }

  // MARK: Both

  /// - Parameter keep: what is to happen when all went well.
  private func end<Result>(
    _ connection: PostgresConnection, _ transaction: PostgresTransaction, _ result: Swift.Result<Result, any Error>,
    isAlone: Bool = false, _ keep: () throws -> Void
  ) throws -> Swift.Result<Result, any Error> {
    if transaction.failure == nil, case .success = result {
      do {
        try keep()
        return result
      } catch let failure as PostgresFailure {
        if !connection.isIdle, !connection.isLost { _ = try? connection.query("ROLLBACK", for: limit) }
        throw failure
      }
    }
    if !connection.isLost { _ = try? connection.query("ROLLBACK", for: limit) }
    guard let failure = transaction.failure else { return result }
    // What was thrown may say more than what the server did.
    let isDecided = failure.course == .final || (failure.course == .alone && isAlone)
    if isDecided, case .failure = result { return result }
    throw failure
  }
}
