import Foundation
import Logging

/// Where a collector's telemetry is asked for, and what brings it there out of the ingest log: the index, or ClickHouse. Made before
/// the log is opened.
struct CollectorTelemetry {
  let reading: any TelemetryStore
  /// Nil: in the index.
  let cluster: ClusterTelemetry?
  /// How far the log has been followed.
  let position: LogPosition
  /// Of the log's records; up to here the state knows of them.
  let numbersAbove: Int64
  private let journal: BatchJournal?
  private let store: EventStore
  private let batches: BatchLimits

  /// Waits on the thread that it is called on.
  ///
  /// - Throws: ``CollectorError`` when telemetry cannot be kept there, or this directory has its telemetry elsewhere; ``SystemError``.
  init(_ options: CollectorOptions, log: LogDirectory, _ store: EventStore, _ logger: Logger) throws {
    self.store = store
    batches = options.batches
    guard let address = try options.store.address(password: options.storePassword) else {
      try TelemetryMark.check(store)
      reading = SQLiteTelemetry(store: store)
      (cluster, journal, position) = (nil, nil, try store.logPosition())
      numbersAbove = -1
      return
    }
    let mark = try TelemetryMark.read(store.own)
    try TelemetryMark.check(address, mark, in: store)
    let hasLog = try log.segments().contains { $0.size > 0 }
    let cluster = try ClusterTelemetry(address, mark, hasLog: hasLog, store, logger)
    let own = cluster.writer
    // Before anything is sent there.
    try TelemetryMark(address, identity: own.identity, number: own.number, known: cluster.cluster.remembered)
      .write(store.own)
    let journal = try BatchJournal(directory: log)
    (self.cluster, self.journal, position) = (cluster, journal, journal.position)
    reading = ClusterReading(telemetry: cluster.telemetry, order: cluster.order, store: store)
    // Also where what is noted beside the log was lost.
    let writer = Int64(own.number)
    numbersAbove = try store.state.readNow { try ArrivalRows.last(of: writer, in: $0) }
  }

  /// Begins to follow the log.
  ///
  /// - Parameter onReports: called when crashes, hangs or failures are where they can be asked for.
  func follow(
    _ log: IngestLog, limits: CollectorLimits, commits: CommitSignal, metrics: CollectorMetrics, logger: Logger,
    projects: @escaping @Sendable () -> Set<String>, onReports: @escaping @Sendable () -> Void
  ) -> any LogFollower {
    if let cluster, let journal {
      return ClickHouseIndexer(
        cluster.cluster, log: log, journal: journal, limits: limits, batches: batches, commits: commits,
        metrics: metrics, logger: logger, projects: projects, erased: { try cluster.erasing.marks.current() },
        onReports: onReports, onConfirmed: { cluster.publisher.confirmed(upTo: $0) })
    }
    return Indexer(
      store: store, log: log, from: position, limits: limits, commits: commits, metrics: metrics, logger: logger,
      projects: projects, onReports: onReports)
  }
}
