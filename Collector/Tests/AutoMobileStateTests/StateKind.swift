import AutoMobilePostgres
import Foundation
import GRDB
import PostgresTestServer
import Testing

@testable import AutoMobileState

/// The stores that the same is asked of. A new one is a case here, an empty store of it in ``with(_:)`` and its words for types.
enum StateKind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  /// The same, with each write run twice.
  case rehearsed
  case postgres
  case postgresRehearsed = "postgres, rehearsed"
  case pgbouncer

  /// Without those that are not installed; `PostgresInstalledTests` says so.
  static let allCases: [StateKind] =
    [.sqlite, .rehearsed] + (PostgresServer.missing == nil ? [.postgres, .postgresRehearsed] : [])
    + (PgBouncer.missing == nil ? [.pgbouncer] : [])

  var testDescription: String { rawValue }

  /// An empty store with the tables of ``schema``, opened twice as two collectors would: where a store is alone, both are the same.
  func with(_ body: (_ state: any StateStore, _ other: any StateStore) async throws -> Void) async throws {
    switch self {
    case .sqlite, .rehearsed:
      let directory = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      let pool = try DatabasePool(path: directory.appending(path: "state.sqlite").path)
      try await pool.write { [schema] in try $0.execute(sql: schema) }
      let state = SQLiteState(pool, rehearses: self == .rehearsed)
      try await body(state, state)
      state.close()
      try pool.close()
    case .postgres, .postgresRehearsed, .pgbouncer:
      let server = try PostgresServer.shared
      let database = try server.makeDatabase()
      defer { server.drop(database) }
      let port = self == .pgbouncer ? try PgBouncer.shared.port : server.port
      var options = PostgresOptions(url: server.url(of: database, port: port))
      options.connections = 3
      // Other tests run beside this one.
      options.patience = .seconds(60)
      options.rehearses = self == .postgresRehearsed
      let tables = PostgresSchema([PostgresMigration(1, "tables of the tests", sql: schema)])
      let states = try (0..<2).map { _ in try PostgresState(options, schema: tables) }
      defer { for state in states { state.close() } }
      try await body(states[0], states[1])
    }
  }

  private var schema: String {
    let (integer, real, bytes, text) =
      switch self {
      case .sqlite, .rehearsed: ("INTEGER", "REAL", "BLOB", "TEXT")
      case .postgres, .postgresRehearsed, .pgbouncer: ("BIGINT", "DOUBLE PRECISION", "BYTEA", "TEXT COLLATE \"C\"")
      }
    return """
      CREATE TABLE counter(name \(text) PRIMARY KEY, n \(integer) NOT NULL CHECK (n >= 0));
      CREATE TABLE kept(id \(integer) PRIMARY KEY, whole \(integer), number \(real), text \(text), raw \(bytes));
      CREATE TABLE member(project \(integer) NOT NULL, givenName \(text) NOT NULL, role \(text), UNIQUE (project, givenName));
      """
  }
}
