import AutoMobilePostgres
import AutoMobileState
import Foundation
import GRDB
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

/// A state in an index's file with rows in every table, and an empty database.
struct MovingState {
  let store: EventStore
  let target: PostgresState
  let database: String

  var move: StateMove { StateMove(store: store, to: target) }

  static func with(rows: Int = 3, _ body: (MovingState) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    defer { try? store.close() }
    try await SharedState.with { database in
      let target = try PostgresState(try SharedState.options(database))
      defer { target.close() }
      let moving = MovingState(store: store, target: target, database: database)
      try moving.fill(rows)
      try await body(moving)
    }
    withExtendedLifetime(directory) {}
  }

  /// Every table has rows, with nothing in every second one where there may be nothing.
  private func fill(_ rows: Int) throws {
    try store.pool.write { database in
      for table in MovedTable.all where table.name != "erased_name" {
        let known = try database.columns(in: table.name)
        let isSingle = ["configuration_store", "blob_place"].contains(table.name)
        for row in 1...(isSingle ? 1 : rows) {
          let values = table.columns.filter { column in known.contains { $0.name == column.name } }.map { column in
            let mayBeNull =
              known.first { $0.name == column.name }.map { !$0.isNotNull && $0.primaryKeyIndex == 0 } ?? false
            return (column.name, mayBeNull && row.isMultiple(of: 2) ? .null : Self.value(table, column, row))
          }
          let names = values.map(\.0).joined(separator: ", ")
          let marks = values.map { _ in "?" }.joined(separator: ", ")
          try database.execute(
            sql: "INSERT INTO \(table.name)(\(names)) VALUES (\(marks))", arguments: StatementArguments(values.map(\.1))
          )
        }
      }
      for row in 1...rows {
        try database.execute(
          sql: "INSERT INTO erasure_mark(hash, erasure, at, ends) VALUES (?, 1, ?, ?)",
          arguments: [Data([0, 0xFF, UInt8(row >> 8), UInt8(row & 0xFF)]), row, Int64.max - 1])
      }
      try ErasureMarks.makeKey(in: database)
      // One's own.
      try database.execute(sql: "INSERT INTO setting VALUES ('telemetry_place', 'own', 1, 'x')")
      try database.execute(sql: "INSERT INTO blob_removal(key) VALUES ('replays/own')")
    }
  }

  private static func value(_ table: MovedTable, _ column: MovedTable.Column, _ row: Int) -> DatabaseValue {
    switch column.kind {
    case .whole:
      switch (column.name, row) {
      case ("id", _), ("rule", _), ("forwarder", _), ("version", _), ("place", _): row.databaseValue
      case (_, 1): Int64.max.databaseValue
      default: (-row).databaseValue
      }
    case .text where table.name == "blob_place" && column.name == "place": "folder".databaseValue
    case .text where table.name == "blob_removal": "symbols/\(row)".databaseValue
    // Two that Swift takes for the same, an empty part, and what looks like an escape.
    case .text: "\(table.name) \(row) \(row.isMultiple(of: 2) ? "é" : "e\u{301}") \\x00 '\"$1 🦉\n".databaseValue
    case .bytes: Data([0, 0xFF, 0x5C] + Array("\(table.name)\(row)".utf8)).databaseValue
    }
  }

  func count(_ table: MovedTable) throws -> Int {
    try target.readNow { try $0.value("SELECT COUNT(*) FROM \(table.sql)") ?? 0 }
  }

  func sql(_ text: String) throws { _ = try PostgresServer.shared.sql(text, in: database) }

  /// What it says of an error.
  static func words(of body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
