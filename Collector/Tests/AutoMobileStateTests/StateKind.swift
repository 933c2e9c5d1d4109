import Foundation
import GRDB
import Testing

@testable import AutoMobileState

/// The stores that the same is asked of. A new one is a case here, an empty store of it in ``with(_:)`` and its words for types.
enum StateKind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  /// The same, with each write run twice.
  case rehearsed

  var testDescription: String { rawValue }

  /// An empty store with the tables of ``schema``, opened twice as two collectors would: where a store is alone, both are the same.
  func with(_ body: (_ state: any StateStore, _ other: any StateStore) async throws -> Void) async throws {
    switch self {
    case .sqlite, .rehearsed:
      let directory = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      let pool = try DatabasePool(path: directory.appending(path: "state.sqlite").path)
      try await pool.write { [schema] in try $0.execute(sql: schema) }
      let state = SQLiteState(pool, rehearses: self == .rehearsed)
      try await body(state, state)
      state.close()
      try pool.close()
    }
  }

  private var schema: String {
    let (integer, real, bytes) =
      switch self {
      case .sqlite, .rehearsed: ("INTEGER", "REAL", "BLOB")
      }
    return """
      CREATE TABLE counter(name TEXT PRIMARY KEY, n \(integer) NOT NULL CHECK (n >= 0));
      CREATE TABLE kept(id \(integer) PRIMARY KEY, whole \(integer), number \(real), text TEXT, raw \(bytes));
      CREATE TABLE member(project \(integer) NOT NULL, givenName TEXT NOT NULL, role TEXT, UNIQUE (project, givenName));
      """
  }
}
