import Foundation
import Testing

@testable import AutoMobileInspection

@Suite struct `Statements` {
  private let directory: TemporaryDirectory
  private let database: TestDatabase
  /// As in a debug build, and as in a release build.
  private let driver: SQLiteDatabaseDriver
  private let reader: SQLiteDatabaseDriver

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase(
      directory, "shop.db", "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
      "CREATE TABLE log (what)",
      "CREATE INDEX by_b ON t (b)", "CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.a); END")
    driver = .at(directory)
    reader = .at(directory, allowsWrites: false)
  }

  private func content() throws -> String? {
    try database.value(
      """
      SELECT (SELECT group_concat(a || b) FROM t) || '|' || (SELECT count(*) FROM log) || '|'
        || (SELECT count(*) FROM sqlite_master) || '|' || (SELECT user_version FROM pragma_user_version)
      """)
  }

  @Test(arguments: [
    ("SELECT a, b FROM t WHERE b = 'y'", [["2", "y"]]),
    ("  -- a comment\n/* and another */ SELECT 1;  ; -- the end", [["1"]]),
    ("WITH n AS (SELECT max(a) AS m FROM t) SELECT m FROM n", [["2"]]),
    ("VALUES (1), (NULL)", [["1"], [nil]]),
    ("PRAGMA user_version", [["0"]]),
    ("PRAGMA index_list('log')", []),
    ("SELECT name FROM pragma_table_info('t')", [["a"], ["b"]]),
    ("PRAGMA integrity_check", [["ok"]]),
    ("SELECT 'DELETE FROM t; ATTACH x'", [["DELETE FROM t; ATTACH x"]]),
    ("SELECT count(*) FROM (SELECT 1 UNION SELECT 2)", [["2"]]),
    ("SELECT json_extract('{\"a\":[1]}', '$.a[0]')", [["1"]]),
  ])
  func `what only reads is executed, also in a release build`(sql: String, rows: [[String?]]) throws {
    let result = reader.executeSQL(databasePath: database.path, query: sql)
    #expect(result.error == nil)
    #expect(result.rows == rows)
    #expect(try reader.readSQL(database.path, sql).rows == rows)
  }

  @Test func `what a statement would do is explained, and not done`() throws {
    let before = try content()
    for sql in ["EXPLAIN DELETE FROM t", "EXPLAIN QUERY PLAN UPDATE t SET b = ''"] {
      let result = reader.executeSQL(databasePath: database.path, query: sql)
      #expect(result.error == nil && result.rows?.isEmpty == false, "\(sql)")
    }
    #expect(try content() == before)
  }

  /// With how many rows each changes.
  static let writes: [(String, Int)] = [
    ("INSERT INTO t VALUES (3, 'z')", 1), ("UPDATE t SET b = 'q'", 2), ("DELETE FROM t", 2),
    ("REPLACE INTO t VALUES (1, 'n')", 1),
    ("WITH doomed AS (SELECT 1 AS d) DELETE FROM t WHERE a IN (SELECT d FROM doomed)", 1),
    ("/* SELECT */ DELETE FROM t WHERE a = 2 RETURNING b", 1), ("INSERT INTO t VALUES (9, 'r') RETURNING a, b", 1),
    ("PRAGMA user_version = 7", 0), ("PRAGMA user_version(7)", 0), ("PRAGMA journal_mode = WAL", 0),
    ("CREATE TABLE new (a)", 0), ("DROP TABLE log", 0), ("ALTER TABLE t ADD COLUMN c", 0), ("VACUUM", 0),
    ("REINDEX by_b", 0),
    ("ANALYZE", 0), ("CREATE VIEW v AS SELECT 1", 0), ("CREATE VIRTUAL TABLE words USING fts5(text)", 0),
    ("PRAGMA wal_checkpoint", 0), ("PRAGMA optimize", 0), ("CREATE TEMP TABLE mine (a)", 0),
  ]

  @Test(arguments: writes)
  func `A21: what changes something is told from what reads, whatever its words, and done in debug builds only`(
    sql: String, rows: Int
  ) throws {
    let before = try content()
    let refused = reader.executeSQL(databasePath: database.path, query: sql)
    #expect(refused.error?.contains("only debug builds") == true, "\(refused)")
    #expect(throws: DatabaseError.isWrite) { try driver.readSQL(database.path, sql) }
    #expect(try content() == before)
    let done = driver.executeSQL(databasePath: database.path, query: sql)
    #expect(done.error == nil)
    #expect(done.rowsAffected == rows)
    if sql.contains("RETURNING") { #expect(done.rows?.count == 1) }
  }

  @Test func `a change is there for the app at once, and its triggers have run`() throws {
    #expect(driver.executeSQL(databasePath: database.path, query: "DELETE FROM t WHERE a = 1").rowsAffected == 1)
    #expect(try content() == "2y|1|4|0")
    _ = driver.executeSQL(databasePath: database.path, query: "PRAGMA user_version = 7")
    #expect(try content() == "2y|1|4|7")
  }

  @Test(arguments: [
    "ATTACH 'other.db' AS other", "ATTACH '' AS other", "ATTACH ':memory:' AS m", "/* x */ attach database 'o' as o",
    "DETACH main", "VACUUM INTO 'copy.db'", "VACUUM main INTO 'copy.db'", "SELECT load_extension('evil')",
    "SELECT a FROM t WHERE load_extension('evil', 'x')", "PRAGMA writable_schema = ON", "PRAGMA writable_schema(1)",
    "PRAGMA main.writable_schema = 1", "PRAGMA schema_version = 3", "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 1", "PRAGMA trusted_schema = ON", "PRAGMA query_only = OFF", "PRAGMA key = 'x'",
    "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA unheard_of", "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "END", "ROLLBACK",
    "SAVEPOINT s",
    "RELEASE s", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM t", "DELETE FROM t; SELECT 1", "SELECT 1;;/**/x",
    "PRAGMA user_version = 5; DROP TABLE t", "SELECT 1; ATTACH 'o' AS o", "SELECT 1\0; DROP TABLE t", "",
    "-- nothing", ";", "UPDATE sqlite_master SET sql = ''", "DELETE FROM sqlite_master", "EXPLAIN ATTACH 'x' AS y",
    "SELECT * FROM pragma_writable_schema", "SELECT fts3_tokenizer('simple')", "EXPLAIN PRAGMA writable_schema = ON",
    "SELECT 1 FROM",
  ])
  func `what is never allowed is refused, in debug builds, too, and changes nothing`(sql: String) throws {
    let before = try content()
    for driver in [driver, reader] {
      let result = driver.executeSQL(databasePath: database.path, query: sql)
      #expect(result.error != nil && result.rows == nil, "\(result)")
    }
    #expect(throws: DatabaseError.self) { try driver.readSQL(database.path, sql) }
    #expect(try content() == before)
    #expect(directory.names.filter { !$0.hasPrefix("shop.db") } == [])
    // Nothing of it holds for what comes after.
    #expect(driver.executeSQL(databasePath: database.path, query: "SELECT a FROM t").rows == [["1"], ["2"]])
    #expect(driver.executeSQL(databasePath: database.path, query: "UPDATE t SET b = b").rowsAffected == 2)
    #expect(driver.executeSQL(databasePath: database.path, query: "UPDATE sqlite_master SET sql = sql").error != nil)
  }

  @Test func `the reason of a refusal is said`() {
    func error(_ sql: String) -> String { driver.executeSQL(databasePath: database.path, query: sql).error ?? "" }
    #expect(error("ATTACH 'a' AS b").contains("ATTACH opens another file"))
    #expect(error("VACUUM INTO 'a'").contains("VACUUM INTO writes another file"))
    #expect(error("SELECT 1; SELECT 2").contains("more than one statement"))
    #expect(error("BEGIN").contains("each statement is one by itself"))
    #expect(error("PRAGMA writable_schema=1").contains("writable_schema"))
    #expect(error("SELECT nowhere FROM t") == "no such column: nowhere")
    #expect(error("SELEC 1").contains("syntax error"))
    #expect(error(String(repeating: " ", count: SQLite.maximumStatement) + "SELECT 1").contains("100000 bytes"))
  }

  @Test func `a statement that goes on for ever is stopped at its deadline, and changes nothing`() throws {
    let driver = SQLiteDatabaseDriver.at(directory, statementMilliseconds: 600)
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    let before = try content()
    for sql in ["\(endless) SELECT count(*) FROM n", "\(endless) INSERT INTO log SELECT i FROM n"] {
      let result = driver.executeSQL(databasePath: database.path, query: sql)
      #expect(result.error?.contains("took too long") == true, "\(result)")
    }
    #expect(try content() == before)
    #expect(driver.executeSQL(databasePath: database.path, query: "SELECT count(*) FROM t").rows == [["2"]])
  }

  @Test func `results have at most 500 rows and 512 KiB, and say that there are more`() throws {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    let many = driver.executeSQL(databasePath: database.path, query: "\(endless) SELECT i FROM n")
    #expect(many.rows?.count == 500 && many.isTruncated && many.error == nil)
    let wide = driver.executeSQL(
      databasePath: database.path, query: "\(endless) SELECT hex(zeroblob(20000)) FROM n")
    #expect(wide.rows?.count == 12 && wide.isTruncated)
    let huge = driver.executeSQL(databasePath: database.path, query: "SELECT zeroblob(100000000)")
    #expect(huge.error?.contains("more than 64 MiB") == true)
    let columns = (0..<2000).map { "1 AS \"\(String(repeating: "c", count: 20))\($0)\"" }.joined(separator: ",")
    #expect(driver.executeSQL(databasePath: database.path, query: "SELECT \(columns)").columns?.count == 2000)
  }

  @Test func `several threads write and read, and every change is made once`() async throws {
    let path = database.path
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask { [driver] in
          for _ in 0..<10 {
            let sql = index.isMultiple(of: 2) ? "INSERT INTO log VALUES (1)" : "SELECT count(*) FROM log"
            let result = driver.executeSQL(databasePath: path, query: sql)
            #expect(result.error == nil)
          }
        }
      }
    }
    #expect(try database.value("SELECT count(*) FROM log") == "40")
  }
}
