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
    let server = try PostgresServer.shared
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    var options = PostgresOptions(url: server.url(of: database))
    options.patience = .seconds(60)
    let state = try PostgresState(options)
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
    #expect(there.count > 10)
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
}
