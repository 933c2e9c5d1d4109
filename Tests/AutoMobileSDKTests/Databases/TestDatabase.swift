import Foundation
import Testing

@testable import AutoMobileInspection
@testable import AutoMobileRecorder

#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// A database as an app makes it: with a connection of its own, that writes.
final class TestDatabase: @unchecked Sendable {
  // Unchecked: used by one thread at a time.
  let path: String
  private let handle: OpaquePointer

  init(_ directory: TemporaryDirectory, _ name: String = "shop.sqlite", _ sql: String...) throws {
    path = try #require(DatabaseFile.realPath(directory.url.path)) + "/" + name
    var opened: OpaquePointer?
    try #require(sqlite3_open(path, &opened) == SQLITE_OK)
    handle = try #require(opened)
    for statement in sql { try run(statement) }
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var message: UnsafeMutablePointer<CChar>?
    let code = sqlite3_exec(handle, sql, nil, nil, &message)
    let words = message.map { String(cString: $0) } ?? ""
    sqlite3_free(message)
    try #require(code == SQLITE_OK, "\(words)", sourceLocation: sourceLocation)
  }

  /// The first value of the first row.
  func value(_ sql: String) throws -> String? {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }
}

extension SQLiteDatabaseDriver {
  /// One that looks into a directory.
  static func at(
    _ directory: TemporaryDirectory, limits: DatabaseResultLimits = .standard, allowsWrites: Bool = true,
    statementMilliseconds: Int = SQLite.statementMilliseconds,
    clock: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds
  ) -> SQLiteDatabaseDriver {
    SQLiteDatabaseDriver(
      discovery: DatabaseDiscovery(searchPaths: [directory.url.path]), limits: limits, allowsWrites: allowsWrites,
      statementMilliseconds: statementMilliseconds, clock: clock)
  }
}
