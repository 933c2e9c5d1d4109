import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Limits of a read` {
  /// Counts for as long as it is let.
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
  /// Some tens of milliseconds.
  private static let long =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT COUNT(*) FROM n"

  private static func store(
    _ adjust: (inout CollectorLimits) -> Void
  ) throws -> (EventStore, ReadScope, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    var limits = CollectorLimits()
    adjust(&limits)
    let path = directory.url.appending(path: "index.sqlite").path
    let store = try EventStore(path: path, fullText: false, maximumDepth: 64, limits: limits)
    return (store, try store.readScope(), directory)
  }

  @Test func `an inner limit ends alone, and the outer one goes on and holds`() async throws {
    let (store, scope, directory) = try Self.store { $0.readSeconds = 0.5 }
    let failure = await #expect(throws: APIError.self) {
      try await store.read(scope) { database in
        let inner = try TimeLimit.run(0.01, in: database) { try Int.fetchOne(database, sql: Self.endless) }
        #expect(inner == nil)
        #expect(try Int.fetchOne(database, sql: Self.long) == 200_000)
        _ = try Int.fetchOne(database, sql: Self.endless)
      }
    }
    #expect(failure?.code == "too_expensive")
    withExtendedLifetime(directory) {}
  }

  @Test func `the outer limit holds inside of an inner one that is longer`() async throws {
    let (store, scope, directory) = try Self.store { $0.readSeconds = 0.05 }
    let failure = await #expect(throws: APIError.self) {
      try await store.read(scope) { database in
        _ = try TimeLimit.run(60, in: database) { try Int.fetchOne(database, sql: Self.endless) }
      }
    }
    #expect(failure?.code == "too_expensive")
    withExtendedLifetime(directory) {}
  }

  @Test func `after a read that was ended its connection reads on as if nothing had been`() async throws {
    let (store, scope, directory) = try Self.store { limits in
      limits.readSeconds = 0.05
      limits.lightReads = 1
    }
    for _ in 0..<5 {
      _ = try? await store.read(scope) { try Int.fetchOne($0, sql: Self.endless) }
    }
    for _ in 0..<store.limits.databaseReaders {
      let count = try await store.pool.read { try Int.fetchOne($0, sql: Self.long) }
      #expect(count == 200_000)
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `when the collector stops, reads end and nobody is let in`() async throws {
    let (store, scope, directory) = try Self.store { limits in
      limits.readSeconds = 300
      limits.lightReads = 1
    }
    let running = Task { try await store.read(scope) { try Int.fetchOne($0, sql: Self.endless) } }
    while store.gate.places.running(.light) == 0 { await Task.yield() }
    let waiting = Task { try await store.read(scope) { try Int.fetchOne($0, sql: Self.long) } }
    store.gate.places.stop(after: 0)
    let codes = [
      await #expect(throws: APIError.self) { try await running.value }?.code,
      await #expect(throws: APIError.self) { try await waiting.value }?.code,
      await #expect(throws: APIError.self) { try await store.read(scope) { _ in } }?.code,
    ]
    #expect(codes == ["stopping", "stopping", "stopping"])
    withExtendedLifetime(directory) {}
  }
}
