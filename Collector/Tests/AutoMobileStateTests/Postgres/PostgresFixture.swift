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
    _ change: (inout PostgresOptions) async throws -> Void = { _ in },
    _ body: (_ options: PostgresOptions, _ open: () throws -> PostgresState) async throws -> Void
  ) async throws {
    let server = try server ?? .shared
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    var options = PostgresOptions(url: server.url(of: database, port: port))
    options.connections = 4
    // Whoever shortens the first one for what is tested is not to be late for the opening.
    (options.patience, options.opening) = (.seconds(60), .seconds(120))
    try await change(&options)
    var states: [PostgresState] = []
    defer { for state in states { state.close() } }
    try await body(options) { [options] in
      let state = try PostgresState(options, schema: schema ?? PostgresSchema([]))
      states.append(state)
      return state
    }
  }

  /// Through a way that can be cut, with little patience.
  static func relayed(
    patience: Duration, _ body: (_ relay: Relay, _ state: PostgresState) async throws -> Void
  ) async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await with(port: relay.port) {
      $0.patience = patience
    } _: { _, open in
      try await body(relay, try open())
    }
  }

  static func database(of options: PostgresOptions) -> String { String(options.url.split(separator: "/").last ?? "") }

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

  /// A work that somebody has given up: the server hears of that a moment later.
  static func held(_ work: StateWork, by state: any StateStore) async throws -> StateHold? {
    var hold: StateHold?
    try await eventually("it is given to another one") {
      hold = try await state.hold(work)
      return hold != nil
    }
    return hold
  }

  /// Looks until it is so.
  static func eventually(_ what: Comment, _ isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while try await !isSo() {
      guard .now < deadline else {
        Issue.record(what)
        return
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// Something that runs beside the test.
final class Beside: @unchecked Sendable {
  // Unchecked: what changes is read and written with the lock held, but for the task, which is set at the beginning.
  private let lock = NSLock()
  private var hasEnded = false
  private var task: Task<Void, any Error>?

  init(_ body: @escaping @Sendable () async throws -> Void) {
    task = Task { [weak self] in
      defer { self?.end() }
      try await body()
    }
  }

  private func end() { lock.withLock { hasEnded = true } }

  var isOver: Bool { lock.withLock { hasEnded } }

  /// Waits for its end, and throws what it has thrown.
  func finish() async throws { try await task?.value }
}
