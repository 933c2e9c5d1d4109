import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Logging
import NIOCore
import Testing

@testable import AutoMobileCollector

/// An ingest log that is followed into ClickHouse, as a collector would have it.
final class FollowedLog {
  static let owner = DataOwner.app("dev.example.shop")

  let log: IngestLog
  let indexer: ClickHouseIndexer
  let metrics = CollectorMetrics()
  private var isOpen = true

  init(
    _ directory: URL, _ cluster: ClickHouseCluster, writer: Int = 0, segmentSize: Int = 1 << 20,
    change: (inout BatchLimits) -> Void = { _ in }, erased: @escaping @Sendable () throws -> ErasedNames? = { nil },
    onConfirmed: @escaping @Sendable (Int64) -> Void = { _ in },
    clock: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) throws {
    var batches = BatchLimits()
    batches.patience = 0.02
    batches.tellAfter = .milliseconds(200)
    change(&batches)
    let directory = try LogDirectory(path: directory.path)
    let journal = try BatchJournal(directory: directory)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    log = try IngestLog(
      directory: directory, indexed: journal.position, segmentSize: segmentSize, writer: writer, metrics: metrics,
      logger: logger, clock: clock)
    indexer = ClickHouseIndexer(
      cluster, log: log, journal: journal, limits: CollectorLimits(), batches: batches, commits: CommitSignal(),
      metrics: metrics, logger: logger, erased: erased, onConfirmed: onConfirmed)
  }

  func append(_ batch: RawBatch, receivedAt: Int64 = 1_700_000_100_000, owner: DataOwner = owner) async throws {
    try await log.append(receivedAt: receivedAt, owner: owner, batch: CheckedBatch(raw: try batch.body()))
  }

  /// Until all of it is confirmed.
  func drain() async throws {
    try await eventually("the log is in ClickHouse") {
      let backlog = indexer.backlog
      return backlog.bytes == 0 && backlog.deliveries == 0 && backlog.batches == 0
    }
  }

  /// - Parameter seconds: for what is left.
  func close(within seconds: Double = 60) {
    guard isOpen else { return }
    isOpen = false
    log.close()
    indexer.stop(within: seconds)
  }

  deinit { close(within: 0) }
}

extension ClickHouseCluster {
  /// Each row once, its columns as text.
  func texts(_ table: TelemetryTable, _ columns: [SQLName], order: [SQL] = ["`id`"]) async throws -> [String] {
    var names = columns
    for name in ["id", "session"] as [SQLName]
    where !names.contains(name) && table.columns.contains(where: { $0.name == name }) {
      names.append(name)
    }
    var rows = DistinctRows(table, names)
    rows.order = order
    let shown = SQL.joined(columns.map { "ifNull(toString(\($0)), '0')" }, ", ' ', ")
    return try await client.rows(rows.sql(self, selecting: ["concat(\(shown), '')"])) { try $0.string() }
  }

  func count(_ table: TelemetryTable) async throws -> Int {
    try await texts(table, [table.identity[0]], order: []).count
  }
}
