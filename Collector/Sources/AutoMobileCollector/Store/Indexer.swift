import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Follows the ingest log and keeps the index up to date, on a thread of its own.
///
/// Each transaction holds some deliveries, what they add up to, and the place in the log that they reach to: after any
/// end of the process the next one goes on exactly there. Segments of the log are removed when the index that holds
/// them has been synced to the disk.
final class Indexer: @unchecked Sendable {
  // Unchecked because `condition` guards `isStopping`, `isStopped`, `mustTidy`, `deadline` and `failure`; the rest belongs to the thread.

  private let store: EventStore
  private let log: IngestLog
  private let limits: CollectorLimits
  private let metrics: CollectorMetrics
  private let logger: Logger
  private let commits: CommitSignal
  private let onReports: @Sendable () -> Void
  private let projects: @Sendable () -> Set<String>
  private let condition = NSCondition()
  private var isStopping = false
  private var isStopped = false
  private var mustTidy = false
  /// When it ends, though something is left.
  private var deadline = Date.distantFuture
  private var failure: String?

  private var position: LogPosition
  private var caches = IndexCaches()
  /// The store's when the caches were begun.
  private var generation = 0

  /// What was erased came late, and stands in the log.
  private var hasDropped = false

  /// Events after which a transaction is closed, and bytes.
  private let transactionEvents = 8000
  private let transactionBytes = 8 << 20
  private let retryDelay = 0.5

  /// - Parameter onReports: called on the thread, when crashes, hangs or failures have been indexed.
  init(
    store: EventStore, log: IngestLog, from position: LogPosition, limits: CollectorLimits, commits: CommitSignal,
    metrics: CollectorMetrics, logger: Logger, projects: @escaping @Sendable () -> Set<String> = { [] },
    onReports: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.log = log
    self.position = position
    self.limits = limits
    self.commits = commits
    self.metrics = metrics
    self.logger = logger
    self.onReports = onReports
    self.projects = projects
    log.onAdvance { [weak self] in self?.wake() }
    startThread("indexer") { [self] in run() }
  }

  /// Why the index does not advance at the moment; nil when it does.
  var problem: String? { condition.withLock { failure } }

  /// Indexes what is left, as far as that works within so many seconds, and ends the thread.
  func stop(within seconds: Double = .infinity) {
    condition.lock()
    isStopping = true
    deadline = seconds.isFinite ? Date(timeIntervalSinceNow: seconds) : .distantFuture
    condition.broadcast()
    while !isStopped { condition.wait() }
    condition.unlock()
  }

  private func wake() { condition.withLock { condition.signal() } }

  /// Has files of the log that are behind removed, also when nothing new comes.
  func tidy() {
    condition.withLock {
      mustTidy = true
      condition.signal()
    }
  }

  // MARK: The thread

  private func run() {
    let size = LogFrame.headerSize + limits.maximumLogBody
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var reader = LogReader(
      directory: log.directory, from: position, maximumBody: limits.maximumLogBody, buffer: buffer)
    while waitForWork() {
      do {
        let end = log.end
        while position < end, try index(&reader, before: end) {
          guard hasTime else { break }
        }
        guard hasTime else { break }
        position = max(position, end)
        log.indexed(bytes: 0, upTo: position)
        try cleanUp()
        if hasDropped {
          // A file that is not full would keep it until it is.
          hasDropped = false
          _ = log.roll()
        }
        condition.withLock { failure = nil }
      } catch {
        // Nothing of the transaction is kept, so its caches are not either.
        caches = IndexCaches()
        reader.seek(position)
        metrics.indexFailed()
        logger.error("the index cannot be written; trying again", metadata: ["error": "\(error)"])
        condition.withLock {
          failure = "\(error)"
          if !isStopping { _ = condition.wait(until: Date(timeIntervalSinceNow: retryDelay)) }
        }
        if condition.withLock({ isStopping }) { break }
      }
    }
    leaveNothing()
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  private var hasTime: Bool { condition.withLock { Date() < deadline } }

  /// Waits until the log is ahead; false when it is time to end.
  private func waitForWork() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while position >= log.end, !mustTidy {
      if isStopping { return false }
      condition.wait()
    }
    mustTidy = false
    return true
  }

  /// One transaction; false when nothing was left before `end`.
  private func index(_ reader: inout LogReader, before end: LogPosition) throws -> Bool {
    let start = Date()
    var next = reader
    let (tally, caches, last) = try store.pool.writeWithoutTransaction { database in
      let generation = store.generation.withLockedValue { $0 }
      if generation != self.generation { self.caches = IndexCaches() }
      self.generation = generation
      var result: (IndexTally, IndexCaches, LogPosition?) = (IndexTally(), self.caches, nil)
      try database.inTransaction(.immediate) {
        var transaction = try IndexTransaction(
          database, caches: self.caches, projects: projects(), limits: limits, hasFullText: store.hasFullText)
        var last: LogPosition?
        while transaction.tally.stored + transaction.tally.duplicates < transactionEvents,
          transaction.tally.consumed < transactionBytes, let entry = try next.next(before: end)
        {
          try transaction.add(entry)
          last = entry.next
        }
        try transaction.finish(at: last ?? next.position)
        result = (transaction.tally, transaction.caches, last)
        return .commit
      }
      return result
    }
    reader = next
    self.caches = caches
    guard let last else { return false }
    position = last
    log.indexed(bytes: tally.consumed, upTo: last)
    if tally.dropped > 0 { hasDropped = true }
    metrics.indexed(tally, seconds: Date().timeIntervalSince(start))
    if tally.damagedBytes > 0 {
      logger.warning("damaged parts of the ingest log were passed over", metadata: ["bytes": "\(tally.damagedBytes)"])
    }
    commits.advance()
    if tally.reports > 0 { onReports() }
    return true
  }

  /// Removes segments that are behind, once what they held is durable in the index.
  private func cleanUp() throws {
    let old = try log.directory.segments().filter { $0.number < position.segment }
    guard !old.isEmpty, try store.checkpoint() else { return }
    for segment in old { log.directory.remove(segment.number) }
  }

  /// At the end of an orderly stop the log is empty: everything is in the index.
  private func leaveNothing() {
    guard position >= log.end, (try? store.checkpoint()) == true else { return }
    let segments = (try? log.directory.segments()) ?? []
    for segment in segments where segment.number <= position.segment { log.directory.remove(segment.number) }
  }
}
