import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobilePostgres

/// With a server of their own, which they harm; the last one has it die.
@Suite(.serialized, .enabled(if: PostgresFixture.isThere)) struct `PostgreSQL in need` {
  /// It writes nothing by itself while a test has it, and does not come back by itself.
  private static let made = Result {
    try PostgresServer(settings: ["wal_writer_delay=10s", "restart_after_crash=off", "autovacuum=off"])
  }

  @Test func `of memory for a lock refuses that work, and the others stay held`() async throws {
    try await PostgresFixture.with(try Self.made.get()) {
      ($0.patience, $0.statementLimit) = (.seconds(5), .seconds(120))
    } _: { options, open in
      let state = try open()
      let first = try #require(try await state.hold(StateWork("first")))
      let greedy = try PostgresConnection(try PostgresAddress(options.url), options)
      defer { greedy.close() }
      for round in 1...2 {
        let all = "SELECT count(pg_advisory_lock(\(round), n)) FROM generate_series(1, 10000000) n"
        let failure = #expect(throws: PostgresFailure.self) { try greedy.query(all, for: .seconds(120)) }
        #expect(failure?.code == "53200")
      }
      for _ in 1...3 {
        let error = await PostgresFixture.error { _ = try await state.hold(StateWork("second")) }
        #expect(error?.kind == .unavailable && error?.description.contains("no room") == true)
        #expect(first.isHeld)
      }
      greedy.close()
      var second: StateHold?
      try await PostgresFixture.eventually("there is room") {
        second = try? await state.hold(StateWork("second"))
        return second != nil
      }
      #expect(first.isHeld && second?.isHeld == true)
    }
  }

  @Test(arguments: ["53100", "53200", "58030", "40001", "23505"])
  func `says by ending the connection, and not by its reason, that what was being kept may be kept`(_ code: String)
    throws
  {
    let address = try PostgresAddress("postgres://localhost/state")
    func course(isOver: Bool) -> PostgresFailure.Course {
      PostgresFailure(code: code, message: "", isOver: isOver, address, key: StateKey("", [])).course
    }
    #expect(course(isOver: true) == .lost && course(isOver: false) != .lost)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `of disk that dies while it keeps something is asked for that when it is back`() async throws {
    let server = try Self.made.get()
    try await PostgresFixture.with(server) { _, open in
      let state = try open()
      try await state.write { try Counters.set("a", 1, in: $0) }
      // The next file of its log has no room.
      let current = try server.sql("SELECT pg_walfile_name(pg_current_wal_insert_lsn())")
      let number = try #require(Int(current.suffix(8), radix: 16)) + 1
      let digits = String(number, radix: 16, uppercase: true)
      let next = server.data.appending(
        path: "pg_wal/\(current.dropLast(8))\(String(repeating: "0", count: 8 - digits.count))\(digits)")
      try? FileManager.default.removeItem(at: next)
      try FileManager.default.createSymbolicLink(atPath: next.path, withDestinationPath: "/dev/full")
      try server.sql("SELECT pg_switch_wal()")
      let writer = Beside { try await state.write { try PostgresFixture.add("a", in: $0) } }
      try await PostgresFixture.eventually("it has died") { writer.isOver || !server.isRunning }
      #expect(server.log.contains("PANIC"))
      try FileManager.default.removeItem(at: next)
      try server.start()
      try await writer.finish()
      #expect(try await state.read { try Counters.count("a", in: $0) } == 2)
    }
  }
}
