import AutoMobilePostgres
import AutoMobileState
import Foundation
import GRDB
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

@Suite(.enabled(if: SharedState.isThere)) struct `A state that moves to PostgreSQL` {
  @Test func `is there row for row, and a second move sees that`() async throws {
    // More than a page of each.
    try await MovingState.with(rows: 700) { moving in
      let outcome = try moving.move.move()
      var rows = 0
      for table in MovedTable.all { rows += try moving.count(table) }
      #expect(outcome == .moved(rows: rows, replaced: []))
      #expect(rows == (MovedTable.all.count - 2) * 700 + 2)
      #expect(try moving.move.check() == [])
      #expect(try moving.move.move() == .wasMoved)
      let own = try moving.target.readNow {
        try $0.value("SELECT COUNT(*) FROM setting WHERE value = 'own'") ?? 0
          + ($0.value("SELECT COUNT(*) FROM blob_removal WHERE key = 'replays/own'") ?? 0)
      }
      #expect(own == 0)
    }
  }

  @Test func `numbers new rows behind those that moved, also behind those that were gone by then`() async throws {
    try await MovingState.with { moving in
      try await moving.store.pool.write { try $0.execute(sql: "DELETE FROM forwarder WHERE id = 3") }
      _ = try moving.move.move()
      for table in MovedTable.all where table.isNumbered {
        let next = try PostgresServer.shared.sql(
          "SELECT nextval(pg_get_serial_sequence('\(table.name)', 'id'))", in: moving.database)
        #expect(next == "4", "\(table.name)")
      }
      let added: Int64? = try moving.target.writeNow {
        try $0.value(
          "INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES ('new', 'new', 1, 'x') RETURNING id")
      }
      #expect(added == 5)
    }
  }

  @Test func `is compared by its bytes, and what differs is named without its values`() async throws {
    try await MovingState.with { moving in
      _ = try moving.move.move()
      // The same letter in another spelling.
      try moving.sql("UPDATE project_key SET hint = replace(hint, U&'e\\0301', U&'\\00E9') WHERE id = 1")
      try moving.sql("UPDATE alert_channel SET settings = settings || 'x', changedAt = 7 WHERE id = 2")
      try moving.sql("DELETE FROM issue_note WHERE name LIKE 'issue_note 3%'")
      try moving.sql("INSERT INTO setting VALUES ('a new one', 'x', 1, 'x')")
      try moving.sql("DELETE FROM ask_change")
      let found = try moving.move.check().map(\.description)
      #expect(found.count == 7, "\(found)")
      #expect(found.contains("project_key 1: hint differ"))
      #expect(found.contains("alert_channel 2: changedAt, settings differ"))
      #expect(found.contains { $0.hasPrefix("issue_note “issue_note 3") && $0.hasSuffix("is missing") })
      #expect(found.contains("setting “a new one”: is there, and was not before"))
      #expect((1...3).allSatisfy { found.contains("ask_change \($0): is missing") })
      #expect(try moving.move.check(most: 2).count == 2)
      // It cannot be begun again over what is there.
      let words = try #require(MovingState.words { _ = try moving.move.move() })
      #expect(words.contains("was moved") && words.contains("has changed since"), "\(words)")
      #expect(MovingState.words { try moving.move.settle() }?.contains("is not what is in the data directory") == true)
    }
  }

  @Test func `moves into an empty database only, and says what is there`() async throws {
    try await MovingState.with { moving in
      try moving.sql(
        "INSERT INTO configuration_store VALUES (1, 'another'); INSERT INTO setting VALUES ('s', 'hidden', 1, 'x')")
      let words = try #require(MovingState.words { _ = try moving.move.move() })
      #expect(words.contains("configuration_store (1), setting (1)") && !words.contains("hidden"), "\(words)")
      #expect(try MovedTable.all.map { try moving.count($0) }.reduce(0, +) == 2)
    }
  }

  @Test func `is whole or not there, wherever the way to it is cut`() async throws {
    try await MovingState.with { moving in
      var options = try SharedState.options(moving.database)
      options.patience = .milliseconds(1)
      options.opening = .seconds(60)
      let hasty = try PostgresState(options)
      defer { hasty.close() }
      // As when the process ends: the server sees that nobody is there any more.
      func cut() {
        try? moving.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database()"
        )
      }
      for table in ["configuration_store", "audit", "erased_name"] {
        let move = StateMove(store: moving.store, to: hasty)
        #expect(throws: StateError.self) { _ = try move.move { if $0.table == table { cut() } } }
        #expect(try MovedTable.all.map { try moving.count($0) }.reduce(0, +) == 0, "\(table)")
      }
      // With time it is done again from the beginning, once.
      var isCut = false
      let outcome = try moving.move.move { progress in
        guard progress.table == "audit", !isCut else { return }
        isCut = true
        cut()
      }
      #expect(isCut && outcome != .wasMoved)
      #expect(try moving.move.check() == [])
    }
  }

  @Test func `keeps a collector that starts meanwhile from beginning a state of its own`() async throws {
    try await MovingState.with { moving in
      var options = try SharedState.options(moving.database)
      (options.patience, options.opening) = (.milliseconds(1), .seconds(60))
      options.statementLimit = .seconds(1)
      var said: [String?] = []
      _ = try moving.move.move { progress in
        guard progress.table == "audit", said.isEmpty else { return }
        said.append(
          MovingState.words {
            let other = try PostgresState(options)
            defer { other.close() }
            _ = try ConfigurationStore(other, logger: RunningCollector.quiet)
          })
      }
      #expect(said.count == 1 && said.first??.contains("took too long") == true, "\(said)")
      #expect(try moving.move.check() == [])
      let issuer: StateSQL = "SELECT issuer FROM configuration_store"
      let known = try moving.store.own.readNow { try $0.rows(issuer) }
      #expect(try moving.target.readNow { try $0.rows(issuer) } == known)
    }
  }

  @Test func `tells of texts that PostgreSQL does not keep, and refuses what it cannot replace`() async throws {
    try await MovingState.with { moving in
      try await moving.store.pool.write {
        try $0.execute(sql: "UPDATE project SET name = CAST(x'61006233' AS TEXT) WHERE id = 1")
        try $0.execute(sql: "UPDATE alert_channel SET settings = CAST(x'61ff62' AS TEXT) WHERE id = 2")
      }
      let outcome = try moving.move.move()
      guard case .moved(_, let replaced) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(replaced == ["alert_channel 2, settings", "project 1, name"])
      let names = try moving.target.readNow { try $0.rows("SELECT name FROM project WHERE id = 1") }
      #expect(names == [StateRow([.text("a\u{FFFD}b3")])])
      #expect(try moving.move.check() == [])
    }
    for (statement, words) in [
      ("UPDATE setting SET name = CAST(x'6100' AS TEXT) WHERE name LIKE 'setting 1%'", "setting, name"),
      ("UPDATE project SET createdAt = 'hidden' WHERE id = 2", "project 2, createdAt: the value is text"),
      ("UPDATE project_key SET hash = 'hidden' WHERE id = 2", "project_key 2, hash: the value is text"),
      ("UPDATE alert_channel SET settings = x'00' WHERE id = 2", "alert_channel 2, settings: the value is blob"),
    ] {
      try await MovingState.with { moving in
        try await moving.store.pool.write { try $0.execute(sql: statement) }
        let said = try #require(MovingState.words { _ = try moving.move.move() }, "\(statement)")
        #expect(said.contains(words) && !said.contains("hidden"), "\(said)")
        #expect(try MovedTable.all.map { try moving.count($0) }.reduce(0, +) == 0)
      }
    }
  }

  @Test func `leaves in the data directory what is its collector's own, and where the rest is`() async throws {
    try await MovingState.with { moving in
      _ = try moving.move.move()
      try moving.move.settle()
      try await moving.store.pool.read { database in
        for table in MovedTable.all {
          let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table.name)") ?? 0
          let own = ["setting": 1, "blob_removal": 1, "blob_place": 1]
          let copies: Set = ["project", "issue_state", "issue_note", "issue_merge", "forwarder", "forwarder_lane"]
          // The directory's name is made for its symbols.
          let expected = table.name == "setting" ? 2 : own[table.name] ?? (copies.contains(table.name) ? 3 : 0)
          #expect(count == expected, "\(table.name)")
        }
        #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM alert_cursor") == 3)
        #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM erasure_mark") == 3)
      }
      #expect(try moving.move.move() == .wasMoved)
      #expect(throws: CollectorError.self) { _ = try moving.move.check() }
      try moving.sql("UPDATE configuration_store SET issuer = 'another'")
      #expect(throws: CollectorError.self) { _ = try moving.move.move() }
    }
  }

  @Test func `has followers begin at a place when their numbers say nothing any more`() async throws {
    try await MovingState.with { moving in
      try await moving.store.pool.write { try $0.execute(sql: "UPDATE alert_rule SET kind = 'new_issue' WHERE id = 1") }
      let move = StateMove(store: moving.store, to: moving.target, place: 42)
      _ = try move.move()
      #expect(try move.check() == [])
      let (lanes, rules) = try moving.target.readNow { state in
        (
          try state.rows("SELECT DISTINCT cursor FROM forwarder_lane"),
          try state.rows("SELECT id FROM alert_rule WHERE cursor = 42")
        )
      }
      #expect(lanes == [StateRow([.integer(42)])] && rules == [StateRow([.integer(1)])])
    }
  }
}
