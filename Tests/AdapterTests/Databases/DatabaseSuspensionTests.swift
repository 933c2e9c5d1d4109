import AutoMobileSDK
import Foundation
import Testing
import UIKit

@testable import AutoMobileInspection

/// One at a time: there is one application.
@MainActor @Suite(.serialized) struct DatabaseSuspensionTests {
  @Test func `databases are closed when the app goes to the background, and opened again when it comes back`()
    async throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("adapters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("a.db").path
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    let driver = SQLiteDatabaseDriver(searchPaths: [directory.path])
    #expect(driver.executeSQL(databasePath: file, query: "CREATE TABLE t (a)").error == nil)

    let inspector = DatabaseInspector()
    inspector.initialize()
    inspector.setDriver(driver)
    inspector.setEnabled(true)
    let application = UIApplication.shared
    application.simulateActivation()
    #expect(driver.getTables(databasePath: file) == ["t"] && driver.openCount == 1)
    application.simulateLeaving()
    #expect(await holds { driver.openCount == 0 })
    #expect(
      driver.executeSQL(databasePath: file, query: "SELECT 1").error?.contains("in the background") == true)
    application.simulateActivation()
    #expect(await holds { driver.getTables(databasePath: file) == ["t"] })
    inspector.reset()
  }

  private func holds(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<30_000 {
      if condition() { return true }
      try? await Task.sleep(nanoseconds: 2_000_000)
    }
    return false
  }
}
