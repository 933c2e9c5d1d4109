import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `An index of a newer collector` {
  @Test func `is not written by an older one`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.url.appending(path: "index.sqlite").path
    let store = try EventStore(path: path, fullText: false, maximumDepth: 64)
    try await store.pool.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999: something new')") }
    try store.close()
    let error = #expect(throws: CollectorError.self) {
      _ = try EventStore(path: path, fullText: true, maximumDepth: 64)
    }
    #expect(error?.description.contains("a newer collector wrote it") == true)
    let untouched = try DatabaseQueue(path: path)
    #expect(try await untouched.read { try !$0.tableExists("event_text") })
  }
}
