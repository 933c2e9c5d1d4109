import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Deletes whole sessions when the policy says so, on a thread of its own: a little at a time, with pauses in which the
/// indexer writes.
final class Retention: Sendable {
  /// What it has done since the collector started.
  struct Report: Sendable {
    var sessions = 0
    var events = 0
    var isRunning = false
    /// Milliseconds since 1970.
    var lastRun: Int64?
    var problem: String?
  }

  private let store: EventStore
  private let settings: SettingStore
  /// Of which projects less is kept than a policy says for all.
  private let projects: @Sendable (RetentionPolicy) -> ProjectRetention
  private let eraser: SessionEraser
  private let packs: ReplayPacks
  /// Where telemetry lies, when that is not the index.
  private let elsewhere: ClickHouseRetention?
  private let metrics: CollectorMetrics
  private let logger: Logger
  /// Bytes that wait to be indexed.
  private let backlog: @Sendable () -> Int
  private let now: @Sendable () -> Int64
  /// Looks every ten minutes.
  private let worker = BackgroundWorker(every: 600)
  private let current = NIOLockedValueBox(Report())

  /// Sessions that something came for within this time stay, however full it is; in milliseconds.
  private static let youngest: Int64 = 3_600_000
  /// How long the positions of deleted events are known, in milliseconds. A device in flight recorder mode keeps events for up to 90
  /// days (`keepDays`), and looks at their age when its app is started: four weeks more.
  static let remembered: Int64 = 120 * 86_400_000
  /// Beyond this, deletions wait longer for the indexer.
  private static let busyBacklog = 32 << 20

  init(
    store: EventStore, packs: ReplayPacks, settings: SettingStore, maximumDepth: Int, metrics: CollectorMetrics,
    logger: Logger, elsewhere: ClickHouseRetention? = nil,
    projects: @escaping @Sendable (RetentionPolicy) -> ProjectRetention,
    backlog: @escaping @Sendable () -> Int,
    now: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) {
    self.store = store
    self.packs = packs
    self.elsewhere = elsewhere
    self.settings = settings
    self.projects = projects
    eraser = SessionEraser(store: store, maximumDepth: maximumDepth)
    self.metrics = metrics
    self.logger = logger
    self.backlog = backlog
    self.now = now
    settings.onChange { [weak self] in self?.wake() }
    worker.start("retention") { [self] in look() }
  }

  var report: Report { current.withLockedValue { $0 } }

  /// Has it look now.
  func wake() { worker.wake() }

  /// Ends the thread, after the step at hand.
  func stop() { worker.stop() }

  // MARK: The thread

  private func look() {
    current.withLockedValue { $0.isRunning = true }
    do {
      while try eraseNext() {}
      try forget()
      try store.erasing.withLock { try eraseReplays() }
      try giveBack()
      try dropElsewhere()
      note(problem: nil)
    } catch {
      logger.error("old sessions cannot be deleted; trying later", metadata: ["error": "\(error)"])
      note(problem: "\(error)")
    }
  }

  private func note(problem: String?) {
    current.withLockedValue {
      $0.isRunning = false
      $0.lastRun = now()
      $0.problem = problem
    }
  }

  /// - Returns: false when all may stay, or it is time to end.
  private func eraseNext() throws -> Bool {
    try store.erasing.withLock {
      guard let session = try next() else { return false }
      return try erase(session)
    }
  }

  private func dropElsewhere() throws {
    guard let elsewhere else { return }
    let (policy, present, start) = (settings.retention.policy, now(), Date())
    let own = projects(policy)
    guard let step = try waitFor({ try await elsewhere.look(policy, own, at: present) }) else { return }
    let events = Int(clamping: step.rows)
    metrics.retention(events: events, sessions: 0, seconds: Date().timeIntervalSince(start))
    current.withLockedValue { $0.events += events }
  }

  /// The session that goes next; nil when all may stay.
  private func next() throws -> Int64? {
    let policy = settings.retention.policy
    let own = projects(policy)
    let present = now()
    return try store.pool.read { database in
      func quietest(before limit: Int64) throws -> Int64? {
        try Int64.fetchOne(
          database.cachedStatement(
            sql: "SELECT id FROM session WHERE received > 0 AND received < ? ORDER BY received, id LIMIT 1"),
          arguments: [limit])
      }
      if let days = policy.days, let old = try quietest(before: present - Int64(days) * 86_400_000) { return old }
      if let old = try own.session(at: present, in: database) { return old }
      guard let bytes = policy.bytes, try Self.usedBytes(database) > bytes else { return nil }
      return try quietest(before: present - Self.youngest)
    }
  }

  /// - Returns: false when it is time to end.
  private func erase(_ session: Int64) throws -> Bool {
    while true {
      let start = Date()
      let step = try eraser.step(session, at: now())
      let took = Date().timeIntervalSince(start)
      metrics.retention(events: step.events, sessions: step.isDone ? 1 : 0, seconds: took)
      current.withLockedValue {
        $0.events += step.events
        if step.isDone { $0.sessions += 1 }
      }
      // At least half of the time belongs to the indexer.
      guard worker.pause(max(took, backlog() > Self.busyBacklog ? 0.2 : 0.002)) else { return false }
      if step.isDone { return true }
    }
  }

  /// What is taken up in the database file by rows, in bytes (free pages are used again), and by replays beside it.
  static func usedBytes(_ database: Database) throws -> Int64 {
    func pragma(_ name: String) throws -> Int64 { try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
    return (try pragma("page_count") - pragma("freelist_count")) * (try pragma("page_size"))
      + (try ReplayEraser.usedBytes(database))
  }

  // MARK: Afterwards

  /// Launches of which nothing is left, once no sender can come with them any more.
  private func forget() throws {
    let limit = now() - Self.remembered
    // A device keeps nothing for so long; and what it said of launches that never came is in no other table.
    while try store.pool.write({ try Self.forgetKept(before: limit, in: $0) }), worker.pause(0.01) {}
    while try store.pool.write({ database in
      let launches = try Int64.fetchAll(
        database,
        sql: """
          SELECT launch FROM (SELECT launch, at FROM expired UNION ALL SELECT launch, at FROM expired_name)
          GROUP BY launch HAVING MAX(at) < ? LIMIT 50
          """, arguments: [limit])
      for launch in launches {
        let isEmpty = try Bool.fetchOne(
          database, sql: "SELECT NOT EXISTS (SELECT 1 FROM session_launch WHERE launch = ?)", arguments: [launch])
        try database.execute(sql: "DELETE FROM expired WHERE launch = ?", arguments: [launch])
        try database.execute(sql: "DELETE FROM expired_name WHERE launch = ?", arguments: [launch])
        guard isEmpty == true else { continue }
        try database.execute(sql: "DELETE FROM context WHERE launch = ?", arguments: [launch])
        try database.execute(sql: "DELETE FROM quarantine WHERE launch = ?", arguments: [launch])
        try database.execute(
          sql: "DELETE FROM launch_end WHERE (owner, name) = (SELECT owner, given FROM launch WHERE id = ?)",
          arguments: [launch])
        try database.execute(sql: "DELETE FROM launch WHERE id = ?", arguments: [launch])
      }
      if !launches.isEmpty { store.generation.withLockedValue { $0 += 1 } }
      return !launches.isEmpty
    }), worker.pause(0.01) {}
  }

  /// - Returns: whether there may be more of them.
  static func forgetKept(before limit: Int64, in database: Database) throws -> Bool {
    let rows = try Row.fetchAll(
      database, sql: "SELECT owner, launch FROM launch_kept WHERE received < ? LIMIT 500", arguments: [limit])
    for row in rows {
      let (owner, launch): (Int64, String) = (row[0], row[1])
      try database.cachedStatement(sql: "DELETE FROM launch_kept WHERE owner = ? AND launch = ?")
        .execute(arguments: [owner, launch])
    }
    return !rows.isEmpty
  }

  /// Replays whose telemetry never came, and the files of all that have gone.
  private func eraseReplays() throws {
    let (policy, present) = (settings.retention.policy, now())
    if let days = policy.days {
      let limit = present - Int64(days) * 86_400_000
      while try store.pool.write({ try ReplayEraser.removeOrphans(before: limit, in: $0) }), worker.pause(0.01) {}
    }
    let own = projects(policy)
    for part in try store.pool.read({ try own.expiring(at: present, in: $0) }) {
      while try store.pool.write({ try ReplayEraser.removeOrphans(before: part.before, of: part.owner, in: $0) }),
        worker.pause(0.01)
      {}
    }
    do {
      try waitFor { [store, packs] in
        try await ReplayEraser.compact(store, packs)
        try await ReplayEraser.sweep(store, packs)
      }
    } catch let error as BlobError where error.kind == .unavailable {
      // They are written down; the rest of the work does not wait for the store.
      logger.warning("blobs that are not needed any more wait", metadata: ["error": "\(error)"])
    }
  }

  /// Gives free pages back to the file system, some at a time. A file from before there was this has nothing to give.
  private func giveBack() throws {
    let spare: Int64 = 1024
    while try store.pool.writeWithoutTransaction({ database in
      let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      guard free > spare, try Int64.fetchOne(database, sql: "PRAGMA auto_vacuum") == 2 else { return false }
      try database.execute(sql: "PRAGMA incremental_vacuum(512)")
      return try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 < free
    }), worker.pause(0.01) {}
  }
}
