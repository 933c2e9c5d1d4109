import Foundation
import TestTools
import Testing

@testable import AutoMobileInspection

@Suite struct `Databases that cannot be read` {
  private let directory: TemporaryDirectory
  private let driver: SQLiteDatabaseDriver
  private let root: String

  init() throws {
    directory = try TemporaryDirectory()
    driver = .at(directory)
    root = try #require(DatabaseFile.realPath(directory.url.path))
  }

  /// What all ways of asking say.
  private func error(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
    let page = driver.getTableData(databasePath: path, table: "t", limit: 10, offset: 0)
    let others = [
      driver.getTableStructure(databasePath: path, table: "t").error,
      driver.executeSQL(databasePath: path, query: "SELECT * FROM t").error,
    ]
    for other in others { #expect(other == page.error, sourceLocation: sourceLocation) }
    return page.error ?? ""
  }

  @Test func `missing files, directories and names that are none are told apart`() throws {
    #expect(error(root + "/none.db").contains("There is no file"))
    #expect(error("").contains("There is no file"))
    #expect(error("a\0b").contains("There is no file"))
    #expect(error(String(repeating: "x", count: 100_000)).contains("There is no file"))
    #expect(error(root).contains("is a directory, not a database"))
    #expect(error("/dev/null").contains("not a regular file"))
    #expect(driver.getTables(databasePath: root + "/none.db") == [])
    #expect(!FileManager.default.fileExists(atPath: root + "/none.db"))
  }

  @Test func `an encrypted file is told from a damaged one`() throws {
    var random = SeededRandom(7)
    let noise = Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) })
    try noise.write(to: directory.file("cipher.db"))
    #expect(error(root + "/cipher.db").contains("is encrypted, or not an SQLite database"))
    try Data("hello, I am a text file that is somewhat longer than a header".utf8).write(to: directory.file("text.db"))
    #expect(error(root + "/text.db").contains("is encrypted, or not an SQLite database"))
  }

  @Test func `damaged pages and files that are cut off are errors, and a mended file is read again`() throws {
    let path = try TestDatabase(
      directory, "a.db", "CREATE TABLE t (a)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT hex(zeroblob(50)) || i FROM n
      """
    ).path
    let whole = try Data(contentsOf: directory.file("a.db"))
    for damage in [whole.prefix(whole.count / 2), Self.damaged(whole)] {
      try Data(damage).write(to: directory.file("a.db"))
      let result = driver.executeSQL(databasePath: path, query: "SELECT sum(length(a)) FROM t")
      #expect(result.error?.contains("damaged") == true, "\(result)")
      #expect(result.error?.contains("integrity_check") == true)
    }
    try whole.write(to: directory.file("a.db"))
    #expect(driver.executeSQL(databasePath: path, query: "SELECT count(*) FROM t").rows == [["2000"]])
  }

  private static func damaged(_ data: Data) -> Data {
    var data = data
    for index in stride(from: 4096, to: data.count, by: 64) { data[index] = 0xEE }
    return data
  }

  @Test func `whatever bytes are changed in a file, there is an answer`() throws {
    let path = try TestDatabase(
      directory, "a.db", "CREATE TABLE t (a, b)", "CREATE INDEX i ON t (a)",
      "INSERT INTO t VALUES (1, 'x'), (2, zeroblob(9000)), (3, NULL)"
    ).path
    let whole = try Data(contentsOf: directory.file("a.db"))
    var random = SeededRandom(11)
    for _ in 0..<150 {
      var data = whole
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
      try data.write(to: directory.file("a.db"))
      for table in driver.getTables(databasePath: path).prefix(10) + ["t"] {
        _ = driver.getTableData(databasePath: path, table: table, limit: 10, offset: 0)
        _ = driver.getTableStructure(databasePath: path, table: table)
      }
      _ = driver.executeSQL(databasePath: path, query: "SELECT * FROM t ORDER BY a DESC")
    }
  }

  @Test func `an empty file is an empty database`() throws {
    try Data().write(to: directory.file("empty.db"))
    #expect(driver.getTables(databasePath: root + "/empty.db") == [])
    #expect(try driver.tables(root + "/empty.db") == [])
  }

  @Test func `a lock of somebody else is waited for, and then told`() async throws {
    let database = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)")
    try database.run("BEGIN EXCLUSIVE")
    let path = database.path
    async let result = onThread { [driver] in driver.executeSQL(databasePath: path, query: "SELECT * FROM t") }
    let error = await result.error
    #expect(error?.contains("is locked") == true && error?.contains("5 s") == true, "\(error ?? "nil")")
    try database.run("COMMIT")
    #expect(driver.executeSQL(databasePath: path, query: "SELECT count(*) FROM t").rows == [["0"]])
  }

  @Test func `a lock that is given up in time is no error`() async throws {
    let database = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)")
    try database.run("BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
    let (path, driver) = (database.path, driver)
    async let result = onThread { driver.executeSQL(databasePath: path, query: "SELECT count(*) FROM t") }
    #expect(await eventually { driver.openCount == 1 })
    try database.run("COMMIT")
    #expect(await result.rows == [["1"]])
  }

  @Test func `a file that may not be read says so`() throws {
    guard getuid() != 0 else { return }  // Nothing is forbidden to root.
    let path = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)").path
    chmod(path, 0)
    #expect(error(path).contains("cannot be opened"))
  }
}
