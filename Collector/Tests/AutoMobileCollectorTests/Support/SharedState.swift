import AutoMobilePostgres
import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import PostgresTestServer

@testable import AutoMobileCollector

/// Databases with a collector's tables, each made of one template: that is much faster than making the tables.
enum SharedState {
  static var isThere: Bool { PostgresServer.missing == nil }

  private static let template = Result {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    try PostgresState(PostgresOptions(url: server.url(of: name))).close()
    // Whoever makes a database of it needs it for themselves.
    try server.sql("ALTER DATABASE \(name) WITH ALLOW_CONNECTIONS false")
    try server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
    return name
  }

  /// A new one; its name.
  static func make() throws -> String { try PostgresServer.shared.makeDatabase(from: try template.get()) }

  /// Whether every collector of the tests is to have its state in PostgreSQL: `make test-state`.
  static let isWanted = ProcessInfo.processInfo.environment["AUTOMOBILE_TEST_STATE"] == "postgres"
  private static let databases = NIOLockedValueBox<[String: String]>([:])

  /// The same for each start over one data directory. They go with the server.
  static func database(of options: CollectorOptions) throws -> String {
    let path = options.dataDirectory.standardizedFileURL.path
    if let known = databases.withLockedValue({ $0[path] }) { return known }
    let made = try make()
    return databases.withLockedValue { databases in
      databases[path] = databases[path] ?? made
      return databases[path] ?? made
    }
  }

  static func with(_ body: (_ database: String) async throws -> Void) async throws {
    let database = try make()
    defer { try? PostgresServer.shared.drop(database) }
    try await body(database)
  }

  static func options(_ database: String, rehearses: Bool = false) throws -> PostgresOptions {
    var options = PostgresOptions(url: try PostgresServer.shared.url(of: database))
    options.patience = .seconds(60)
    options.rehearses = rehearses
    return options
  }

  /// Every state that collectors can agree through: of the index's file, and in PostgreSQL; each write is run twice.
  static func withEach(_ store: EventStore, _ body: (any StateStore) async throws -> Void) async throws {
    let state = SQLiteState(store.pool, rehearses: true)
    try await body(state)
    state.close()
    guard isThere else { return }
    try await with { database in
      let shared = try PostgresState(try options(database, rehearses: true))
      defer { shared.close() }
      try await body(shared)
    }
  }

  /// Where a collector of a test is to have its state; the password goes beside it.
  static func place(_ database: String) throws -> (place: StatePlace, password: String) {
    let port = try PostgresServer.shared.port
    return (try StatePlace("postgres://automobile@127.0.0.1:\(port)/\(database)"), PostgresServer.password)
  }
}

extension CollectorOptions {
  mutating func shareState(in database: String) throws {
    let shared = try SharedState.place(database)
    (state, statePassword) = (shared.place, shared.password)
  }
}
