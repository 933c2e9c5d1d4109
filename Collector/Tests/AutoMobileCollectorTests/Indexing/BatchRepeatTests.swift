import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// What a batch depends on beside the log is written down with it.
@Suite struct `Batches that are made again` {
  private static let watch = "dev.example.shop.watch"

  private final class Follower {
    let log: IngestLog
    var journal: BatchJournal
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    let projects = NIOLockedValueBox<Set<String>>([])

    init(_ directory: URL) throws {
      let folder = try LogDirectory(path: directory.path)
      journal = try BatchJournal(directory: folder)
      log = try IngestLog(
        directory: folder, indexed: journal.position, segmentSize: 1 << 20, writer: 0, metrics: CollectorMetrics(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit {
      log.close()
      buffer.deallocate()
    }

    func builder() throws -> BatchBuilder {
      let map = try ShardMap([1, 2].map { .init(number: $0, weight: 1, hosts: []) })
      return BatchBuilder(
        map, .plain,
        reader: LogReader(
          directory: log.directory, from: LogPosition(segment: 0, offset: 0), maximumBody: 1 << 19, buffer: buffer),
        limits: CollectorLimits(), batches: BatchLimits(), projects: { [projects] in projects.withLockedValue { $0 } })
    }

    /// As it is now.
    func fresh() throws -> (rows: [[UInt8]], projects: Set<String>) {
      var builder = try builder()
      _ = try builder.read(before: log.end)
      let used = builder.usedProjects
      return (Self.bytes(builder.take()), used)
    }

    func again(_ batch: BatchJournal.Batch) throws -> [[UInt8]] {
      var builder = try builder()
      try builder.make(
        from: batch.from, to: batch.to, given: [:], left: batch.left, late: batch.late,
        again: Set(batch.projects ?? []))
      return Self.bytes(builder.take())
    }

    private static func bytes(_ rows: TelemetryRows?) -> [[UInt8]] {
      (rows?.all ?? []).flatMap { table in table.parts.map { Array(buffer: $0.bytes) } }
    }
  }

  @Test func `are the same, byte for byte, whatever has become a project meanwhile`() async throws {
    let directory = try TemporaryDirectory()
    let follower = try Follower(directory.url)
    // An extension of the app, which nothing but its name tells from another app.
    var batch = RawBatch(bundleId: Self.watch)
    batch.addContext(1, session: "s-1")
    batch.addLog("from the wrist")
    try await follower.log.append(
      receivedAt: 1_700_000_100_000, owner: FollowedLog.owner, batch: CheckedBatch(raw: try batch.body()))
    let (first, used) = try follower.fresh()
    #expect(used == [])
    let begun = try follower.journal.begin(to: follower.log.end, answers: [:], projects: used)
    follower.projects.withLockedValue { $0 = [Self.watch, "dev.example.shop", "org.other", "dev.example.shopper"] }
    // It does make a difference.
    let (other, later) = try follower.fresh()
    #expect(other != first)
    // And what makes none is not written down.
    #expect(later == [Self.watch])
    let known = try BatchJournal(directory: follower.log.directory).open
    #expect(known == [begun])
    #expect(try follower.again(try #require(known.first)) == first)
    // The same the other way round.
    follower.journal = try BatchJournal(directory: follower.log.directory)
    try follower.journal.confirm(begun.number)
    let second = try follower.journal.begin(to: follower.log.end, answers: [:], projects: later)
    follower.projects.withLockedValue { $0 = [] }
    var repeated = try #require(try BatchJournal(directory: follower.log.directory).open.first)
    #expect(repeated.projects == [Self.watch] && repeated.number == second.number)
    repeated.from = begun.from
    #expect(try follower.again(repeated) == other)
  }

  @Test func `are made of lists that were written before projects stood in them`() throws {
    let text =
      #"{"number":1,"from":{"segment":1,"offset":0},"to":{"segment":1,"offset":8},"answers":[],"left":[],"late":[]}"#
    let batch = try JSONDecoder().decode(BatchJournal.Batch.self, from: Data(text.utf8))
    #expect(batch.projects == nil && batch.to.offset == 8)
  }
}
