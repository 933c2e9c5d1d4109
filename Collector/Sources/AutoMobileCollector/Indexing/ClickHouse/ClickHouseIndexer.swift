import AutoMobileClickHouse
import Foundation
import Logging

/// Follows the ingest log and puts it into ClickHouse, on a thread of its own.
///
/// Each batch is noted in the ``BatchJournal`` before it is sent, and the log is left behind as far as every shard has confirmed: after
/// any end of the process the next one sends the same batches again, and what is there already falls out. Where a shard is away, its
/// rows wait in the log; a log that is full sends those who deliver away until later.
final class ClickHouseIndexer: LogFollower, @unchecked Sendable {
  // Unchecked because `condition` guards `state`; the rest is set once or belongs to the thread.

  private let log: IngestLog
  private let limits: CollectorLimits
  private let batches: BatchLimits
  private let sender: BatchSender
  private let lookup: ContextLookup
  private let commits: CommitSignal
  private let metrics: CollectorMetrics
  private let counts: ClickHouseMetrics
  private let logger: Logger
  private let onReports: @Sendable () -> Void
  private let onConfirmed: @Sendable (Int64) -> Void
  private let condition = NSCondition()
  private var state = FollowerState()

  private var journal: BatchJournal
  private var builder: BatchBuilder
  private let buffer: UnsafeMutableRawBufferPointer
  /// What batches hold that are not behind yet.
  private var tallies: [UInt64: IndexTally] = [:]
  /// Deliveries that ask for contexts which nobody knows yet.
  private var waiting: [WaitingDelivery] = []
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
    lookup = ContextLookup(cluster, erased: erased)
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
    let bytes = log.backlog
    let backlog = condition.withLock {
      state.sent.backlog(bytes: bytes, deliveries: state.waiting, failure: state.failure)
    }
    counts.set(backlog)
    return backlog
  }

  func stop(within seconds: Double = .infinity) {
    condition.lock()
    state.isStopping = true
    state.deadline = seconds.isFinite ? Date(timeIntervalSinceNow: seconds) : .distantFuture
    condition.broadcast()
    while !state.isStopped { condition.wait() }
    condition.unlock()
  }

  private func wake() { condition.withLock { condition.signal() } }

  func tidy() {
    condition.withLock {
      state.mustTidy = true
      condition.signal()
    }
  }

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
          waiting = try journal.waiting.compactMap { try builder.look(at: $0) }
          condition.withLock { state.waiting = waiting.count }
          // Also what an earlier process had confirmed, and did not come to tell.
          numbers.start(at: try builder.nextNumber(in: log).map { $0 - FrameNumbers.step } ?? log.numbersBefore)
          hasLooked = true
        } else {
          try advance()
        }
        note(nil)
      } catch {
        metrics.indexFailed()
        logger.error("batches for ClickHouse cannot be made; trying again", metadata: ["error": "\(error)"])
        builder.drop(backTo: again.first?.from ?? journal.end)
        note("\(error)")
        pause(until: Date(timeIntervalSinceNow: retryDelay))
        hasFailed = true
      }
      isOpen = goesOn(again.isEmpty, hasFailed)
    }
    end()
  }

  /// Makes what is in the log into batches, as far as there is something, and a place for it; waits otherwise.
  private func advance() throws {
    guard try hasPlace() else { return }
    let end = log.end
    let isEnough = try builder.read(before: end)
    let isStopping = condition.withLock { state.isStopping }
    let asksAgain = waiting.isEmpty ? Date.distantFuture : askedAt.addingTimeInterval(batches.askEvery)
    if isEnough || asksAgain <= Date() || !builder.isEmpty && (builder.due <= Date() || isStopping) {
      return try close()
    }
    if builder.isEmpty, tallies.isEmpty { log.indexed(bytes: 0, upTo: end) }
    if isStopping {
      // What is under way may still be confirmed.
      if !tallies.isEmpty { pause(until: .distantFuture) }
    } else {
      pause(until: min(builder.due, asksAgain), from: end)
    }
  }

  /// Waits for a place for another batch.
  private func hasPlace() throws -> Bool {
    guard tallies.count >= batches.underWay else { return true }
    pause(until: .distantFuture)
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
    do {
      guard let found = try answers(to: asking.reduce(into: []) { $0.formUnion($1.questions) }) else {
        return builder.drop(backTo: journal.end)
      }
      stays = WaitingDelivery.stay(of: asking, found, batches, now: WallClock.now)
      given.merge(found) { $1 }
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
      guard let found = try answers(to: builder.missing) else { return builder.drop(backTo: journal.end) }
      try builder.make(
        from: journal.end, to: to, given: given.merging(found) { $1 }, left: left, late: late)
    }
    let batch = try journal.begin(
      to: to, answers: builder.answers, left: left, late: late, projects: builder.usedProjects)
    waiting = stays
    // Counted in one place at least at any moment.
    condition.withLock { state.waiting = stays.count + late.count }
    send(batch)
    condition.withLock { state.waiting = stays.count }
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
    condition.withLock { state.sent.begin(number, rows: count) }
    let task = Task { [self] in
      let start = Date()
      do {
        try await sender.send(tables) { [self] in note($0, of: number) }
        counts.confirmed(rows: count, seconds: Date().timeIntervalSince(start))
        confirm(number)
      } catch {
        // Called off: the next process sends it again.
        leave(number)
      }
    }
    condition.withLock { state.sent.underWay[number]?.task = task }
  }

  // MARK: What comes back

  private func note(_ problem: SendProblem?, of number: UInt64) {
    condition.withLock { state.sent.underWay[number]?.problem = problem }
  }

  private func note(_ failure: String?) { condition.withLock { state.failure = failure } }

  private func confirm(_ number: UInt64) {
    condition.withLock {
      state.sent.underWay[number] = nil
      state.confirmed.append(number)
      condition.signal()
    }
  }

  private func leave(_ number: UInt64) {
    condition.withLock {
      state.sent.underWay[number] = nil
      condition.signal()
    }
  }

  /// Leaves behind what has been confirmed.
  private func settle() throws {
    let (confirmed, mustTidy) = condition.withLock {
      defer { (state.confirmed, state.mustTidy) = ([], false) }
      return (state.confirmed, state.mustTidy)
    }
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
      condition.withLock { state.mustTidy = true }
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

  // MARK: Waiting

  private func answers(to questions: Set<ContextQuestion>) throws -> [ContextQuestion: ContextAnswer]? {
    let box = AnswerBox(condition)
    let task = Task { [lookup] in
      do {
        box.fill(.success(try await lookup.answers(to: questions)))
      } catch {
        box.fill(.failure(error))
      }
    }
    counts.lookedUp(questions.count)
    condition.lock()
    while box.result == nil, !(state.isStopping && state.deadline <= Date()) {
      _ = condition.wait(until: min(state.deadline, Date(timeIntervalSinceNow: 1)))
    }
    let result = box.result
    condition.unlock()
    guard let result else {
      task.cancel()
      return nil
    }
    return try result.get()
  }

  /// Sleeps until there is something to do, and no longer than until `due`.
  ///
  /// - Parameter end: what is in the log beyond is something to do.
  private func pause(until due: Date, from end: LogPosition? = nil) {
    condition.lock()
    defer { condition.unlock() }
    while state.confirmed.isEmpty, !state.mustTidy, Date() < min(due, state.deadline) {
      if let end, log.end > end || state.isStopping { return }
      _ = condition.wait(until: min(due, min(state.deadline, Date(timeIntervalSinceNow: 0.5))))
    }
  }

  /// Whether there is anything left to do before the end. What cannot be made into batches is left to the next process.
  private func goesOn(_ hasRepeated: Bool, _ hasFailed: Bool) -> Bool {
    let (isStopping, isOver, isWaiting) = condition.withLock {
      (state.isStopping, state.deadline <= Date(), !state.sent.underWay.isEmpty || !state.confirmed.isEmpty)
    }
    guard isStopping else { return true }
    if isOver { return false }
    if isWaiting { return true }
    if hasFailed { return false }
    return !hasRepeated || !builder.isEmpty || builder.reader.position < log.end && !isAtEnd
  }

  /// Everything in the log has been read. What cannot be read is not the end.
  private var isAtEnd: Bool { (try? builder.isAtEnd(of: log)) ?? false }

  private func end() {
    let tasks = condition.withLock { state.sent.underWay.values.compactMap(\.task) }
    for task in tasks { task.cancel() }
    try? settle()
    try? journal.sync()
    if isIdle { try? removeSegments { _ in true } }
    condition.withLock {
      state.isStopped = true
      condition.broadcast()
    }
  }
}
