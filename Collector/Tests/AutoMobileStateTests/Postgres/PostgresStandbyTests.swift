import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

/// One after the other: the last one has the standby take the other one's place.
@Suite(.serialized, .enabled(if: PostgresFixture.isThere)) struct `A standby of PostgreSQL` {
  private static let made = Result { try PostgresServer(standbyOf: .shared) }

  @Test(arguments: ["", "?target_session_attrs=any"])
  func `is not asked instead of the one that is written, which is away`(_ parameters: String) async throws {
    let (primary, standby) = (try PostgresServer.shared, try Self.made.get())
    let (one, two) = (try Relay(to: primary.port), try Relay(to: standby.port))
    defer { two.stop() }
    try await PostgresFixture.with {
      $0.url = PostgresServer.url(
        of: PostgresFixture.database(of: $0), ports: [one.port, two.port], parameters: parameters)
    } _: { options, open in
      let database = String(PostgresFixture.database(of: options).prefix { $0 != "?" })
      let state = try open()
      try await state.write { try Counters.set("a", 1, in: $0) }
      try await PostgresFixture.eventually("the standby has it") {
        (try? standby.sql("SELECT n FROM counter", in: database)) == "1"
      }
      // From now on it has what is old.
      try standby.sql("SELECT pg_wal_replay_pause()")
      defer { _ = try? standby.sql("SELECT pg_wal_replay_resume()") }
      try primary.sql("UPDATE counter SET n = 2", in: database)
      // Nobody listens there: what is let in and then lost ends libpq's attempt.
      one.stop()
      let before = two.count
      let reader = Beside {
        let found = try await state.read { try Counters.count("a", in: $0) }
        #expect(found == 2)
      }
      try await PostgresFixture.eventually("the standby is offered") { two.count >= before + 2 }
      let again = try Relay(to: primary.port, at: one.port)
      defer { again.stop() }
      try await reader.finish()
      #expect(try await state.read { try Counters.count("a", in: $0) } == 2)
    }
  }

  @Test func `is passed over when the address has it first`() async throws {
    let standby = try Self.made.get()
    try await PostgresFixture.with {
      let database = PostgresFixture.database(of: $0)
      $0.url = PostgresServer.url(of: database, ports: [standby.port, try PostgresServer.shared.port])
      // Until then an attempt ends with it: there is no such database.
      try await PostgresFixture.eventually("it has the database") { (try? standby.sql("", in: database)) != nil }
    } _: { _, open in
      let state = try open()
      try await state.write { try Counters.set("a", 1, in: $0) }
      #expect(try await state.read { try Counters.count("a", in: $0) } == 1)
    }
  }

  @Test(arguments: ["", "?target_session_attrs=any"])
  func `alone is said to be one`(_ parameters: String) async throws {
    let standby = try Self.made.get()
    try await PostgresFixture.with {
      $0.opening = .seconds(1)
      $0.url = standby.url(of: PostgresFixture.database(of: $0), parameters: parameters)
    } _: { _, open in
      try await PostgresFixture.eventually("it is said") {
        let error = await PostgresFixture.error { _ = try open() }
        return error?.kind == .unavailable && error?.description.contains("cannot be written, only read") == true
      }
    }
  }

  // MARK: Whether something was kept

  @Test func `or whoever else is only read for a while is asked again what it has kept`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) {
      $0.url += "?target_session_attrs=any"
    } _: { options, open in
      let database = String(PostgresFixture.database(of: options).prefix { $0 != "?" })
      let state = try open()
      try await state.write { try Counters.set("a", 0, in: $0) }
      try PostgresServer.shared.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
      let before = relay.count
      relay.prepare(.after(Array("COMMIT\0".utf8)))
      let writer = Beside { try await state.write { try PostgresFixture.add("a", in: $0) } }
      try await PostgresFixture.eventually("it was asked") { writer.isOver || relay.count >= before + 2 }
      #expect(relay.hasHappened)
      try PostgresServer.shared.sql("ALTER DATABASE \(database) RESET default_transaction_read_only")
      try await writer.finish()
      #expect(try await state.read { try Counters.count("a", in: $0) } == 1)
    }
  }

  @Test func `that takes the place of another one knows what that one has kept`() async throws {
    let standby = try Self.made.get()
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) { options, open in
      let database = PostgresFixture.database(of: options)
      let state = try open()
      try await state.write { try Counters.set("a", 0, in: $0) }
      let before = relay.count
      relay.prepare(.after(Array("COMMIT\0".utf8)), thenTo: standby.port)
      let writer = Beside { try await state.write { try PostgresFixture.add("a", in: $0) } }
      try await PostgresFixture.eventually("it was asked") { writer.isOver || relay.count >= before + 2 }
      #expect(relay.hasHappened)
      try await PostgresFixture.eventually("the standby has it") {
        (try? standby.sql("SELECT n FROM counter", in: database)) == "1"
      }
      try standby.promote()
      try await writer.finish()
      #expect(try standby.sql("SELECT n FROM counter", in: database) == "1")
    }
  }
}
