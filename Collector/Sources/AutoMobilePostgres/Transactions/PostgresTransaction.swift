import AutoMobileState

/// What PostgreSQL has to offer to ``StateReading`` and ``StateWriting``. Used on the thread that the transaction runs on.
///
/// The server keeps nothing of a transaction in which a statement failed, whatever was made of the error: so it is remembered.
final class PostgresTransaction: StateConnection {
  private let connection: PostgresConnection
  private let limit: Duration
  /// Nil: nobody is told.
  private let channel: String?
  private(set) var failure: PostgresFailure?

  init(_ connection: PostgresConnection, limit: Duration, channel: String?) {
    (self.connection, self.limit, self.channel) = (connection, limit, channel)
  }

  func run(_ sql: StateSQL, _ values: [StateValue]) throws -> (rows: [StateRow], changed: Int) {
    let answer = try query(sql.numbered("$"), values)
    return (answer.rows, answer.changed)
  }

  /// The server keeps it until the transaction is kept, and then tells all who listen.
  func tell(_ news: StateNews) throws {
    guard let channel else { return }
    try query("SELECT pg_notify($1, $2)", [.text(channel), .text(PostgresNews.payload(of: news))])
  }

  /// Not the moment at which the transaction began: it may have waited for its turn since.
  func clock() throws -> Int64 {
    guard
      let row = try query("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", []).rows.first
    else { throw StateError(.engine, "PostgreSQL does not say what time it is") }
    return try row[0]
  }

  @discardableResult
  private func query(_ text: String, _ values: [StateValue]) throws -> PostgresAnswer {
    if let failure { throw failure.error }
    do {
      return try connection.query(text, values, for: limit)
    } catch let failure as PostgresFailure {
      self.failure = failure
      throw failure.error
    }
  }
}
