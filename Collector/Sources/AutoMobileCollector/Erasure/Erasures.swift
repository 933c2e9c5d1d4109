import AutoMobileState
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Erases what belongs to one user, device or session, wherever it is, on a thread of its own. What is asked for stands in the index
/// before the answer; each step is written down when it is done, so that after any end of the process the next one goes on there.
final class Erasures: Sendable {
  /// What it works on.
  struct Parts: Sendable {
    var store: EventStore
    var packs: ReplayPacks
    var uploads: PackUploads
    var log: IngestLog
    var maximumDepth: Int
    /// The index's file.
    var index: String
    /// Has the indexer remove files of the log that are behind.
    var tidyLog: @Sendable () -> Void
    /// Called when rows are gone: what is in memory of them goes as well.
    var forget: @Sendable () -> Void
    /// Called when issues have to be described with their symbols.
    var onIssues: @Sendable () -> Void
    /// Called when documents of the configuration have changed.
    var onConfiguration: @Sendable () -> Void
    var projects: @Sendable () -> Set<String>
    /// Where telemetry lies, when that is not the index.
    var telemetry: (any TelemetryErasing)?
  }

  let store: EventStore
  private let parts: Parts
  private let telemetry: any TelemetryErasing
  private let logger: Logger
  private let now: @Sendable () -> Int64
  /// Looks every ten minutes: marks end.
  private let worker = BackgroundWorker(every: 600)

  /// Between two tries of a step that did not succeed, in seconds.
  private static let pauses = 0.25...15.0

  init(_ parts: Parts, logger: Logger, now: @escaping @Sendable () -> Int64 = { WallClock.now }) {
    (store, self.parts, self.logger, self.now) = (parts.store, parts, logger, now)
    telemetry = parts.telemetry ?? SQLiteErasing(store: parts.store)
    worker.start("erasures") { [self] in work() }
  }

  /// Ends the thread, after the part of a step at hand.
  func stop() { worker.stop() }

  // MARK: Asking for it

  /// What would go: sessions, and rows by table.
  func preview(_ subject: ErasureSubject) async throws -> (sessions: Int, counts: [String: Int64]) {
    try await telemetry.preview(subject, projects: parts.projects())
  }

  /// Writes it down, durably; from then on nothing of the subject is taken in. The rest is done by the thread.
  ///
  /// Where the state is elsewhere, it is cleaned before the erasure is written down: when it does not answer, nothing is begun. A process
  /// that ends between the two has answered nobody, and whoever asked does so again. And once more afterwards: somebody may have asked
  /// for the subject's devices in between.
  func begin(_ subject: ErasureSubject, reason: String, by author: String) async throws -> Erasure {
    let now = now()
    let finding = try await telemetry.find(subject, projects: parts.projects())
    let cleaned = try await cleanState(of: finding, at: now, by: author)
    let (erasure, found) = try await store.pool.write { [parts, store] database in
      try ErasureMarks.makeKey(in: database)
      try database.execute(
        sql: """
          INSERT INTO erasure(kind, subject, project, reason, requestedAt, requestedBy, step, marksEnd)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          subject.kind.rawValue, try ErasureMarks.subject(subject, in: database), subject.project, reason, now, author,
          ErasureStep.sessions.rawValue, now + ErasureMarks.lifetime,
        ])
      let id = database.lastInsertedRowID
      let mark = ErasureMarks.Mark(erasure: id, at: now, ends: now + ErasureMarks.lifetime)
      let (sessions, state) = try finding.mark(mark, in: database)
      // In the index's own file all of it is one transaction.
      let result = try cleaned ?? store.own.within(database) { try state.run(at: now, by: author, in: $0) }
      if store.sharesState { try LateErasure(state, at: now, by: author).insert(id, in: database) }
      try Erasure.count(result.counts.merging(["sessions": Int64(sessions)]) { $1 }, of: id, in: database)
      // The indexer knows contexts and sessions by their numbers.
      parts.store.generation.withLockedValue { $0 += 1 }
      return (id, result)
    }
    telemetry.marksChanged()
    // What cannot be done at this moment is done by the thread: it is begun, and whoever asked is told so.
    let late = try? await offLoop { [self] in try cleanLate(erasure) }
    // The write-ahead log is synced by a checkpoint: who was told that it goes on after a power failure can rely on it.
    try await offLoop { [store, parts] in
      _ = try store.checkpoint()
      if found.isConfigured || late == true { parts.onConfiguration() }
    }
    parts.forget()
    worker.wake()
    guard let begun = try await store.pool.read({ try Erasure.one(erasure, in: $0) }) else {
      throw DatabaseError(message: "the erasure is not there after it was written")
    }
    return begun
  }

  /// - Returns: nil where the state is in the index's own file.
  private func cleanState(
    of finding: any ErasureFinding, at now: Int64, by author: String
  ) async throws -> StateErasure.Result? {
    guard store.sharesState else { return nil }
    let state = try await store.pool.read { try finding.state(in: $0) }
    return try await store.state.write { try state.run(at: now, by: author, in: $0) }
  }

  /// Once more, of an erasure that is written down: on this thread.
  ///
  /// - Returns: whether apps are told something else now.
  /// - Throws: what the state says; then it is still to be done.
  private func cleanLate(_ erasure: Int64) throws -> Bool {
    guard let late = try store.pool.read({ try LateErasure.of(erasure, in: $0) }) else { return false }
    let went = try store.state.writeNow { try late.state.run(at: late.at, by: late.author, in: $0) }
    try store.pool.write { database in
      try LateErasure.forget(erasure, in: database)
      if went.wentCounts.values.contains(where: { $0 > 0 }) {
        try Erasure.count(went.wentCounts, of: erasure, in: database)
      }
    }
    return went.isConfigured
  }

  // MARK: The thread

  private enum Went { case on, nowhere, toTheEnd }

  private func work() {
    var pause = Self.pauses.lowerBound
    while !worker.mustEnd {
      switch goOn() {
      case .toTheEnd: return lookAgain()
      case .on: pause = Self.pauses.lowerBound
      case .nowhere:
        guard worker.pause(pause) else { return }
        pause = min(pause * 2, Self.pauses.upperBound)
      }
    }
  }

  private func goOn() -> Went {
    do {
      try store.pool.write { [now] in try ErasureMarks.purge(at: now(), in: $0) }
      guard let erasure = try store.pool.read({ try Erasure.next(in: $0) }) else { return .toTheEnd }
      guard let problem = try run(erasure) else { return .on }
      try note(problem, of: erasure)
    } catch {
      logger.error("an erasure cannot go on; trying later", metadata: ["error": "\(error)"])
    }
    return .nowhere
  }

  private func lookAgain() {
    do {
      try telemetry.lookAgain(at: now(), pause: { [worker] in worker.pause($0) })
    } catch {
      logger.error("what came after an erasure cannot be looked for; trying later", metadata: ["error": "\(error)"])
    }
  }

  private func note(_ problem: String, of erasure: Erasure) throws {
    guard erasure.problem != problem else { return }
    try store.pool.write {
      try $0.execute(sql: "UPDATE erasure SET problem = ? WHERE id = ?", arguments: [problem, erasure.id])
    }
  }

  /// One step, or as much of it as goes in one go.
  ///
  /// - Returns: why it has to wait; nil when it went on.
  private func run(_ erasure: Erasure) throws -> String? {
    switch erasure.step {
    case .sessions: return try eraseSessions(erasure)
    case .shared: return try scrubShared(erasure)
    case .log: return try leaveLog(erasure)
    case .telemetry: return try eraseElsewhere(erasure)
    case .words: return try mergeWords(erasure)
    case .packs: return try rewritePacks(erasure)
    case .file: return try rewriteFile(erasure)
    case .done: return nil
    }
  }

  private func finish(_ step: ErasureStep, _ erasure: Erasure) throws {
    try store.pool.write { try Erasure.finish(step, of: erasure.id, in: $0) }
  }

  private func eraseSessions(_ erasure: Erasure) throws -> String? {
    let eraser = SessionEraser(store: store, maximumDepth: parts.maximumDepth)
    let mark = ErasureMarks.Mark(erasure: erasure.id, at: erasure.requestedAt, ends: erasure.marksEnd)
    while !worker.mustEnd {
      // Whoever removes sessions does it alone: their numbers are given to others.
      let isLeft = try store.erasing.withLock { () -> Bool in
        let row = try store.pool.read {
          try Row.fetchOne(
            $0, sql: "SELECT session, prepared FROM erasure_session WHERE erasure = ? LIMIT 1", arguments: [erasure.id])
        }
        guard let row else { return false }
        let session: Int64 = row[0]
        if row[1] == 0 as Int64 {
          try store.pool.write { try SessionScrub(database: $0, session: session, mark: mark).run() }
          store.generation.withLockedValue { $0 += 1 }
        }
        while try !eraser.step(session, at: now()).isDone, worker.pause(0.001) {}
        return true
      }
      guard isLeft else {
        parts.forget()
        try finish(.sessions, erasure)
        return nil
      }
      _ = worker.pause(0.001)
    }
    return nil
  }

  private func scrubShared(_ erasure: Erasure) throws -> String? {
    do {
      if try cleanLate(erasure.id) { parts.onConfiguration() }
    } catch let error as StateError {
      return problem(error, of: erasure)
    }
    let scrub = SharedScrub(store: store, erasure: erasure.id)
    while try scrub.step() {
      guard worker.pause(0.001) else { return nil }
    }
    store.generation.withLockedValue { $0 += 1 }
    parts.onIssues()
    try finish(.shared, erasure)
    return nil
  }

  /// What whoever asks is told; the engine's words have addresses in them, and are for the log.
  private func problem(_ error: StateError, of erasure: Erasure) -> String {
    let problem =
      "the database of projects, settings and decisions "
      + (error.isPassing ? "does not answer" : "does not take it, and the log says why")
    if erasure.problem != problem { logger.error("\(problem)", metadata: ["error": "\(error)"]) }
    return problem
  }

  /// Files of the log that were there, with what came before it was asked for.
  private func leaveLog(_ erasure: Erasure) throws -> String? {
    // Whoever indexes removes what is over as soon as the log goes on in another file.
    let known = try parts.log.directory.segments()
    let last = parts.log.roll()
    let sizes = Dictionary(
      try (known + parts.log.directory.segments()).map { ($0.number, $0.size) }, uniquingKeysWith: max)
    let before = sizes.reduce(0) { $1.key <= last ? $0 + $1.value : $0 }
    let patience = ContinuousClock.now + .seconds(5)
    while !worker.mustEnd {
      guard try parts.log.directory.segments().contains(where: { $0.number <= last }) else {
        try store.pool.write { database in
          try Erasure.count(["log_bytes": Int64(before)], of: erasure.id, in: database)
          try Erasure.finish(.log, of: erasure.id, in: database)
        }
        return nil
      }
      guard ContinuousClock.now < patience else { return "files of the ingest log wait until they are indexed" }
      parts.tidyLog()
      _ = worker.pause(0.05)
    }
    return nil
  }

  /// What lies outside of the index, once the log is behind.
  private func eraseElsewhere(_ erasure: Erasure) throws -> String? {
    do {
      if let problem = try telemetry.erase(erasure, pause: { [worker] in worker.pause($0) }) { return problem }
    } catch let error as APIError {
      return error.message
    }
    parts.forget()
    try finish(.telemetry, erasure)
    return nil
  }

  private func mergeWords(_ erasure: Erasure) throws -> String? {
    guard store.hasFullText else {
      try finish(.words, erasure)
      return nil
    }
    // The first call with a number below zero takes up all that is there, the others go on with it.
    var pages = -IndexScrub.mergedPages
    while try store.pool.write({ try IndexScrub.merge(pages, in: $0) }) {
      pages = IndexScrub.mergedPages
      guard worker.pause(0.001) else { return nil }
    }
    try finish(.words, erasure)
    return nil
  }

  private func rewritePacks(_ erasure: Erasure) throws -> String? {
    do {
      let isDone = try store.erasing.withLock {
        try waitFor { [store, parts] in
          try await PackScrub(store: store, packs: parts.packs, erasure: erasure.id).run()
        }
      }
      guard isDone else {
        parts.uploads.wake()
        return "packs of replays are on their way to \(parts.packs.blobs.place)"
      }
      try finish(.packs, erasure)
      return nil
    } catch let error as BlobError {
      return "\(error)"
    }
  }

  private func rewriteFile(_ erasure: Erasure) throws -> String? {
    // First: without it all that follows would be done again and again, and all of that is a file as large as the index.
    let forwarders: [String]
    do {
      forwarders = try store.state.readNow { try ForwarderStore.all(in: $0) }.map(\.name).sorted()
    } catch let error as StateError {
      return problem(error, of: erasure)
    }
    let scrub = IndexScrub(store: store, file: parts.index)
    if let problem = try scrub.rewrite() { return problem }
    let patience = ContinuousClock.now + .seconds(5)
    while try !scrub.emptyWriteAheadLog() {
      guard ContinuousClock.now < patience else {
        return "somebody reads what was there before: the file waits for them"
      }
      guard worker.pause(0.05) else { return nil }
    }
    let now = now()
    try store.pool.write { [parts, telemetry] database in
      guard let current = try Erasure.one(erasure.id, in: database) else { return }
      let receipt = ErasureReceipt(
        current, finishedAt: now, bucket: (parts.packs.blobs as? S3Blobs)?.place, forwarders: forwarders,
        besides: telemetry.remains(current))
      try database.execute(
        sql: """
          UPDATE erasure SET step = 'done', problem = NULL, finishedAt = ?, receipt = ?, sha256 = ? WHERE id = ?
          """, arguments: [now, receipt.text, receipt.sha256, erasure.id])
    }
    return nil
  }
}
