import AutoMobileState
import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The index's database file: one writer at a time (the indexer, mostly), many readers.
struct EventStore: Sendable {
  /// For the collector's own work. What is asked from outside goes through ``read(_:_:_:)``.
  let pool: DatabasePool
  /// What people have set and decided: in the same file, or in a database that collectors share.
  let state: any StateStore
  /// The tables of the state in this file: the state itself, or what is kept here of one that is shared, see ``StateCopy``.
  let own: SQLiteState
  /// Whether the state is elsewhere.
  let sharesState: Bool
  /// Both of them, or the one.
  var states: [any StateStore] { sharesState ? [own, state] : [state] }
  /// For those who see some projects.
  let walled: WalledReaders
  /// Who reads for others at this moment.
  let gate: ReadGate
  let limits: CollectorLimits
  let hasFullText: Bool
  /// How deep the JSON of an event may be nested.
  let maximumDepth: Int
  /// Counts deletions of rows that the indexer may remember. Changed and read by the writer only, inside its
  /// transactions.
  let generation = NIOLockedValueBox(0)
  /// Counts changes of the marks of erasures, once they are committed.
  let marksVersion = NIOLockedValueBox(0)
  /// Held by whoever removes sessions or moves what is in packs: numbers of removed rows are given to others.
  let erasing = NSLock()
  /// Held by whoever brings up to date what is kept here of a state elsewhere.
  let copying = NSLock()
  /// Why something that the index noticed was not told to a state elsewhere, and never will be; taken by whoever says so.
  let lostNotices = NIOLockedValueBox<[String]>([])

  /// - Parameter shared: the state, when it is not in the same file; closed with this.
  init(
    path: String, fullText: Bool, maximumDepth: Int, limits: CollectorLimits = CollectorLimits(),
    state shared: (any StateStore)? = nil
  ) throws {
    self.limits = limits
    walled = WalledReaders(path: path, limits: limits)
    gate = ReadGate(limits)
    hasFullText = fullText
    self.maximumDepth = maximumDepth
    var configuration = Configuration()
    configuration.maximumReaderCount = limits.databaseReaders
    // The indexer is the only writer; somebody with a shell may hold the file for a moment.
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      // The ingest log is what is durable; a commit that power loss takes back is indexed again from there.
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      database.add(function: EventValues.function)
      if database.configuration.readonly {
        try OpenNames.add(to: database)
      } else {
        try database.execute(sql: "PRAGMA cache_size = -65536")
        // What is deleted is overwritten where that costs no write of its own. What stays in freed pages goes with an erasure.
        try database.execute(sql: "PRAGMA secure_delete = FAST")
        // So that deleting makes the file smaller. Has an effect on a new file only; space of older ones is used again.
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        // 64 MB: index pages that many transactions touch are written to the file once.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 16384")
      }
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    let own = SQLiteState(pool)
    (self.own, state, sharesState) = (own, shared ?? own, shared != nil)
    // What a newer one has added to a table, this one would not fill in.
    let isNewer = try pool.read { try Schema.migrator.hasBeenSuperseded($0) }
    guard !isNewer else { throw Self.isNewer(path) }
    try Schema.migrator.migrate(pool)
    try pool.write { try Schema.setFullText(fullText, maximumDepth: maximumDepth, in: $0) }
  }

  /// To read only, beside a collector that runs or where none does. Nothing of the data is changed.
  ///
  /// - Throws: ``CollectorError`` when there is no index, or one of another version.
  init(
    reading path: String, limits: CollectorLimits = CollectorLimits(), state shared: (any StateStore)? = nil
  ) throws {
    self.limits = limits
    walled = WalledReaders(path: path, limits: limits)
    gate = ReadGate(limits)
    maximumDepth = limits.jsonDepth
    pool = try DatabasePool(
      path: path, configuration: Self.readers(limits) { try OpenNames.add(to: $0) })
    let own = SQLiteState(pool)
    (self.own, state, sharesState) = (own, shared ?? own, shared != nil)
    let made = try pool.read { database in
      (
        isCurrent: try Schema.migrator.hasCompletedMigrations(database),
        isNewer: try Schema.migrator.hasBeenSuperseded(database),
        hasFullText: try database.tableExists("event_text")
      )
    }
    hasFullText = made.hasFullText
    guard !made.isNewer else { throw Self.isNewer(path) }
    guard made.isCurrent else {
      throw CollectorError.directoryUnusable(
        path: path, reason: "another version wrote it: `automobile serve` brings it up to date")
    }
  }

  private static func isNewer(_ path: String) -> CollectorError {
    CollectorError.directoryUnusable(path: path, reason: "a newer collector wrote it: update this one")
  }

  /// Of connections that only read.
  ///
  /// - Parameter names: gives each connection the names that questions use.
  static func readers(
    _ limits: CollectorLimits, names: @escaping @Sendable (Database) throws -> Void
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = limits.databaseReaders
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      database.add(function: EventValues.function)
      try names(database)
    }
    return configuration
  }

  /// How far the log has been indexed.
  func logPosition() throws -> LogPosition {
    try pool.read { database in
      let row = try Row.fetchOne(database, sql: "SELECT segment, offset FROM log_position")
      return LogPosition(segment: UInt64(bitPattern: row?["segment"] ?? 0), offset: row?["offset"] ?? 0)
    }
  }

  /// Moves everything from the write-ahead log into the database file and syncs it.
  ///
  /// - Returns: false when a reader stood in the way; then some of it is not durable yet.
  func checkpoint() throws -> Bool {
    try pool.writeWithoutTransaction { database in
      let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
      guard let row else { return false }
      // busy, frames in the write-ahead log, frames moved.
      let (busy, frames, moved): (Int, Int, Int) = (row[0], row[1], row[2])
      return busy == 0 && frames == moved
    }
  }

  func close() throws {
    if sharesState { try state.close() }
    try closeIndex()
  }

  /// Leaves a state that is elsewhere open.
  func closeIndex() throws {
    own.close()
    try walled.close()
    try pool.close()
  }
}
