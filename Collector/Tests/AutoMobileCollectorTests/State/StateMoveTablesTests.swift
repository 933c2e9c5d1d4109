import AutoMobilePostgres
import AutoMobileState
import Foundation
import GRDB
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

@Suite(.enabled(if: SharedState.isThere)) struct `The tables that move with the state` {
  @Test func `are those of PostgreSQL, with all their columns, and what those hold`() async throws {
    try await SharedState.with { database in
      let state = try PostgresState(try SharedState.options(database))
      defer { state.close() }
      let rows = try await state.read {
        try $0.rows(
          """
          SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT), is_identity = 'YES'
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name NOT LIKE 'automobile%'
          """)
      }
      var there: [String: [String: String]] = [:]
      var numbered: Set<String> = []
      for row in rows {
        there[try row[0], default: [:]][try row[1]] = try row[2]
        if try row[3] { numbered.insert(try row[0]) }
      }
      #expect(there.count > 25)
      let moved = Dictionary(grouping: MovedTable.all, by: \.name)
      #expect(
        Set(there.keys).subtracting(moved.keys).subtracting(MovedTable.ownOfCollector.keys) == [],
        "these neither move with the state nor have a reason to stay")
      for (name, tables) in moved {
        let table = try #require(tables.count == 1 ? tables.first : nil, "\(name) is there twice")
        let columns = table.columns.map { column in
          let type =
            switch column.kind {
            case .whole: "bigint"
            case .text: "text"
            case .bytes: "bytea"
            }
          return (column.name.lowercased(), type)
        }
        #expect(Dictionary(columns) { $1 } == there[name], "\(name)")
        #expect(table.isNumbered == numbered.contains(name), "\(name)")
      }
    }
  }

  @Test func `are not those that stay, which are in the index`() throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    defer { try? store.close() }
    let names = try store.pool.read {
      try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    #expect(Set(MovedTable.ownOfCollector.keys).subtracting(names) == [])
    #expect(Set(MovedTable.ownOfCollector.keys).intersection(MovedTable.all.map(\.name)) == [])
    #expect(Set(MovedTable.all.map(\.name)).subtracting(names) == [])
  }
}
