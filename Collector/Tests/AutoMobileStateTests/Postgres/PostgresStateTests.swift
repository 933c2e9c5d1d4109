import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobilePostgres

@Suite(.enabled(if: PostgresFixture.isThere)) struct `The state in PostgreSQL` {
  @Test func `says that it is read and written, and where it is`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      try await state.check()
      #expect(state.place.hasPrefix("postgres://127.0.0.1:") && !state.place.contains("automobile"))
    }
  }

  @Test func `refuses values of other kinds, and says that it is them`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      let values: [(StateSQL, StateValue)] = [
        ("INSERT INTO kept(id) VALUES (?1)", .text("seven")), ("INSERT INTO kept(id) VALUES (?1)", .real(1.5)),
        // What is no UTF-8, made a text by the server.
        ("INSERT INTO kept(id, text) VALUES (1, convert_from(?1, 'UTF8'))", .bytes([0xC3, 0x28])),
        ("INSERT INTO kept(id, text) VALUES (1, convert_from(?1, 'UTF8'))", .bytes([0x61, 0])),
      ]
      for (sql, value) in values {
        #expect(
          await Counters.kind { _ = try await state.write { try $0.execute(sql, value) } } == .value, "\(sql.text)")
      }
      _ = try await state.write { try $0.execute("INSERT INTO kept(id, text) VALUES (?1, ?2)", 1, Double.nan) }
      let row = try await state.read { try $0.row("SELECT text FROM kept WHERE id = 1") }
      #expect(row?.values == [.null])
    }
  }

  @Test func `tells sums of whole numbers as whole numbers`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      _ = try await state.write { try $0.execute("INSERT INTO kept(id) VALUES (1), (2)") }
      let row = try await state.read {
        try $0.row("SELECT SUM(id), AVG(id), CAST(1 AS REAL), CAST(7 AS SMALLINT) FROM kept")
      }
      #expect(row?.values == [.integer(3), .real(1.5), .real(1), .integer(7)])
    }
  }

  @Test func `writes nothing in what only reads`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      let error = await PostgresFixture.error {
        _ = try await state.read { try $0.rows("INSERT INTO counter(name, n) VALUES ('a', 1) RETURNING n") }
      }
      #expect(error?.kind == .engine)
      #expect(try await state.read { try Counters.count("a", in: $0) } == nil)
    }
  }

  @Test(arguments: ["off", "local", "remote_write", "on", "remote_apply"])
  func `says that something is kept when it is on the disk, whatever the database has it otherwise`(_ given: String)
    async throws
  {
    try await PostgresFixture.with(schema: nil) { options, _ in
      try PostgresServer.shared.sql(
        "ALTER DATABASE \(PostgresFixture.database(of: options)) SET synchronous_commit = \(given)")
      let connection = try PostgresConnection(try PostgresAddress(options.url), options)
      defer { connection.close() }
      let row = try connection.query("SHOW synchronous_commit", for: .seconds(60)).first?.rows.first
      #expect(try row?[0] == (given == "remote_apply" ? given : "on"))
    }
  }

  @Test func `gives a statement up that takes too long`() async throws {
    try await PostgresFixture.with {
      // Also of what the opening asks.
      $0.statementLimit = .seconds(4)
    } _: { _, open in
      let state = try open()
      let error = await PostgresFixture.error {
        _ = try await state.read { try $0.rows("SELECT CAST(pg_sleep(30) AS TEXT)") }
      }
      #expect(error?.kind == .unavailable && error?.description.contains("too long") == true)
      try await state.check()
    }
  }

  @Test func `says when all connections are in use`() async throws {
    try await PostgresFixture.with { options in
      options.connections = 2
      options.patience = .milliseconds(700)
    } _: { _, open in
      let state = try open()
      let gate = DispatchSemaphore(value: 0)
      let started = DispatchSemaphore(value: 0)
      let holders = (0..<2).map { _ in
        Task {
          // Also when it fails: then nobody waits for it.
          defer { started.signal() }
          try await state.read { state in
            _ = try state.row("SELECT 1")
            started.signal()
            gate.wait()
          }
        }
      }
      await withCheckedContinuation { continuation in
        Thread {
          for _ in 0..<2 { started.wait() }; continuation.resume()
        }.start()
      }
      let now = await PostgresFixture.error { try state.writeNow { try Counters.set("a", 1, in: $0) } }
      #expect(now?.kind == .busy && now?.description.contains("all 2 connections") == true)
      let later = await PostgresFixture.error { try await state.write { try Counters.set("a", 1, in: $0) } }
      #expect(later?.kind == .busy)
      // More than there are: whoever lost its connection is there once more.
      for _ in 1...10 { gate.signal() }
      for holder in holders { try await holder.value }
      try await PostgresFixture.eventually("they are free again") {
        (try? await state.write { try Counters.set("a", 2, in: $0) }) != nil
      }
    }
  }

  @Test func `ends with its close, whatever waits`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      state.close()
      for _ in 1...2 {
        #expect(await Counters.kind { try await state.check() } == .unavailable)
        #expect(await Counters.kind { _ = try state.readNow { try $0.row("SELECT 1") } } == .unavailable)
        #expect(await Counters.kind { _ = try await state.hold(StateWork("a")) } == .unavailable)
      }
    }
  }

  @Test func `keeps two schemas of one database apart`() async throws {
    try await PostgresFixture.with { options, open in
      let state = try open()
      let database = String(options.url.split(separator: "/").last ?? "")
      try PostgresServer.shared.sql("CREATE SCHEMA other", in: database)
      var other = options
      other.url += "?options=-csearch_path%3Dother"
      let neighbour = try PostgresState(other, schema: PostgresFixture.tables)
      defer { neighbour.close() }
      var news = neighbour.news(of: [.settings]).makeAsyncIterator()
      try await state.write { state in
        try Counters.set("a", 1, in: state)
        try state.tell(.settings, "not yours")
      }
      #expect(try await neighbour.read { try Counters.count("a", in: $0) } == nil)
      try await neighbour.write { try $0.tell(.settings, "yours") }
      #expect(await news.next() == StateNews(.settings, "yours"))
      let (one, two) = (try await state.hold(StateWork("a")), try await neighbour.hold(StateWork("a")))
      #expect(one?.isHeld == true && two?.isHeld == true)
    }
  }

  @Test(.enabled(if: PgBouncer.missing == nil)) func `says that a pooler shares connections between transactions`()
    async throws
  {
    let pooler = try PgBouncer(.transaction, before: .shared)
    defer { pooler.stop() }
    try await PostgresFixture.with(port: pooler.port) {
      // What is told has this long to come.
      $0.opening = .seconds(2)
    } _: { _, open in
      var error: StateError?
      try await PostgresFixture.eventually("it is reached in time") {
        error = await PostgresFixture.error { _ = try open() }
        return error?.kind != .unavailable
      }
      #expect(error?.kind == .engine)
      #expect(error?.description.contains("pool_mode to session") == true)
    }
  }
}
