import AutoMobileState
import Foundation

/// Makes the tables that are missing. Of several collectors that start at once one does it, and the others wait.
struct PostgresMigrator {
  let schema: PostgresSchema
  let place: PostgresPlace
  let address: PostgresAddress
  let options: PostgresOptions

  /// All of it, with what waits for others who read and write.
  private static let patience = Duration.seconds(60)
  /// One migration may move a lot.
  private static let limit = Duration.seconds(600)

  /// - Throws: ``StateError``
  func run() throws {
    var attempts = PostgresAttempts(patience: max(options.patience, Self.patience))
    while true {
      do {
        let connection = try PostgresConnection(address, options)
        defer { connection.close() }
        if try !isThere(on: connection) { try migrate(on: connection) }
        try connection.query(PostgresToken.purge, for: .seconds(10))
        return
      } catch let failure as PostgresFailure {
        // Whoever waits for a lock here waits for others, and does so as long as it takes them.
        guard failure.code == "55P03", .now < attempts.deadline else {
          try attempts.next(after: failure)
          continue
        }
        Thread.sleep(forTimeInterval: .random(in: 0.05...0.2))
      }
    }
  }

  /// Without a lock, and without the right to make tables: nothing is missing, also when there is more than this program knows.
  private func isThere(on connection: PostgresConnection) throws -> Bool {
    let names = ["schema", "turn", "write"].map { "to_regclass('automobile_\($0)') IS NOT NULL" }
    let answer = try connection.query("SELECT \(names.joined(separator: " AND "))", [], for: .seconds(10))
    return try answer.rows.first?[0] == true && known(on: connection) >= schema.newest
  }

  /// - Returns: the number of the newest that is there.
  /// - Throws: ``StateError`` when this program is too old for it, or when another one has made it.
  private func known(on connection: PostgresConnection) throws -> Int {
    let row = try connection.query(
      "SELECT COALESCE(MAX(number), 0), COALESCE(MAX(oldest), 0) FROM automobile_schema", [], for: .seconds(10)
    ).rows.first
    try schema.check(oldest: row?[1] ?? 0, address.place)
    let made = try connection.query(
      "SELECT number, name FROM automobile_schema ORDER BY number", [], for: .seconds(10)
    ).rows
    for row in made { try schema.check(row[0], isCalled: row[1], address.place) }
    return try row?[0] ?? 0
  }

  /// All in one transaction: there is no half of it.
  private func migrate(on connection: PostgresConnection) throws {
    try connection.query(
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = 2000; SET LOCAL statement_timeout = 0",
      for: .seconds(10))
    try connection.query("SELECT pg_advisory_xact_lock($1)", [place.schemaKey], for: .seconds(10))
    try connection.query(
      """
      CREATE TABLE IF NOT EXISTS automobile_schema(
        number BIGINT PRIMARY KEY, name TEXT NOT NULL, oldest BIGINT NOT NULL, madeAt TIMESTAMPTZ NOT NULL DEFAULT now());
      -- Without rows: who writes locks it beside others, or alone.
      CREATE TABLE IF NOT EXISTS automobile_turn(nothing BIGINT);
      -- What the last transaction of each connection was, see PostgresToken.
      CREATE TABLE IF NOT EXISTS automobile_write(
        connection BIGINT PRIMARY KEY, number BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now());
      """, for: .seconds(10))
    let known = try known(on: connection)
    for migration in schema.migrations where migration.number > known {
      try connection.query(migration.sql, for: Self.limit)
      try connection.query(
        "INSERT INTO automobile_schema(number, name, oldest) VALUES ($1, $2, $3)",
        [migration.number.stateValue, migration.name.stateValue, migration.oldest.stateValue], for: .seconds(10))
    }
    try connection.query("COMMIT", for: Self.limit)
  }
}
