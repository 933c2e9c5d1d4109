import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

/// What tests of PostgreSQL alone have in common.
enum PostgresFixture {
  static let isThere = PostgresServer.missing == nil

  static let tables = PostgresSchema([
    PostgresMigration(
      1, "tables of the tests",
      sql: """
        CREATE TABLE counter(name TEXT COLLATE "C" PRIMARY KEY, n BIGINT NOT NULL CHECK (n >= 0));
        CREATE TABLE kept(id BIGINT PRIMARY KEY, text TEXT COLLATE "C", raw BYTEA);
        """)
  ])

  /// A database of its own, with ``tables`` unless it is to be empty.
  static func with(
    _ server: PostgresServer? = nil, port: Int? = nil, schema: PostgresSchema? = tables,
    _ change: (inout PostgresOptions) -> Void = { _ in },
    _ body: (_ options: PostgresOptions, _ open: () throws -> PostgresState) async throws -> Void
  ) async throws {
    let server = try server ?? .shared
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    var options = PostgresOptions(url: server.url(of: database, port: port))
    options.connections = 4
    options.patience = .seconds(60)
    change(&options)
    var states: [PostgresState] = []
    defer { for state in states { state.close() } }
    try await body(options) { [options] in
      let state = try PostgresState(options, schema: schema ?? PostgresSchema([]))
      states.append(state)
      return state
    }
  }

  /// The error of what does not go.
  static func error(of body: () async throws -> Void) async -> StateError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? StateError
    }
  }

  static func add(_ name: String, in state: borrowing StateWriting) throws {
    try Counters.set(name, (try Counters.count(name, in: state.reading) ?? 0) + 1, in: state)
  }

  /// Looks until it is so.
  static func eventually(_ what: Comment, _ isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isSo() {
      guard .now < deadline else {
        Issue.record(what)
        return
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
