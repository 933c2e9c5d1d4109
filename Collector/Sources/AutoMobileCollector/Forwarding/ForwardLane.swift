import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Sends one signal of a forwarder: reads what came after the last acknowledgement, sends it, writes down the next one.
///
/// What has been taken in is the queue. What is between two acknowledgements is in memory only, so a collector that is killed reads it again;
/// sent twice is at most the one request that was answered and not noted down. Of several collectors one has the lane.
final class ForwardLane: Sendable {
  /// What it does at this moment.
  enum Activity: Sendable, Equatable {
    case upToDate, sending
    /// Another collector has it.
    case elsewhere
    case waiting(reason: String, attempts: Int, until: Int64)
    /// Until somebody changes something; or for ``ForwardPause/blocked``.
    case blocked(reason: String)
  }

  struct Status: Sendable {
    var activity = Activity.upToDate
    /// The event up to which it has looked.
    var position: Int64
  }

  let name: ForwardLaneName
  let forwarder: Forwarder
  private var settings: Forwarder.Settings { forwarder.settings }
  private let parts: Parts
  private let reader: ForwardReader
  private let courier: ForwardCourier
  private let ledger: ForwardLedger
  private let bell = ForwardBell()
  private let turn: WorkTurn
  private let current: NIOLockedValueBox<Status>
  private let task = NIOLockedValueBox<Task<Void, Never>?>(nil)
  private let mustForget = NIOLockedValueBox(false)

  /// What all lanes share.
  struct Parts: Sendable {
    var reading: any ForwardReading
    /// How deep the JSON of an event may be nested.
    var maximumDepth: Int
    var state: any StateStore
    var egress: Egress
    var identity: String
    var thread: QuietThread
    var metrics: CollectorMetrics
    var logger: Logger
    var pause = ForwardPause()
    var limits = ForwardLimits()
  }

  init(_ forwarder: Forwarder, _ signal: ForwardSignal, from cursor: Int64, _ parts: Parts) {
    name = ForwardLaneName(forwarder: forwarder.id, signal: signal)
    self.forwarder = forwarder
    let settings = forwarder.settings
    self.parts = parts
    let filter = ForwardFilter(settings, signal)
    reader = ForwardReader(
      reading: parts.reading, filter: filter, format: settings.format, compresses: settings.gzip,
      collector: parts.identity, limits: parts.limits, maximumDepth: parts.maximumDepth, thread: parts.thread)
    courier = ForwardCourier(egress: parts.egress, settings: settings, signal: signal, identity: parts.identity)
    ledger = ForwardLedger(state: parts.state, lane: name)
    turn = WorkTurn(name.work, in: parts.state)
    current = NIOLockedValueBox(Status(position: cursor))
  }

  var status: Status { current.withLockedValue { $0 } }

  /// - Parameter earlier: of the same name; this one begins when that has ended, where that has come to.
  func start(after earlier: ForwardLane?) {
    let task = Task { [self] in
      await earlier?.end()
      await run()
      await courier.close()
    }
    self.task.withLockedValue { $0 = task }
  }

  /// Something was indexed.
  func wake() { bell.ring() }

  /// What was read and not sent yet is read again: some of it has been erased.
  func forget() {
    mustForget.withLockedValue { $0 = true }
    bell.ring()
  }

  /// Lets what is under way come to its end, and begins nothing more.
  func stop() { bell.end() }

  /// Stops, and waits until it has.
  func end() async {
    stop()
    await task.withLockedValue { $0 }?.value
  }

  /// Has no patience: the receiver may get the request at hand once more later.
  func cancel() { task.withLockedValue { $0?.cancel() } }

  // MARK: Running

  private func run() async {
    var walk = Walk(position: status.position, records: parts.limits.records)
    while !bell.hasEnded, !Task.isCancelled {
      do {
        guard try await isOurs(&walk) else { continue }
        try await step(&walk)
      } catch is CancellationError {
        break
      } catch {
        guard !bell.hasEnded else { break }
        parts.logger.error(
          "a forwarder cannot read what has come; trying later",
          metadata: ["forwarder": "\(name.forwarder)", "error": "\(error)"])
        walk.forget()
        await bell.rest(1)
      }
      current.withLockedValue { $0.position = walk.position }
    }
    walk.next?.cancel()
    turn.end()
  }

  /// Whether this collector is the one of several that sends; when it is not, some time has gone by.
  private func isOurs(_ walk: inout Walk) async throws -> Bool {
    let hold = try await turn.take {
      walk.forget()
      // Read with the hold in hand: whoever had it before, or an earlier lane of this collector, has noted all that it sent.
      if let cursor = try await ledger.cursor() { (walk.position, walk.settled) = (cursor, cursor) }
      current.withLockedValue { if $0.activity == .elsewhere { $0.activity = .sending } }
    }
    guard hold == nil else { return true }
    walk.forget()
    current.withLockedValue { $0.activity = .elsewhere }
    await bell.rest(parts.pause.elsewhere)
    return false
  }

  /// Where it is.
  private struct Walk {
    var position: Int64
    /// How far the index knows.
    var settled: Int64
    /// At most so many at once: fewer after a receiver said that it was too much.
    var records: Int
    var batch: ForwardBatch?
    /// Made while that one is on its way.
    var next: Task<ForwardBatch, any Error>?
    var attempts = 0
    /// Requests in a row that the receiver did not take.
    var refusals = 0

    init(position: Int64, records: Int) { (self.position, settled, self.records) = (position, position, records) }

    mutating func forget() {
      next?.cancel()
      (batch, next) = (nil, nil)
    }

    /// The same records again, in smaller parts.
    mutating func halve(_ refused: ForwardBatch) {
      forget()
      records = max(1, min(refused.count, records) / 2)
    }
  }

  /// Reads a batch and has it delivered, as far as that goes at this moment.
  private func step(_ walk: inout Walk) async throws {
    let mustForget = mustForget.withLockedValue { flag in
      defer { flag = false }
      return flag
    }
    if mustForget { walk.forget() }
    try await passOver(&walk)
    if walk.batch == nil {
      let next = walk.next
      walk.next = nil
      walk.batch = if let next { try await next.value } else { try await read(after: walk.position, walk.records) }
    }
    guard let batch = walk.batch else { return }
    guard batch.count > 0 else { return try await pass(batch, &walk) }
    if !batch.isLast, walk.next == nil {
      let records = walk.records
      walk.next = Task { [self] in try await read(after: batch.end, records) }
    }
    if walk.attempts == 0 { note(.sending) }
    let outcome = try await courier.deliver(batch)
    parts.metrics.forwarded(outcome, of: batch.count, name.signal)
    switch outcome {
    case .accepted(let rejected, let reason):
      try await settle(batch, sent: batch.count - rejected, rejected: rejected, reason, &walk)
      walk.refusals = 0
    case .refused(let reason):
      walk.refusals += 1
      // One record may be the reason for all of them; a receiver that takes nothing at all is not asked for each.
      let looksForOne = walk.refusals <= parts.limits.refusals
      guard batch.count > 1, looksForOne else {
        return try await settle(batch, sent: 0, rejected: batch.count, reason, &walk)
      }
      walk.halve(batch)
    case .tooLarge(let reason):
      guard batch.count > 1 else { return try await settle(batch, sent: 0, rejected: 1, reason, &walk) }
      walk.halve(batch)
    case .later(let reason, let after):
      walk.attempts += 1
      let pause = parts.pause.seconds(attempt: walk.attempts, asked: after)
      let until = WallClock.now + Int64(pause * 1000)
      note(.waiting(reason: reason, attempts: walk.attempts, until: until))
      await bell.rest(pause)
    case .blocked(let reason):
      note(.blocked(reason: reason))
      parts.logger.warning(
        "a forwarder is stopped", metadata: ["forwarder": "\(name.forwarder)", "reason": "\(reason)"])
      // What nobody mends here may be mended there: a certificate, an account, a deployment that had gone wrong.
      await bell.rest(parts.pause.blocked)
    }
  }

  private func read(after cursor: Int64, _ records: Int) async throws -> ForwardBatch {
    try await reader.batch(after: cursor, records: records)
  }

  private func note(_ activity: Activity) { current.withLockedValue { $0.activity = activity } }

  /// Nothing that is wanted in this part of what has come.
  private func pass(_ batch: ForwardBatch, _ walk: inout Walk) async throws {
    walk.batch = nil
    walk.position = batch.end
    // So that the next run does not look at all of it again.
    if walk.position - walk.settled >= parts.reading.stride(parts.limits) {
      try await ledger.settle(upTo: walk.position, at: WallClock.now)
      walk.settled = walk.position
    }
    guard batch.isLast else { return }
    current.withLockedValue { $0 = Status(activity: .upToDate, position: walk.position) }
    await bell.wait()
    // Others mostly follow.
    await bell.rest(0.1)
  }

  /// The request is over. The note of that is tried until it succeeds: without it, the records would go out again.
  private func settle(
    _ batch: ForwardBatch, sent: Int, rejected: Int, _ reason: String?, _ walk: inout Walk
  ) async throws {
    while true {
      do {
        try await ledger.settle(upTo: batch.end, sent: sent, rejected: rejected, reason: reason, at: WallClock.now)
        break
      } catch {
        parts.logger.error(
          "what a receiver acknowledged cannot be noted down; trying again",
          metadata: ["forwarder": "\(name.forwarder)", "error": "\(error)"])
        guard !bell.hasEnded else { throw error }
        try await Task.sleep(for: .milliseconds(500))
      }
    }
    (walk.position, walk.settled, walk.batch, walk.attempts) = (batch.end, batch.end, nil, 0)
    current.withLockedValue { $0.position = batch.end }
    // Slowly, since a receiver's limit stays what it is.
    walk.records = min(walk.records + max(1, walk.records / 10), parts.limits.records)
    if batch.isLast { await bell.rest(0.1) }
  }

  /// Leaves out what is older than the operator wants to have waiting.
  private func passOver(_ walk: inout Walk) async throws {
    guard let most = settings.mostBehind else { return }
    guard let end = try await parts.reading.place(leaving: most, after: walk.position) else { return }
    walk.forget()
    while walk.position < end {
      let position = walk.position
      let (count, next) = try await reader.count(after: position, upTo: end)
      try await ledger.passOver(upTo: next, count: count)
      parts.metrics.forwardDropped(count, name.signal)
      (walk.position, walk.settled) = (next, next)
    }
  }
}
