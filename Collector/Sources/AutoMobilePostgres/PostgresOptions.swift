/// How the state is kept in PostgreSQL.
package struct PostgresOptions: Sendable, CustomStringConvertible {
  /// `postgres://user:password@host:port/database?sslmode=verify-full`, with all that libpq's addresses may have.
  package var url: String
  /// Beside the address; nil: one that stands in it, or that libpq finds (`PGPASSWORD`, `PGPASSFILE`, `~/.pgpass`).
  package var password: String?
  /// At most, besides the one that listens.
  package var connections = 8
  /// A call waits this long at most for a connection, for a server that went away, and for its turn among those who write.
  package var patience = Duration.seconds(10)
  /// The same for the opening; nil: ``patience``.
  package var opening: Duration?
  /// A statement may take this long.
  package var statementLimit = Duration.seconds(15)
  /// Runs each write once and takes that back before it is run for good, see ``StateStore/write(_:)``. For tests.
  package var rehearses = false

  package init(url: String) { self.url = url }

  /// Whether a password stands in the address, or another secret.
  ///
  /// - Throws: ``StateError`` when it cannot be read, or libpq is not installed.
  package func hasSecret() throws -> Bool { try PostgresAddress(url).hasSecret }

  /// Without the address, which has a password in it.
  package var description: String { "at most \(connections) connections to PostgreSQL" }
}
