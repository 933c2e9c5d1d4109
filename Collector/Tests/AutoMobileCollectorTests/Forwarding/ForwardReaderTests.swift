import Foundation
import GRDB
import OpenTelemetryProto
import Testing

@testable import AutoMobileCollector

@Suite struct `What a forwarder reads` {
  /// A directory with 20 log records, four of each level, and what else a session has.
  private static func store(
    _ directory: TemporaryDirectory, _ batches: [RawBatch], stored: [Int]
  ) async throws -> EventStore {
    try await RunningCollector.with(directory: directory.url) { collector in
      for batch in batches { try await collector.post(raw: batch) }
      for (batch, count) in zip(batches, stored) { try await collector.waitForLaunch(batch.launch, stored: count) }
    }
    return try EventStore(path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
  }

  private static func story(_ name: String, bundleId: String = "dev.example.shop") -> RawBatch {
    var batch = RawBatch(bundleId: bundleId)
    batch.addContext(1, session: name, user: "ada")
    for index in 0..<20 { batch.addLog("\(name) \(index)", level: index % 5) }
    let span = #""name":"work","traceId":"00000000000000000000000000000001","spanId":"0000000000000001""#
    batch.add(.event, #"{"eventType":"span","timestamp":1700000000000,\#(span),"contextId":1}"#)
    batch.add(.event, #"{"eventType":"span","timestamp":1700000000000,\#(span),"durationMs":5,"contextId":1}"#)
    return batch
  }

  private static let thread = QuietThread("reading")

  private static func reader(
    _ store: EventStore, _ signal: ForwardSignal, _ change: (inout Forwarder.Settings) -> Void = { _ in }
  ) -> ForwardReader {
    var settings = Forwarder.Settings(url: "https://otlp.example.com")
    change(&settings)
    return ForwardReader(
      reading: SQLiteForwards(store: store), filter: ForwardFilter(settings, signal), format: .protobuf,
      compresses: false, maximumDepth: 64, thread: thread)
  }

  private static func texts(_ batch: ForwardBatch) throws -> [String] {
    try OTLP.LogsRequest(serializedBytes: [UInt8](batch.body.readableBytesView)).resourceLogs
      .flatMap(\.scopeLogs).flatMap(\.logRecords).map(\.body.stringValue)
  }

  @Test func `batches follow each other without a gap, and a span is sent with its end`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await Self.store(directory, [Self.story("one")], stored: [22])
    let reader = Self.reader(store, .logs)
    var (cursor, found, isLast): (Int64, [String], Bool) = (0, [], false)
    while !isLast {
      let batch = try await reader.batch(after: cursor, records: 7)
      #expect(batch.count <= 7 && batch.end >= cursor)
      found += try Self.texts(batch)
      (cursor, isLast) = (batch.end, batch.isLast)
    }
    #expect(found == (0..<20).map { "one \($0)" })
    #expect(cursor == 22)
    let spans = try await Self.reader(store, .traces).batch(after: 0, records: 100)
    #expect(spans.count == 1)
    #expect(try await Self.reader(store, .traces).count(after: 0, upTo: 22).count == 1)
    try store.close()
  }

  @Test func `only what is wanted, of the app that is wanted`() async throws {
    let directory = try TemporaryDirectory()
    let stories = [Self.story("one"), Self.story("two", bundleId: "dev.example.tea")]
    let store = try await Self.store(directory, stories, stored: [22, 22])
    func count(_ change: (inout Forwarder.Settings) -> Void) async throws -> Int {
      let reader = Self.reader(store, .logs, change)
      let count = try await reader.batch(after: 0, records: 1000).count
      #expect(try await reader.count(after: 0, upTo: 1000).count == count)
      return count
    }
    #expect(try await count { _ in } == 40)
    #expect(try await count { $0.level = 4 } == 8)
    #expect(try await count { $0.bundleId = "dev.example.tea" } == 20)
    #expect(try await count { ($0.bundleId, $0.level) = ("dev.example.tea", 3) } == 8)
    #expect(try await count { $0.types = ["crash", "unheard_of"] } == 0)
    #expect(try await count { $0.types = ["log"] } == 40)
    try store.close()
  }

  @Test func `what retention deletes before it is sent is counted, by what the forwarder wants`() async throws {
    let directory = try TemporaryDirectory()
    let stories = [Self.story("one"), Self.story("two", bundleId: "dev.example.tea")]
    let store = try await Self.store(directory, stories, stored: [22, 22])
    let forwarders = store.forwarders
    func add(_ body: [String: JSONTree]) async throws -> Int64 {
      try await forwarders.save(
        .object(["url": .string("https://otlp.example.com")].merging(body) { $1 }), by: "test", at: 0)
    }
    let all = try await add(["name": .string("all"), "fromBeginning": .bool(true)])
    let errors = try await add(
      [
        "name": .string("errors"), "fromBeginning": .bool(true), "level": .string("error"),
        "bundleId": .string("dev.example.tea"),
      ])
    let late = try await add(["name": .string("late")])
    let half = ForwardLedger(state: store.state, lane: ForwardLaneName(forwarder: all, signal: .logs))
    try await half.settle(upTo: 10, sent: 10, at: 1)
    // Never back; and what is noted once more counts once.
    try await half.settle(upTo: 3, sent: 3, at: 1)
    try await half.settle(upTo: 10, sent: 10, at: 1)
    #expect(try store.erase("one") == 22)
    #expect(try store.erase("two") == 22)
    let entries = try await store.state.read { try ForwardLedger.entries(in: $0) }
    func expired(_ id: Int64, _ signal: ForwardSignal) -> Int64? {
      entries[ForwardLaneName(forwarder: id, signal: signal)]?.expired
    }
    let entry = entries[ForwardLaneName(forwarder: all, signal: .logs)]
    #expect(entry?.cursor == 10 && entry?.sent == 10)
    #expect(expired(all, .logs) == 30)
    #expect(expired(all, .traces) == 2)
    #expect(expired(errors, .logs) == 4)
    #expect(expired(errors, .traces) == 0)
    #expect(expired(late, .logs) == 0)
    // Nothing is there; what comes next has a higher id than anything that was.
    let newest = try await store.pool.read { try ForwardReader.newest(in: $0) }
    #expect(newest == 44)
    #expect(try await Self.reader(store, .logs).batch(after: 10, records: 10).isLast)
    try store.close()
  }
}
