import AutoMobileClickHouse
import Foundation
import Logging
import NIOCore

/// The way into ClickHouse in pieces that can be measured one by one: for the benchmark.
package struct IngestMeter {
  private let directory: URL
  private let limits = CollectorLimits()
  private let logger: Logger

  /// - Parameter directory: for the log; it has to be there.
  package init(directory: URL) {
    self.directory = directory
    var logger = Logger(label: "bench")
    logger.logLevel = .error
    self.logger = logger
  }

  /// Checks deliveries and puts them into the log, several at a time, as a collector does.
  package func append(_ bodies: [ByteBuffer], connections: Int = 8) async throws {
    let log = try IngestLog(
      directory: LogDirectory(path: directory.path), indexed: LogPosition(segment: 0, offset: 0),
      segmentSize: 64 << 20, writer: 0, metrics: CollectorMetrics(), logger: logger)
    defer { log.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for first in 0..<connections {
        group.addTask {
          for index in stride(from: first, to: bodies.count, by: connections) {
            let batch = try CheckedBatch(raw: bodies[index])
            try await log.append(receivedAt: WallClock.now, owner: .app(batch.bundleId), batch: batch)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Makes rows of deliveries, and nothing else.
  ///
  /// - Returns: how many rows these are, in all tables, and their bytes.
  package func rows(_ bodies: [ByteBuffer], _ cluster: ClickHouseCluster) -> (rows: Int, bytes: Int) {
    var sums = (rows: 0, bytes: 0)
    var next = 0
    while next < bodies.count {
      var rows = TelemetryRows(cluster.map, cluster.dialect, limits: limits)
      while next < bodies.count, rows.tally.stored < BatchLimits().mostEvents {
        let number = Int64(next) << 20
        bodies[next].withUnsafeReadableBytes {
          _ = rows.add($0, of: .app("dev.example.bench"), receivedAt: WallClock.now, number: number)
        }
        next += 1
      }
      rows.finish()
      for table in rows.all {
        sums.rows += table.count
        sums.bytes += table.byteCount
      }
    }
    return sums
  }

  /// Follows the log until ClickHouse has confirmed all of it.
  package func follow(_ cluster: ClickHouseCluster) async throws {
    let folder = try LogDirectory(path: directory.path)
    let journal = try BatchJournal(directory: folder)
    let log = try IngestLog(
      directory: folder, indexed: journal.position, segmentSize: 64 << 20, writer: 0, metrics: CollectorMetrics(),
      logger: logger)
    let indexer = ClickHouseIndexer(
      cluster, log: log, journal: journal, limits: limits, commits: CommitSignal(), metrics: CollectorMetrics(),
      logger: logger)
    while log.backlog > 0 { try await Task.sleep(for: .milliseconds(5)) }
    log.close()
    indexer.stop()
  }
}
