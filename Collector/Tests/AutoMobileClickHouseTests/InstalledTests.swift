import ClickHouseTestServer
import Foundation
import Testing

@Suite struct InstalledTests {
  /// Elsewhere the tests that need them are skipped, with the reason.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil, "elsewhere they may be missing"))
  func `Continuous integration has ClickHouse and chdb`() {
    #expect(ClickHouseServer.program != nil, "\(ClickHouseServer.missing)")
    #expect(Chdb.isInstalled, "\(Chdb.missing)")
  }
}
