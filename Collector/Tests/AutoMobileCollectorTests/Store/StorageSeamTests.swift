import Foundation
import Testing

/// The wall between what the collector asks for and the engine that its data lies in.
@Suite struct StorageSeamTests {
  /// Files that import the engine's library and are not below a folder `SQLite/` yet. The list only ever gets shorter: what is new
  /// asks a ``TelemetryStore``, or is a part of the one over SQLite.
  private static let importing = names(
    """
    API/SettingRoutes
    Backup/Backup+Restore Backup/BackupStage
    Blobs/BlobReferences Blobs/StoreMaintenance
    Erasure/ErasureMarks Erasure/ErasureRoutes Erasure/ErasureSelection
    Erasure/ErasureTables Erasure/Erasures Erasure/IndexScrub Erasure/PackScrub Erasure/SessionScrub Erasure/SharedScrub
    Replay/PackSpool Replay/PackUploads Replay/ReplayEraser Replay/ReplayIngestRoutes
    Replay/ReplayStore Replay/ReplayTables
    Retention/ExpiredPositions Retention/Retention Retention/SessionEraser
    """)

  /// Further files that hold the index itself. The same holds for them.
  private static let holding = names(
    """
    API/IssueRoutes
    Alerts/Alerts Alerts/AlertWatch
    Asks/Asks
    Blobs/CollectorBlobs
    Collector
    Forwarding/Forwarding
    Issues/IssueNotes Issues/IssueStates
    MCP/Questions/RecordedData
    Observability/StatusRoutes
    State/Move/StateMove
    """)

  private static func names(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map { "\($0).swift" })
  }

  /// Everything of the collector that is not the engine's own, by its path below the sources.
  private static func sources() throws -> [String: String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/AutoMobileCollector").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { path in
      path.hasSuffix(".swift") && !path.hasPrefix("Store/") && !path.split(separator: "/").dropLast().contains("SQLite")
    }
    return try Dictionary(
      uniqueKeysWithValues: paths.map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) })
  }

  private static func importsEngine(_ code: String) -> Bool {
    let statement =
      /(?:^|\n)\s*(?:@\w+(?:\(\w+\))? )*(?:(?:public|package|internal|fileprivate|private) )?import (?:\w+ )?GRDB/
    return code.firstMatch(of: statement) != nil
  }

  @Test(arguments: [
    "import GRDB", "@preconcurrency import GRDB", "import Foundation\n  private import GRDB", "import GRDBSQLite",
    "import struct GRDB.Row", "@_exported public import GRDB",
  ])
  func `an import is seen however it is written`(code: String) {
    #expect(Self.importsEngine(code))
  }

  @Test func `the engine is imported below its own folders, and where it always was`() throws {
    let found = Set(try Self.sources().filter { Self.importsEngine($0.value) }.keys)
    #expect(found.subtracting(Self.importing).sorted() == [], "these belong below a folder SQLite/")
    #expect(Self.importing.subtracting(found).sorted() == [], "these do not import it any more: take them off the list")
  }

  @Test func `the index is held by its own files, and where it always was`() throws {
    let found = Set(try Self.sources().filter { $0.value.firstMatch(of: /\bEventStore\b/) != nil }.keys)
      .subtracting(Self.importing)
    #expect(found.subtracting(Self.holding).sorted() == [], "these can hold what a TelemetryStore gives out")
    #expect(Self.holding.subtracting(found).sorted() == [], "these do not hold it any more: take them off the list")
  }
}
