import AutoMobileClickHouse
import AutoMobileState
import Foundation
import Logging

/// Follows the ingest log and puts it into ClickHouse, on a thread of its own.
///
/// Each batch is noted in the ``BatchJournal`` before it is sent, and the log is left behind as far as every shard has confirmed: after
/// any end of the process the next one sends the same batches again, and what is there already falls out. Where a shard is away, its
/// rows wait in the log; a log that is full sends those who deliver away until later.
final class ClickHouseIndexer: LogFollower, @unchecked Sendable {
  // Unchecked because everything that changes but `state`, which guards itself, belongs to the thread.

  private let log: IngestLog
  private let limits: CollectorLimits
  private let batches: BatchLimits
  private let sender: BatchSender
  private let commits: CommitSignal
  private let metrics: CollectorMetrics
  private let counts: ClickHouseMetrics
  private let logger: Logger
  private let onReports: @Sendable () -> Void
  private let onConfirmed: @Sendable (Int64) -> Void
  private let state = FollowerState()

  private var journal: BatchJournal
  private var builder: BatchBuilder
  private let buffer: UnsafeMutableRawBufferPointer
  /// What batches hold that are not behind yet.
  private var tallies: [UInt64: IndexTally] = [:]
  /// Deliveries that ask for contexts which nobody knows yet.
  private var waiting: [WaitingDelivery] = []
  private var contexts: ContextAsking
  private var askedAt = Date.distantPast
  private var numbers = ConfirmedNumbers()
  private var reached: Int64 = -1
  private let retryDelay = 0.5

  /// - Parameters:
  ///   - journal: of the log's directory, opened before the log was.
  ///   - onReports: called when crashes, hangs or failures are in ClickHouse.
  ///   - onConfirmed: called with the number up to which everything in the log is in ClickHouse, when that has grown; at once.
  init(
    _ cluster: ClickHouseCluster, log: IngestLog, journal: BatchJournal, limits: CollectorLimits,
    batches: BatchLimits = BatchLimits(), commits: CommitSignal, metrics: CollectorMetrics, logger: Logger,
    projects: @escaping @Sendable () -> Set<String> = { [] },
    erased: @escaping @Sendable () throws -> ErasedNames? = { nil }, onReports: @escaping @Sendable () -> Void = {},
    onConfirmed: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.log = log
    self.limits = limits
    self.batches = batches
    self.journal = journal
    self.commits = commits
    self.metrics = metrics
    self.logger = logger
    self.onReports = onReports
    self.onConfirmed = onConfirmed
    counts = ClickHouseMetrics(metrics.registry, shards: cluster.map.shards.map(\.number))
    sender = BatchSender(cluster, patience: batches.tellAfter, metrics: counts, logger: logger)
    let lookup = ContextLookup(cluster, erased: erased)
    contexts = ContextAsking(state, onAsk: { [counts] in counts.lookedUp($0) }) { try await lookup.answers(to: $0) }
    buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: LogFrame.headerSize + limits.maximumLogBody, alignment: 16)
    let reader = LogReader(
      directory: log.directory, from: journal.position, maximumBody: limits.maximumLogBody, buffer: buffer)
    builder = BatchBuilder(
      cluster.map, cluster.dialect, reader: reader, limits: limits, batches: batches, projects: projects,
      erased: erased)
    if journal.tornBytes > 0 {
      logger.warning(
        "the list of batches was torn: what may have been sent is sent again",
        metadata: ["bytes": "\(journal.tornBytes)"])
    }
    log.onAdvance { [weak self] in self?.wake() }
    startThread("clickhouse") { [self] in run() }
  }

  deinit { buffer.deallocate() }

  var problem: String? { backlog.problem }

  var cluster: ClickHouseBacklog? { backlog }

  /// What waits.
  var backlog: ClickHouseBacklog {
    let backlog = state.backlog(bytes: log.backlog)
    counts.set(backlog)
    return backlog
  }

  func stop(within seconds: Double = .infinity) { state.stop(within: seconds) }

  private func wake() { state.wake() }

  func tidy() { state.tidy() }

  // MARK: The thread

  private func run() {
    var again = journal.open[...]
    var isOpen = true
    var hasLooked = false
    while isOpen {
      var hasFailed = false
      do {
        try settle()
        if let batch = again.first {
          // What was under way when the last process ended.
          if try hasPlace() {
            try repeated(batch)
            again.removeFirst()
          }
        } else if !hasLooked {
          builder.drop(backTo: journal.end)
          waiting = try journal.waiting.map { try builder.look(at: $0) ?? gone(at: $0) }
          state.setWaiting(waiting.count)
          // Also what an earlier process had confirmed, and did not come to tell.
          numbers.start(at: try builder.nextNumber(in: log).map { $0 - FrameNumbers.step } ?? log.numbersBefore)
          hasLooked = true
        } else {
          try advance()
        }
        state.note(nil)
      } catch {
        metrics.indexFailed()
        logger.error("batches for ClickHouse cannot be made; trying again", metadata: ["error": "\(error)"])
        builder.drop(backTo: again.first?.from ?? journal.end)
        state.note("\(error)")
        state.pause(until: Date(timeIntervalSinceNow: retryDelay))
        hasFailed = true
      }
      let isRepeated = again.isEmpty
      isOpen = state.goesOn(hasFailed) {
        !isRepeated || !builder.isEmpty || builder.reader.position < log.end && !isAtEnd
      }
    }
    end()
  }

  /// Makes what is in the log into batches, as far as there is something, and a place for it; waits otherwise.
  private func advance() throws {
    guard try hasPlace() else { return }
    let end = log.end
    let isEnough = try builder.read(before: end)
    let isStopping = state.isStopping
    let asksAgain = waiting.isEmpty ? Date.distantFuture : askedAt.addingTimeInterval(batches.askEvery)
    if isEnough || asksAgain <= Date() || !builder.isEmpty && (builder.due <= Date() || isStopping) {
      return try close()
    }
    if builder.isEmpty, tallies.isEmpty { log.indexed(bytes: 0, upTo: end) }
    if isStopping {
      // What is under way may still be confirmed.
      if !tallies.isEmpty { state.pause(until: .distantFuture) }
    } else {
      state.pauseUnlessStopping(until: min(builder.due, asksAgain)) { log.end > end }
    }
  }

  /// Waits for a place for another batch.
  private func hasPlace() throws -> Bool {
    guard tallies.count >= batches.underWay else { return true }
    state.pause(until: .distantFuture)
    return false
  }

  /// The batch at hand is whole, but for what nobody knows.
  private func close() throws {
    let to = max(builder.reader.position, journal.end)
    let asking = waiting + builder.asking
    guard !asking.isEmpty else {
      return send(try journal.begin(to: to, answers: builder.answers, projects: builder.usedProjects))
    }
    askedAt = Date()
    var stays = asking
    var given = builder.answers
    let questions: Set<ContextQuestion> = asking.reduce(into: []) { $0.formUnion($1.questions) }
    do {
      // With too many of them nothing else goes on.
      let patience = asking.count <= batches.mostWaiting ? batches.lookupPatience : nil
      guard let found = try contexts.answers(to: questions, within: patience) else {
        return builder.drop(backTo: journal.end)
      }
      stays = WaitingDelivery.stay(of: asking, found, batches)
      given.merge(found.answers) { $1 }
    } catch {
      // Nobody is taken for unknown because a shard is silent. Others go on, as long as there is room to wait.
      guard asking.count <= batches.mostWaiting else { throw error }
    }
    let places = Set(stays.map(\.place))
    let left = builder.asking.map(\.place).filter { places.contains($0) }
    let late = waiting.map(\.place).filter { !places.contains($0) }
    guard !builder.isEmpty || !late.isEmpty else { return }
    try builder.make(from: journal.end, to: to, given: given, left: left, late: late)
    // What was remembered when a late one was read, and has been forgotten since.
    if !builder.missing.isEmpty {
      guard let found = try contexts.answers(to: builder.missing, within: nil) else {
        return builder.drop(backTo: journal.end)
      }
      try builder.make(
        from: journal.end, to: to, given: given.merging(found.answers) { $1 }, left: left, late: late)
    }
    let batch = try journal.begin(
      to: to, answers: builder.answers, left: left, late: late, projects: builder.usedProjects)
    waiting = stays
    // Counted in one place at least at any moment.
    state.setWaiting(stays.count + late.count)
    send(batch)
    state.setWaiting(stays.count)
  }

  /// One of which nothing is left is in the next batch, and nothing comes of it: its file of the log would stay for ever.
  private func gone(at place: LogPosition) -> WaitingDelivery {
    logger.error(
      "a delivery that waited for a context cannot be read any more: it is left out",
      metadata: ["file": "\(place.segment)", "offset": "\(place.offset)"])
    return WaitingDelivery(place: place, receivedAt: 0, questions: [], number: .max)
  }

  private func repeated(_ batch: BatchJournal.Batch) throws {
    let given = Dictionary(batch.answers.map { ($0.question, $0.answer) }, uniquingKeysWith: { $1 })
    try builder.make(
      from: batch.from, to: batch.to, given: given, left: batch.left, late: batch.late,
      again: Set(batch.projects ?? []))
    send(batch)
  }

  private func send(_ batch: BatchJournal.Batch) {
    counts.built(seconds: builder.seconds)
    guard let rows = builder.take() else { return }
    if rows.tally.damagedBytes > 0 {
      logger.warning(
        "damaged parts of the ingest log were passed over", metadata: ["bytes": "\(rows.tally.damagedBytes)"])
    }
    let tables = rows.all
    let count = tables.reduce(0) { $0 + $1.count }
    let number = batch.number
    tallies[number] = rows.tally
    numbers.begin(number, rows.numbers)
    state.begin(number, rows: count)
    let task = Task { [sender, counts, state] in
      let start = Date()
      do {
        try await sender.send(tables) { state.note($0, of: number) }
        counts.confirmed(rows: count, seconds: Date().timeIntervalSince(start))
        state.confirm(number)
      } catch {
        // Called off: the next process sends it again.
        state.leave(number)
      }
    }
    state.set(task, of: number)
  }

  // MARK: What comes back

  /// Leaves behind what has been confirmed.
  private func settle() throws {
    let (confirmed, mustTidy) = state.take()
    var (reports, dropped) = (0, 0)
    for number in confirmed {
      do {
        try journal.confirm(number)
      } catch {
        // After the next start it is sent again.
        logger.warning("a batch that was confirmed could not be noted", metadata: ["error": "\(error)"])
      }
      numbers.confirm(number)
      guard let tally = tallies.removeValue(forKey: number) else { continue }
      log.indexed(bytes: tally.consumed, upTo: journal.position)
      metrics.indexed(tally, seconds: 0)
      reports += tally.reports
      dropped += tally.dropped
    }
    if !confirmed.isEmpty { commits.advance() }
    if reports > 0 { onReports() }
    if let number = numbers.reached(waiting: waiting.map(\.number)), number > reached {
      reached = number
      onConfirmed(number)
    }
    // A file that is not full would keep what was erased until it is.
    if dropped > 0 {
      _ = log.roll()
      state.tidy()
    }
    guard !confirmed.isEmpty || mustTidy else { return }
    if mustTidy { try journal.tidy() }
    let end = log.end.segment
    let needed = isIdle ? max(end, journal.needed.segment) : journal.needed.segment
    try removeSegments { $0 < needed }
  }

  /// Nothing is left in the log, also when it has gone on in another file.
  private var isIdle: Bool {
    journal.open.isEmpty && journal.waiting.isEmpty && builder.isEmpty && isAtEnd
  }

  private func removeSegments(_ isBehind: (UInt64) -> Bool) throws {
    let old = try log.directory.segments().filter { isBehind($0.number) }
    guard !old.isEmpty else { return }
    // Who waits until files are gone relies on that nothing of them is left in the list of batches, either.
    try journal.tidy()
    for segment in old { log.directory.remove(segment.number) }
  }

  /// Everything in the log has been read. What cannot be read is not the end.
  private var isAtEnd: Bool { (try? builder.isAtEnd(of: log)) ?? false }

  private func end() {
    contexts.cancel()
    state.callOff()
    try? settle()
    try? journal.sync()
    if isIdle { try? removeSegments { _ in true } }
    state.end()
  }
}
