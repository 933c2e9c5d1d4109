import AutoMobilePostgres
import AutoMobileState
import Foundation
import GRDB
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

@Suite(.enabled(if: PostgresServer.missing == nil)) struct `The tables of the state` {
  @Test func `have the same columns in the index's file and in PostgreSQL`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let database = try SharedState.make()
    defer { try? PostgresServer.shared.drop(database) }
    let state = try PostgresState(try SharedState.options(database))
    defer { state.close() }
    let rows = try await state.read {
      try $0.rows(
        """
        SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), is_nullable = 'YES' FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name NOT LIKE 'automobile%'
        """)
    }
    /// By table, and column, whether there may be nothing.
    var there: [String: [String: Bool]] = [:]
    for row in rows { there[try row[0], default: [:]][try row[1]] = try row[2] }
    #expect(try Self.named().subtracting(there.keys) == [], "statements name these, and PostgreSQL does not have them")
    for (table, columns) in there {
      let here = try store.pool.read { database in
        try Row.fetchAll(
          database, sql: "SELECT lower(name), \"notnull\" = 0 AND pk = 0 FROM pragma_table_info(?)", arguments: [table])
      }
      let inFile = Dictionary(here.map { ($0[0] as String, $0[1] as Bool) }) { _, last in last }
      #expect(columns == inFile, "\(table)")
    }
    try store.close()
  }

  /// Tables that statements of the state name, by the sources: of files that know the state and not the engine.
  private static func named() throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/AutoMobileCollector").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    var names: Set<String> = []
    for path in paths {
      let code = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      guard code.contains("import AutoMobileState"), !code.contains("import GRDB") else { continue }
      for match in code.matches(of: /\b(?:FROM|INTO|JOIN|UPDATE) ([a-z_]+)/) { names.insert(String(match.1)) }
    }
    #expect(names.count > 25)
    // Looked at in the index's own file alone.
    return names.subtracting(["erasure_mark", "launch", "replay", "replay_pack", "session"])
  }
}
