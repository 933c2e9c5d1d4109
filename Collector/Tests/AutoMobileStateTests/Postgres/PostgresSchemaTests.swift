import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobilePostgres

@Suite(.enabled(if: PostgresFixture.isThere)) struct `The tables in PostgreSQL` {
  private static let first = PostgresMigration(1, "one", sql: "CREATE TABLE one(id BIGINT PRIMARY KEY)")
  private static let second = PostgresMigration(
    2, "two", sql: "ALTER TABLE one ADD COLUMN name TEXT; CREATE TABLE two(id BIGINT)")
  /// An older program cannot go on after it.
  private static let third = PostgresMigration(
    3, "three", oldest: 3, sql: "ALTER TABLE one RENAME COLUMN name TO label")

  private static func open(_ options: PostgresOptions, _ migrations: PostgresMigration...) throws -> PostgresState {
    try PostgresState(options, schema: PostgresSchema(migrations))
  }

  @Test func `are made once, by whoever of many comes first`() async throws {
    try await PostgresFixture.with { options, _ in
      let slow = PostgresMigration(
        1, "slow", sql: "CREATE TABLE one(id BIGINT); INSERT INTO one(id) VALUES (1); SELECT pg_sleep(0.3)")
      let states = try await withThrowingTaskGroup(of: PostgresState.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await withCheckedThrowingContinuation { continuation in
              Thread { continuation.resume(with: Result { try Self.open(options, slow, Self.second) }) }.start()
            }
          }
        }
        return try await group.reduce(into: [PostgresState]()) { $0.append($1) }
      }
      defer { for state in states { state.close() } }
      #expect(states.count == 6)
      let counts = try await states[0].read {
        try $0.row("SELECT (SELECT COUNT(*) FROM one), (SELECT COUNT(*) FROM automobile_schema)")
      }
      #expect(counts?.values == [.integer(1), .integer(2)])
    }
  }

  @Test func `are added to, and what an older program knows stays`() async throws {
    try await PostgresFixture.with { options, _ in
      let old = try Self.open(options, Self.first)
      defer { old.close() }
      _ = try await old.write { try $0.execute("INSERT INTO one(id) VALUES (1)") }
      let new = try Self.open(options, Self.first, Self.second)
      defer { new.close() }
      _ = try await new.write { try $0.execute("UPDATE one SET name = 'x'") }
      // Goes on, and starts again.
      _ = try await old.write { try $0.execute("INSERT INTO one(id) VALUES (2)") }
      try await old.check()
      let again = try Self.open(options, Self.first)
      defer { again.close() }
      #expect(try await again.read { try $0.rows("SELECT id FROM one").count } == 2)
    }
  }

  @Test func `that are too new are refused, at the start and later`() async throws {
    try await PostgresFixture.with { options, _ in
      let old = try Self.open(options, Self.first, Self.second)
      defer { old.close() }
      let new = try Self.open(options, Self.first, Self.second, Self.third)
      defer { new.close() }
      try await new.check()
      let later = await PostgresFixture.error { try await old.check() }
      let start = await PostgresFixture.error { _ = try Self.open(options, Self.first, Self.second) }
      for error in [later, start] {
        #expect(error?.kind == .engine)
        #expect(error?.description.contains("knows them up to number 2, and number 3 at least is needed") == true)
      }
    }
  }

  @Test func `of another program are refused, also where their numbers are the same`() async throws {
    try await PostgresFixture.with { options, _ in
      let other = PostgresMigration(2, "another two", sql: "CREATE TABLE other(id BIGINT)")
      try Self.open(options, Self.first, other).close()
      // What this one does not know yet is another one's to name.
      try Self.open(options, Self.first).close()
      for migrations in [[Self.first, Self.second], [Self.first, Self.second, Self.third]] {
        let error = await PostgresFixture.error {
          _ = try PostgresState(options, schema: PostgresSchema(migrations))
        }
        #expect(error?.kind == .engine)
        #expect(error?.description.contains("step 2 is “another two”, and here it is “two”") == true)
      }
    }
  }

  @Test func `are whole, or not there at all`() async throws {
    try await PostgresFixture.with { options, _ in
      let broken = PostgresMigration(2, "broken", sql: "CREATE TABLE two(id BIGINT); CREATE TABLE two(id BIGINT)")
      let error = await PostgresFixture.error { _ = try Self.open(options, Self.first, broken) }
      #expect(error?.kind == .engine)
      let state = try Self.open(options, Self.first, Self.second)
      defer { state.close() }
      #expect(try await state.read { try $0.rows("SELECT id FROM two").isEmpty })
    }
  }

  @Test func `need the right to make them, and say so`() async throws {
    try await PostgresFixture.with { options, open in
      let database = String(options.url.split(separator: "/").last ?? "")
      let server = try PostgresServer.shared
      let role = "r\(database)"
      try server.sql("CREATE ROLE \(role) LOGIN PASSWORD 'weak'")
      var weak = options
      weak.url = "postgres://\(role):weak@127.0.0.1:\(server.port)/\(database)"
      let error = await PostgresFixture.error { _ = try PostgresState(weak, schema: PostgresFixture.tables) }
      #expect(error?.kind == .engine && error?.description.contains("owner of its database") == true)
      // With the tables there and the right to use them it is enough.
      _ = try open()
      try server.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)", in: database)
      let state = try PostgresState(weak, schema: PostgresFixture.tables)
      defer { state.close() }
      try await state.write { try Counters.set("a", 1, in: $0) }
      try await state.check()
      state.close()
      try server.sql("DROP OWNED BY \(role)", in: database)
      try server.sql("DROP ROLE \(role)")
    }
  }

  /// A rolling upgrade has programs that know the tables as they were: what takes something away says that they cannot go on.
  @Test func `only grow, unless a migration says that older programs end`() throws {
    var oldest = 0
    for (index, migration) in PostgresSchema.state.migrations.enumerated() {
      #expect(migration.number == index + 1)
      let words = Set(migration.sql.uppercased().split { !$0.isLetter }.map(String.init))
      let takesAway =
        !words.isDisjoint(with: ["DROP", "RENAME", "TRUNCATE", "TYPE"]) || migration.sql.contains("SET NOT NULL")
      #expect(!takesAway || migration.oldest == migration.number, "\(migration.name)")
      #expect(migration.oldest >= oldest && migration.oldest <= migration.number)
      oldest = migration.oldest
    }
  }

  @Test func `of the state take what the collector keeps`() async throws {
    try await PostgresFixture.with(schema: .state) { _, open in
      let state = try open()
      let id: Int64? = try await state.write { state in
        try state.execute("INSERT INTO setting(name, value, changedAt, changedBy) VALUES ('a', 'b', 1, 'ada')")
        return try state.value(
          """
          INSERT INTO audit(at, who, by, address, action, route, thing, status) VALUES (?1, 'ada', 'k', NULL, 'read', '/', NULL, 200)
          RETURNING id
          """, Int64.max)
      }
      #expect(id == 1)
      let error = await PostgresFixture.error {
        try await state.write { _ = try $0.execute("UPDATE audit SET who = 'eve'") }
      }
      #expect(error == StateError(.refused, "the audit log is appended to, and not changed"))
      let found: Int? = try await state.read { state in
        try state.value(
          "SELECT COUNT(*) FROM setting WHERE substr(name, 1, ?2) = ?1", "a", 1)
      }
      #expect(found == 1)
    }
  }
}
