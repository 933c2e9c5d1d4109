import GRDB

/// What another index has not been told of replays. Blocks: not for an event loop.
struct ReplayNews: Sendable {
  let store: EventStore
  let packs: ReplayPacks

  /// A segment, with whose it is.
  struct Segment: Sendable {
    var project: String
    var replay: String
    var part: KnownReplay.Part
    var received: Int64
  }

  /// A replay in its sessions.
  struct Told: Sendable {
    var project: String
    var replay: String
    var bundle: String?
    var sessions: [String]
    var end: KnownReplay.End?
    var received: Int64
  }

  /// Replays, and how far that is.
  struct Page: Sendable {
    var replays: [Told]
    fileprivate var upTo: Int64?
  }

  private static let page = 500

  // MARK: Packs

  /// Packs that the blob store has, and that nobody was told of.
  func untold() throws -> [BlobName] {
    try store.pool.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM replay_pack WHERE live > 0 AND NOT EXISTS (SELECT 1 FROM replay_told WHERE pack = name)
          """)
    }.compactMap { BlobName(.replays, $0) }.filter { !packs.spool.holds($0) }
  }

  func segments(of pack: BlobName) throws -> [Segment] {
    try store.pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT replay_pack.name, offset, length, checksum, segmentId, kind, replay_segment.first, replay_segment.last,
            replay_segment.frames, continues, contentHash, owner.name, replay.given, replay_segment.received
          FROM replay_segment JOIN replay_pack ON replay_pack.id = pack JOIN replay ON replay.id = replay
            JOIN owner ON owner.id = replay.owner WHERE replay_pack.name = ? ORDER BY offset
          """, arguments: [pack.file]
      ).map { row in
        let part = ReplayPart(
          segmentId: row[4], kind: row[5], first: row[6], last: row[7], frames: row[8], length: row[2],
          continues: row[9])
        return Segment(
          project: row[11], replay: row[12], part: .init(part: part, place: ReplayPacks.Place(row), hash: row[10]),
          received: row[13])
      }
    }
  }

  /// It is known there. Packs that are gone are forgotten.
  func told(of pack: BlobName) throws {
    try store.pool.write { database in
      try database.execute(sql: "INSERT OR IGNORE INTO replay_told(pack) VALUES (?)", arguments: [pack.file])
      try database.execute(
        sql: "DELETE FROM replay_told WHERE pack <> '' AND pack NOT IN (SELECT name FROM replay_pack)")
    }
  }

  // MARK: Erased

  /// When somebody last looked for what others have erased; nil: nobody has.
  func looked() throws -> Int64? { try store.pool.read { try ClusterLook.of(.removals, in: $0)?.at } }

  func keep(lookedAt at: Int64) throws {
    try store.pool.write { try ClusterLook(at: at).write(.removals, in: $0) }
  }

  /// Replays that another collector has erased: what is here of them goes, and nothing more of them is taken. Their bytes go with
  /// ``scrub()``.
  func remove(_ replays: [ErasureNames.Name]) throws {
    for replay in replays {
      try store.pool.write { database in
        let ids = try Int64.fetchAll(
          database,
          sql: "SELECT replay.id FROM replay JOIN owner ON owner.id = replay.owner WHERE given = ? AND owner.name = ?",
          arguments: [replay.name, replay.project])
        for id in ids {
          try PackScrub.note(id, for: ErasureNames.late, in: database)
          try ReplayEraser.remove(id, in: database)
        }
        let now = WallClock.now
        try ErasureMarks.makeKey(in: database)
        try ErasureMarks.insert(
          .replay, replay.name, of: replay.owner,
          .init(erasure: ErasureNames.late, at: now, ends: now + ErasureMarks.lifetime), in: database)
      }
    }
  }

  /// Writes packs anew that hold what others have erased, and what was found late here. They are written down until that is done, so
  /// that a store which does not answer, or an end of the process, puts it off and no more.
  ///
  /// - Throws: ``BlobError`` when the store does not answer.
  func scrub() throws {
    guard try store.pool.read({ try PackScrub.isWaiting(ErasureNames.late, in: $0) }) else { return }
    try store.erasing.withLock {
      // Those that are on their way to the blob store come the next time.
      _ = try waitFor { [store, packs] in
        try await PackScrub(store: store, packs: packs, erasure: ErasureNames.late).run()
      }
    }
  }

  // MARK: Replays

  /// Those that have changed after the last that were told.
  func replays() throws -> Page {
    try store.pool.read { database in
      let last = try Int64.fetchOne(database, sql: "SELECT change FROM replay_told WHERE pack = ''")
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT \(Told.columns), change FROM replay JOIN owner ON owner.id = replay.owner
          WHERE change > ? ORDER BY change LIMIT \(Self.page)
          """, arguments: [last ?? 0])
      let replays = try rows.map { try Told($0, in: database) }
      return Page(replays: replays, upTo: rows.last.map { $0[10] as Int64 })
    }
  }

  func told(of page: Page) throws {
    guard let upTo = page.upTo else { return }
    try store.pool.write {
      try $0.execute(
        sql: "INSERT OR REPLACE INTO replay_told(pack, change) VALUES ('', ?)", arguments: [upTo])
    }
  }
}

extension ReplayNews.Told {
  /// Of `replay`, and its `owner`.
  static let columns = """
    replay.id, owner.name, given, bundleId, startedAt, endedAt, backgroundMs, endReason, metrics, received
    """

  /// - Parameter row: which begins with ``columns``.
  init(_ row: Row, in database: Database) throws {
    self.init(
      project: row[1], replay: row[2], bundle: row[3],
      sessions: try String.fetchAll(
        database, sql: "SELECT sessionId FROM replay_session WHERE replay = ?", arguments: [row[0] as Int64]),
      received: row[9])
    guard let endedAt: Int64 = row[5] else { return }
    end = KnownReplay.End(
      startedAt: row[4], endedAt: endedAt, backgroundMs: row[6], reason: row[7], metrics: row[8])
  }
}
