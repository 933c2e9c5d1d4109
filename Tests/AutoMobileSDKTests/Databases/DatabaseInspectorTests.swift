import AutoMobileSDK
import Foundation
import TestTools
import Testing

@testable import AutoMobileInspection

@Suite struct `The database inspector` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private struct FakeDriver: DatabaseDriver {
    func getDatabases() -> [DatabaseDescriptor] { [DatabaseDescriptor(name: "a.db", path: "/a.db", sizeBytes: 1)] }
    func getTables(databasePath: String) -> [String] { ["t"] }
    func getTableData(databasePath: String, table: String, limit: Int, offset: Int) -> TableDataResult {
      TableDataResult(columns: ["a"], rows: [["1"]], totalRows: 1)
    }
    func getTableStructure(databasePath: String, table: String) -> TableStructureResult {
      TableStructureResult(columns: [])
    }
    func executeSQL(databasePath: String, query: String) -> SQLExecutionResult {
      SQLExecutionResult(columns: nil, rows: nil, rowsAffected: 3)
    }
  }

  @Test func `A21: there is a driver while it is enabled, the app's own if it has one`() {
    let inspector = DatabaseInspector()
    inspector.initialize()
    #expect(!inspector.isEnabled && inspector.getDriver() == nil)
    inspector.setEnabled(true)
    #expect(inspector.isEnabled && inspector.getDriver() is SQLiteDatabaseDriver)
    inspector.setDriver(FakeDriver())
    #expect(inspector.getDriver()?.getTables(databasePath: "") == ["t"])
    inspector.setEnabled(false)
    #expect(inspector.getDriver() == nil)
    inspector.reset()
    #expect(!inspector.isEnabled)
  }

  @Test func `while the app is in the background no database is open, and none is opened`() async throws {
    let database = try TestDatabase(directory, "a.db", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
    let driver = SQLiteDatabaseDriver.at(directory)
    #expect(driver.getTables(databasePath: database.path) == ["t"])
    let center = NotificationCenter()
    let suspension = DatabaseSuspension(center: center) { driver }
    let (gone, back) = (Notification.Name("gone"), Notification.Name("back"))
    suspension.observe(background: gone, foreground: back)

    center.post(name: gone, object: nil)
    #expect(await eventually { driver.openCount == 0 })
    for sql in ["SELECT 1", "DELETE FROM t"] {
      let refused = driver.executeSQL(databasePath: database.path, query: sql)
      #expect(refused.error?.contains("the app is in the background") == true, "\(refused)")
    }
    #expect(driver.openCount == 0)
    center.post(name: back, object: nil)
    #expect(await eventually { driver.getTables(databasePath: database.path) == ["t"] })
  }

  @Test(arguments: ["SELECT count(*) FROM n", "INSERT INTO t SELECT i FROM n"])
  func `a statement that runs when the app goes to the background is ended, and its file is closed`(
    rest: String
  ) async throws {
    let path = try TestDatabase(directory, "a.db", "CREATE TABLE t (a)").path
    let driver = SQLiteDatabaseDriver.at(directory, statementMilliseconds: 600_000)
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \(rest)"
    async let result = onThread { driver.executeSQL(databasePath: path, query: sql) }
    // It holds the file open while it runs.
    #expect(await eventually { !Self.openFiles(directory).isEmpty && driver.openCount == 1 })
    if rest.hasPrefix("INSERT") { #expect(await eventually { Self.openFiles(directory).count > 1 }) }
    await onThread { driver.suspend() }
    #expect(Self.openFiles(directory) == [])
    #expect(await result.error?.contains("the app is in the background") == true)
    driver.resume()
    #expect(driver.executeSQL(databasePath: path, query: "SELECT count(*) FROM t").rows == [["0"]])
  }

  /// What this process has open in a directory.
  static func openFiles(_ directory: TemporaryDirectory) -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
      .filter { $0.contains(directory.url.lastPathComponent) }
  }
}
