import Foundation
import Testing

@testable import AutoMobileInspection

@Suite struct `Finding databases` {
  private let directory: TemporaryDirectory
  private let root: String

  init() throws {
    directory = try TemporaryDirectory()
    root = try #require(DatabaseFile.realPath(directory.url.path))
  }

  private func touch(_ path: String) throws {
    let file = directory.file(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: file)
  }

  private func found(_ paths: String...) -> [String] {
    DatabaseDiscovery(searchPaths: paths.map { directory.file($0).path }).databases()
      .map { String($0.path.dropFirst(root.count + 1)) }
  }

  @Test func `A21: files ending in sqlite, db and sqlite3 are found in all search paths, and others are not`() throws {
    for name in [
      "Documents/a.sqlite", "Documents/deep/er/b.DB", "Library/c.sqlite3", "Library/c.sqlite3-wal", "Library/d.dbx",
      "Library/.db", "Library/sqlite", "Elsewhere/e.db",
    ] { try touch(name) }
    try FileManager.default.createDirectory(at: directory.file("Library/f.db"), withIntermediateDirectories: true)
    #expect(
      found("Documents", "Library", "None") == ["Documents/a.sqlite", "Documents/deep/er/b.DB", "Library/c.sqlite3"])
  }

  @Test func `a database is told once, though its directory lies within another one or has a second name`() throws {
    try touch("Library/Application Support/a.db")
    try FileManager.default.linkItem(
      at: directory.file("Library/Application Support/a.db"), to: directory.file("Library/again.db"))
    try FileManager.default.createSymbolicLink(
      at: directory.file("Library/link.db"), withDestinationURL: directory.file("Library/Application Support/a.db"))
    #expect(found("Library", "Library/Application Support", "Library/../Library").count == 1)
  }

  @Test func `links lead to no file outside of the search paths, and to no circle`() throws {
    try touch("Documents/a.db")
    try touch("Secret/b.db")
    for (name, target) in [("out.db", "Secret/b.db"), ("out", "Secret"), ("circle", "Documents"), ("gone.db", "gone")] {
      try FileManager.default.createSymbolicLink(
        at: directory.file("Documents/\(name)"), withDestinationURL: directory.file(target))
    }
    #expect(found("Documents") == ["Documents/a.db"])
  }

  @Test func `what is no regular file is no database, and nobody waits for it`() throws {
    try touch("Documents/a.db")
    try #require(mkfifo(directory.file("Documents/pipe.db").path, 0o600) == 0)
    #expect(found("Documents") == ["Documents/a.db"])
    let driver = SQLiteDatabaseDriver.at(directory)
    let result = driver.getTableData(databasePath: root + "/Documents/pipe.db", table: "t", limit: 1, offset: 0)
    #expect(result.error?.contains("not a regular file") == true)
  }

  @Test func `a tree without end is looked at as far as the bounds go`() throws {
    for index in 0..<30 { try touch("many/\(index).db") }
    try touch("a/b/c/d/deep.db")
    var discovery = DatabaseDiscovery(searchPaths: [root])
    discovery.maximumDatabases = 10
    #expect(discovery.databases().count == 10)
    discovery = DatabaseDiscovery(searchPaths: [root + "/a"])
    discovery.maximumDepth = 2
    #expect(discovery.databases().isEmpty)
    discovery = DatabaseDiscovery(searchPaths: [root])
    discovery.maximumEntries = 5
    #expect(discovery.databases().count <= 5)
  }

  @Test func `names with quotes, line ends and emoji are told as they are`() throws {
    let name = "a'\"\n🦊é.db"
    try touch("Documents/\(name)")
    let found = DatabaseDiscovery(searchPaths: [root]).databases()
    #expect(found.map(\.name) == [name])
    #expect(found.first?.sizeBytes == 1)
  }
}
