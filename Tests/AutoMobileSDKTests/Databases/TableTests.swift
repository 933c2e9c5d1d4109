import Foundation
import Testing

@testable import AutoMobileInspection

@Suite struct `Tables` {
  private let directory: TemporaryDirectory
  private let driver: SQLiteDatabaseDriver

  init() throws {
    directory = try TemporaryDirectory()
    driver = .at(directory)
  }

  @Test func `A21: tables, pages and the structure of a table are told`() throws {
    let database = try TestDatabase(
      directory, "shop.sqlite",
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY, drink TEXT NOT NULL DEFAULT 'latte', price REAL, note BLOB);
      CREATE VIEW cheap AS SELECT * FROM orders WHERE price < 3;
      CREATE INDEX by_price ON orders (price);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
      INSERT INTO orders SELECT i, 'drink ' || i, i / 2.0, NULL FROM n;
      """)
    #expect(driver.getDatabases().map(\.path) == [database.path])
    #expect(driver.getTables(databasePath: database.path) == ["cheap", "orders"])
    let page = driver.getTableData(databasePath: database.path, table: "orders", limit: 100, offset: 200)
    #expect(page.columns == ["id", "drink", "price", "note"])
    #expect(page.rows.count == 50)
    #expect(page.rows.first == ["201", "drink 201", "100.5", nil])
    #expect(page.types.first == [.integer, .text, .real, .null])
    #expect(page.totalRows == 250 && !page.isTruncated && page.error == nil)
    #expect(driver.getTableData(databasePath: database.path, table: "cheap", limit: 9, offset: 0).totalRows == 5)

    let structure = driver.getTableStructure(databasePath: database.path, table: "orders")
    #expect(
      structure.columns == [
        ColumnInfo(name: "id", type: "INTEGER", isNullable: true, isPrimaryKey: true, defaultValue: nil),
        ColumnInfo(name: "drink", type: "TEXT", isNullable: false, isPrimaryKey: false, defaultValue: "'latte'"),
        ColumnInfo(name: "price", type: "REAL", isNullable: true, isPrimaryKey: false, defaultValue: nil),
        ColumnInfo(name: "note", type: "BLOB", isNullable: true, isPrimaryKey: false, defaultValue: nil),
      ])
    #expect(structure.sql?.hasPrefix("CREATE TABLE orders") == true)
  }

  @Test(arguments: [
    "order", "a\"b", "a'; DROP TABLE orders; --", "[x]", "🦊 é", "", "%_", "a\nb", "`", "select", "\\",
    String(repeating: "long", count: 500),
  ])
  func `a table of any name is read, and its name is never SQL`(name: String) throws {
    let quoted = SQLite.quoted(name)
    let database = try TestDatabase(
      directory, "odd.db", "CREATE TABLE orders (a)", "CREATE TABLE \(quoted) (\"c\"\"'\" TEXT)",
      "INSERT INTO \(quoted) VALUES ('x')")
    #expect(driver.getTables(databasePath: database.path).sorted() == ["orders", name].sorted())
    let page = driver.getTableData(databasePath: database.path, table: name, limit: 10, offset: 0)
    #expect(page == TableDataResult(columns: ["c\"'"], rows: [["x"]], totalRows: 1, types: [[.text]]))
    #expect(driver.getTableStructure(databasePath: database.path, table: name).columns.map(\.name) == ["c\"'"])
  }

  @Test func `a name that no table has is no statement`() throws {
    let database = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)")
    for name in ["t\" UNION SELECT 1 --", "t; DROP TABLE t", "none", "t\0", "sqlite_master\""] {
      let page = driver.getTableData(databasePath: database.path, table: name, limit: 10, offset: 0)
      #expect(page.error != nil && page.rows.isEmpty, "\(name)")
      #expect(driver.getTableStructure(databasePath: database.path, table: name).error != nil)
    }
    #expect(try database.value("SELECT count(*) FROM t") == "0")
  }

  @Test func `text that is no UTF-8, zero bytes, blobs and large numbers survive`() throws {
    let database = try TestDatabase(
      directory, "odd.db", "CREATE TABLE t (v)",
      """
      INSERT INTO t VALUES (CAST(x'61FF62' AS TEXT)), (CAST(x'610062' AS TEXT)), (x'00FF10'), (9223372036854775807),
        (-9223372036854775808), (1e308), (9e999), (''), (x''), ('🦊'), (0.1)
      """)
    let page = driver.getTableData(databasePath: database.path, table: "t", limit: 100, offset: 0)
    #expect(
      page.rows.map { $0.first ?? nil } == [
        "a\u{FFFD}b", "a\0b", "AP8Q", "9223372036854775807", "-9223372036854775808", "1e+308", "inf", "", "", "🦊",
        "0.1",
      ])
    #expect(
      page.types.compactMap(\.first) == [
        .text, .text, .blob, .integer, .integer, .real, .real, .text, .blob, .text, .real,
      ])
  }

  @Test func `a page has at most 500 rows and 512 KiB, values at most 64 KiB, and says that something is missing`()
    throws
  {
    let database = try TestDatabase(
      directory, "large.db", "CREATE TABLE many (a)", "CREATE TABLE wide (a)", "CREATE TABLE huge (a, b)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501) INSERT INTO many SELECT i FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO wide SELECT replace(hex(zeroblob(5000)), '0', char(1)) FROM n
      """,
      "INSERT INTO huge VALUES (replace(hex(zeroblob(500000)), '0', 'é'), zeroblob(1000000))")
    func page(_ table: String) -> TableDataResult {
      driver.getTableData(databasePath: database.path, table: table, limit: .max, offset: 0)
    }
    #expect(page("many").rows.count == 500 && page("many").isTruncated && page("many").totalRows == 501)
    let exact = driver.getTableData(databasePath: database.path, table: "many", limit: 500, offset: 0)
    #expect(exact.rows.count == 500 && !exact.isTruncated)
    let wide = page("wide")
    // Each is 10 000 control characters, of which JSON makes six bytes each.
    #expect(wide.rows.count == 8 && wide.isTruncated && wide.totalRows == 100)
    let huge = try #require(page("huge").rows.first)
    #expect(page("huge").isTruncated)
    #expect((huge.first ?? nil)?.utf8.count == 64 * 1024 + 3 && (huge.first ?? nil)?.hasSuffix("é…") == true)
    #expect((huge.last ?? nil).flatMap { Data(base64Encoded: $0) } == Data(count: 48 * 1024))
  }

  @Test func `limits and offsets beyond reason are what they mean`() throws {
    let database = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1), (2), (3)")
    func rows(_ limit: Int, _ offset: Int) -> Int {
      driver.getTableData(databasePath: database.path, table: "t", limit: limit, offset: offset).rows.count
    }
    #expect(rows(-1, 0) == 0 && rows(.min, .min) == 0 && rows(2, -5) == 2 && rows(.max, .max) == 0 && rows(0, 0) == 0)
  }

  @Test func `A21: a connection is kept, for a few databases, and follows a file that is replaced`() throws {
    var databases: [TestDatabase] = []
    for index in 0..<SQLiteConnections.maximumCount + 4 {
      databases.append(try TestDatabase(directory, "\(index).db", "CREATE TABLE t\(index) (a)"))
    }
    for _ in 0..<2 {
      for (index, database) in databases.enumerated() {
        #expect(driver.getTables(databasePath: database.path) == ["t\(index)"])
      }
    }
    #expect(driver.openCount == SQLiteConnections.maximumCount)
    let path = try #require(databases.last).path
    let other = try TestDatabase(directory, "other", "CREATE TABLE new (a)").path
    try #require(rename(other, path) == 0)
    #expect(driver.getTables(databasePath: path) == ["new"])
    driver.closeAll()
    #expect(driver.openCount == 0)
    #expect(driver.getTables(databasePath: path) == ["new"])
  }
}
