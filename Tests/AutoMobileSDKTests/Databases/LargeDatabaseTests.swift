#if os(macOS) || os(Linux)
@testable import AutoMobileInspection
import Foundation
import Testing

@Suite struct `Large and busy databases` {
  private static let isSoak = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] != nil
  /// 1 GB takes a while to write.
  private static let megabytes = isSoak ? 1024 : 64

  @Test func `a large database is paged through in bounded memory`() throws {
    let directory = try TemporaryDirectory()
    let rows = Self.megabytes * 256
    let database = try TestDatabase(
      directory, "large.db", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, data BLOB)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i, 'row ' || i, zeroblob(3900) FROM n
      """)
    let driver = SQLiteDatabaseDriver.at(directory)
    #expect(try #require(driver.getDatabases().first).sizeBytes > Int64(Self.megabytes) * 900_000)
    func page(_ offset: Int) -> TableDataResult {
      driver.getTableData(databasePath: database.path, table: "t", limit: 50, offset: offset)
    }
    _ = page(0)
    let before = Self.residentBytes()
    let steps = 40
    for step in 0...steps {
      let offset = (rows - 50) * step / steps
      let page = page(offset)
      #expect(page.error == nil && page.rows.count == 50)
      #expect(page.rows.first?.first == String(offset + 1))
    }
    let growth = Self.residentBytes() - before
    #expect(growth < 24 << 20, "grew by \(growth) bytes")
    #expect(page(0).totalRows == (Self.isSoak ? page(0).totalRows : rows))
  }

  /// What the process has in memory now.
  private static func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a database that another process writes to is read whole, and as it is`(mode: String) async throws {
    let directory = try TemporaryDirectory()
    let database = try TestDatabase(
      directory, "busy.db", "PRAGMA journal_mode = \(mode)", "CREATE TABLE t (a INTEGER, b INTEGER)",
      "INSERT INTO t VALUES (0, 0)")
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Both columns of both rows change together.
    writer.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys, time
      connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
      connection.execute("PRAGMA synchronous = OFF")
      print("ready", flush=True)
      number = 0
      while True:
          number += 1
          connection.execute("BEGIN IMMEDIATE")
          connection.execute("INSERT INTO t VALUES (?, ?)", (number, -number))
          connection.execute("UPDATE t SET a = ?, b = ? WHERE rowid = 1", (number, -number))
          connection.execute("COMMIT")
          time.sleep(0.01)
      """, database.path,
    ]
    let pipe = Pipe()
    writer.standardOutput = pipe
    try writer.run()
    defer {
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
    }
    try #require(pipe.fileHandleForReading.availableData.isEmpty == false)
    let driver = SQLiteDatabaseDriver.at(directory)
    var last = -1
    for round in 0..<60 {
      let sums = driver.executeSQL(databasePath: database.path, query: "SELECT sum(a) + sum(b), count(*) FROM t")
      #expect(sums.error == nil)
      #expect(sums.rows?.first?.first == "0")
      let page = driver.getTableData(databasePath: database.path, table: "t", limit: 1, offset: 0)
      let first = try #require(page.rows.first?.first ?? nil)
      #expect(try #require(Int(first)) >= last)
      #expect(page.totalRows > 0)
      last = Int(first) ?? last
      if round.isMultiple(of: 20) {
        let done = driver.executeSQL(databasePath: database.path, query: "INSERT INTO t VALUES (5, -5)")
        #expect(done.error == nil && done.rowsAffected == 1)
      }
    }
  }
}
#endif
