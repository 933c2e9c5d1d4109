import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// The wall around the data of a project, in the database itself.
@Suite struct `The wall of a project` {
  private struct Place {
    let directory: TemporaryDirectory
    let store: EventStore

    init() throws {
      directory = try TemporaryDirectory()
      store = try EventStore(
        path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    }
  }

  @Test func `every table is behind it, or stands in the list with its reason`() throws {
    let place = try Place()
    let tables = try place.store.pool.read {
      try String.fetchAll(
        $0,
        sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      )
    }.filter { !$0.hasPrefix("event_text") }
    #expect(tables.count > 50)
    for table in tables { #expect(WallRule.tables[table] != nil, "nobody has decided who may read \(table)") }
    for table in WallRule.tables.keys { #expect(tables.contains(table), "there is no table \(table)") }
    for case .closed(let reason) in WallRule.tables.values { #expect(!reason.isEmpty) }
    for case .common(let reason) in WallRule.tables.values { #expect(!reason.isEmpty) }
  }

  @Test func `what is closed, and what nobody has thought of, is refused`() async throws {
    let place = try Place()
    try await place.store.pool.write {
      try $0.execute(sql: "CREATE TABLE newcomer(secret TEXT); INSERT INTO newcomer VALUES ('x')")
    }
    let scope = try await place.store.readScope(for: "com.example.own")
    for table in [
      "newcomer", "setting", "project_key", "alert_rule", "forwarder", "event_text_data", "grdb_migrations",
    ] {
      await #expect(throws: (any Error).self, "\(table)") {
        _ = try await place.store.read(scope) { try Row.fetchAll($0, sql: "SELECT * FROM \(table)").count }
      }
      await #expect(throws: (any Error).self, "\(table)") {
        try await place.store.read(scope) { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") }
      }
    }
  }

  /// Two apps, and two projects of which one's name begins with the other's.
  @Test func `shows what belongs to the project, and nothing else, whatever is asked`() async throws {
    let place = try Place()
    let names = [
      "app com.example.own", "app com.example.own.widget", "app com.example.own.other", "app com.example.owner",
      "file 3f2a", "app ",
    ]
    try await place.store.pool.write { database in
      try database.execute(
        sql: "INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES ('o', 'com.example.own.other', 1, 't')")
      for (index, name) in names.enumerated() {
        let id = Int64(index + 1)
        try database.execute(sql: "INSERT INTO owner(id, name) VALUES (?, ?)", arguments: [id, name])
        try database.execute(
          sql: """
            INSERT INTO session(id, sessionId, bundleId, owner, given, first, last, events) VALUES (?1, 's' || ?1, ?2, ?1, 's', 1, ?1, 1)
            """, arguments: [id, DataOwner(name: name).bundleId])
        try database.execute(
          sql: "INSERT INTO launch(id, launchId, owner, given) VALUES (?1, 'l' || ?1, ?1, 'l')", arguments: [id])
        try database.execute(
          sql: """
            INSERT INTO event(id, launch, sequence, session, type, timestamp, received, payload) VALUES (?1, ?1, 1, ?1, 1, 1, 1, '{}');
            """, arguments: [id])
        try database.execute(sql: "INSERT INTO event_text(rowid, text) VALUES (?, 'word')", arguments: [id])
        try database.execute(
          sql: "INSERT INTO issue(id, name, kind, cause, events) VALUES (?1, 'i' || ?1, 'crash', 'c', 1)",
          arguments: [id])
        try database.execute(sql: "INSERT INTO issue_session VALUES (?1, ?1, 1)", arguments: [id])
        try database.execute(
          sql: "INSERT INTO build(id, bundleId, version) VALUES (?, ?, '1')",
          arguments: [id, DataOwner(name: name).bundleId ?? name])
      }
    }
    let scope = try await place.store.readScope(for: "com.example.own")
    func numbers(_ sql: String) async throws -> [Int64] {
      try await place.store.read(scope) { try Int64.fetchAll($0, sql: sql) }
    }
    for table in ["session", "launch", "event", "issue", "build", "owner"] {
      #expect(try await numbers("SELECT id FROM \(table) ORDER BY id") == [1, 2], "\(table)")
      #expect(try await numbers("SELECT COUNT(*) FROM \(table)") == [2], "\(table)")
      #expect(try await numbers("SELECT MAX(id) FROM \(table)") == [2], "\(table)")
      #expect(try await numbers("SELECT id FROM \(table) WHERE id = 4").isEmpty, "\(table)")
    }
    #expect(
      try await numbers("SELECT rowid FROM event_text WHERE event_text MATCH 'wor*' ORDER BY rowid DESC LIMIT 9") == [
        2, 1,
      ])
    #expect(
      try await numbers("SELECT event.id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = 4").isEmpty)
    #expect(
      try await numbers("SELECT event.id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = 2") == [2])
    // The same connection, for somebody who sees another project.
    let other = try await place.store.readScope(for: "com.example.owner")
    let seen = try await place.store.read(other) { try Int64.fetchAll($0, sql: "SELECT id FROM session") }
    #expect(seen == [4])
    let all = try place.store.readScope()
    #expect(try await place.store.read(all) { try Int64.fetchAll($0, sql: "SELECT id FROM session").count } == 6)
  }

  @Test func `uses the same indexes`() async throws {
    let place = try Place()
    let scope = try await place.store.readScope(for: "com.example.own")
    let questions = [
      "session_last": "SELECT id FROM session WHERE last IS NOT NULL ORDER BY last DESC, id DESC LIMIT 50",
      "event_outline":
        "SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE session = 1 ORDER BY timestamp, id",
      "event_error": "SELECT id FROM \(IndexedRows.event(by: "event_error")) WHERE session = 1 AND severity >= 4",
      "network_failed":
        "SELECT event FROM \(IndexedRows.network(by: "network_failed")) WHERE failed = 1 ORDER BY timestamp DESC",
      "network_time":
        "SELECT event FROM \(IndexedRows.network(by: "network_time")) WHERE network.timestamp > 1 ORDER BY timestamp",
      "spans_trace":
        "SELECT id FROM \(IndexedRows.spans(by: "spans_trace")) WHERE trace = x'00' ORDER BY timestamp, id",
      "issue_last": "SELECT id FROM issue ORDER BY last DESC LIMIT 10",
    ]
    for scope in [scope, try place.store.readScope()] {
      for (index, sql) in questions {
        let plan = try await place.store.read(scope) {
          try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }.joined(separator: "\n")
        }
        #expect(
          plan.contains("INDEX \(index)") && !plan.contains("TEMP B-TREE") && !plan.contains("MATERIALIZE"),
          "\(sql)\n\(plan)")
      }
    }
  }

  /// A question that names the schema would be asked beside the wall.
  @Test func `nothing but the wall names the schema`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/AutoMobileCollector")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" && !file.path.contains("/Store/Wall/") {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for name in WallRule.tables.keys {
        #expect(!text.contains("main.\(name)"), "\(file.lastPathComponent) reads main.\(name)")
      }
    }
    #expect(count > 200)
  }

  @Test func `a key for a project that is gone is no key`() async throws {
    let place = try Place()
    let scope = try await place.store.readScope(for: "com.example.own")
    try await place.store.pool.write { try $0.execute(sql: "DELETE FROM project") }
    #expect(try await place.store.read(scope) { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM session") } == 0)
  }
}
