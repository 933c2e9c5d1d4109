import AutoMobileState
import Foundation
import GRDB
import NIOCore

/// Takes replays away with the sessions that they belong to, and the files with the last of what is in them.
enum ReplayEraser {
  /// A session of the telemetry goes, and the replays of which it was the last.
  static func remove(session: Int64, in database: Database) throws {
    for replay in try Int64.fetchAll(database, sql: ReplayTables.ofSession("session.id = ?"), arguments: [session]) {
      try database.execute(
        sql: """
          DELETE FROM replay_session WHERE replay = ? AND sessionId = (SELECT given FROM session WHERE id = ?)
          """, arguments: [replay, session])
      let isLast = try Bool.fetchOne(
        database, sql: "SELECT NOT EXISTS (SELECT 1 FROM replay_session WHERE replay = ?)", arguments: [replay])
      if isLast == true { try remove(replay, in: database) }
    }
  }

  /// Replays whose telemetry never came, and that are too old.
  ///
  /// - Parameter owner: nil: everybody's.
  /// - Returns: whether there may be more.
  static func removeOrphans(before limit: Int64, of owner: Int64? = nil, in database: Database) throws -> Bool {
    // The plus signs have an owner's replays be looked up by the owner: those that others keep for longer may be many.
    let range = owner == nil ? "received < ?1" : "owner = ?2 AND +received < ?1"
    let replays = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM replay WHERE \(range) AND NOT EXISTS (
          SELECT 1 FROM replay_session JOIN session ON session.owner = replay.owner AND session.given = replay_session.sessionId
            WHERE replay = replay.id)
        ORDER BY \(owner == nil ? "" : "+")received LIMIT 20
        """, arguments: owner.map { [limit, $0] } ?? [limit])
    for replay in replays { try remove(replay, in: database) }
    return replays.count == 20
  }

  /// One replay with all that is known of it; what is in packs goes with these.
  static func remove(_ replay: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE replay_pack SET live = live - gone.bytes
        FROM (SELECT pack, SUM(length) AS bytes FROM replay_segment WHERE replay = ? GROUP BY pack) AS gone
        WHERE replay_pack.id = gone.pack
        """, arguments: [replay])
    for table in ["replay_segment", "replay_session", "replay_fault"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE replay = ?", arguments: [replay])
    }
    try database.execute(sql: "DELETE FROM replay WHERE id = ?", arguments: [replay])
  }

  /// Removes the packs of which nothing is needed any more; they are forgotten first, so that nothing ever points to what is
  /// gone.
  static func sweep(_ store: EventStore, _ packs: ReplayPacks) async throws {
    try await store.pool.write { database in
      for row in try Row.fetchAll(database, sql: "SELECT id, name FROM replay_pack WHERE live <= 0") {
        // What was appended to it and does not stand in the index yet may be all that it is there for.
        guard let name = BlobName(.replays, row[1]), packs.spool.isAtRest(name) else { continue }
        try database.execute(sql: "DELETE FROM replay_pack WHERE id = ?", arguments: [row[0] as Int64])
        // Packs are this index's, and so is what it lets go of: one transaction, wherever the state is.
        try store.own.within(database) { try BlobRemovals.add(name, in: $0) }
      }
    }
    let spool = packs.spool
    for name in try await BlobRemovals.waiting(in: store.own) where name.folder == .replays && spool.isAtRest(name) {
      try await offLoop { try spool.remove(name) }
    }
    for state in store.states {
      try await BlobRemovals(state: state, blobs: packs.blobs).drain { $0.folder != .replays || spool.isAtRest($0) }
    }
  }

  /// Packs that are rewritten in one go, so that retention never holds a disk for long.
  private static let rewritten = 4
  /// Packs whose size is asked for in one go.
  private static let asked = 100

  /// Moves what is left in packs that are mostly holes to the newest pack; they go with the next ``sweep(_:_:)``.
  ///
  /// - Returns: packs that were emptied.
  @discardableResult
  static func compact(_ store: EventStore, _ packs: ReplayPacks) async throws -> Int {
    try await measure(store, packs)
    let sparse = try await store.pool.read { database in
      try Row.fetchAll(
        database, sql: "SELECT id, name FROM replay_pack WHERE live > 0 AND live * 4 < bytes ORDER BY id LIMIT ?",
        arguments: [rewritten]
      ).compactMap { row in BlobName(.replays, row[1]).map { (id: row[0] as Int64, name: $0) } }
    }.filter { packs.spool.isAtRest($0.name) }
    var emptied = 0
    for pack in sparse {
      // What waits for the blob store comes first.
      guard !packs.spool.isHalfFull else { break }
      try await move(pack.id, store, packs)
      emptied += 1
    }
    return emptied
  }

  /// Finds out how large packs are of which that is not known: those of earlier versions.
  static func measure(_ store: EventStore, _ packs: ReplayPacks) async throws {
    let names = try await store.pool.read { database in
      try String.fetchAll(
        database, sql: "SELECT name FROM replay_pack WHERE bytes IS NULL AND live > 0 ORDER BY id LIMIT ?",
        arguments: [asked])
    }
    for name in names.compactMap({ BlobName(.replays, $0) }) where packs.spool.isAtRest(name) {
      let local = packs.spool.size(of: name)
      let size: Int64?
      if let local { size = local } else { size = try await packs.blobs.size(of: name) }
      try await store.pool.write {
        try $0.execute(
          sql: "UPDATE replay_pack SET bytes = ? WHERE name = ?", arguments: [size ?? 0, name.file])
      }
    }
  }

  /// Moves what is needed of a pack to the newest one.
  static func move(_ pack: Int64, _ store: EventStore, _ packs: ReplayPacks) async throws {
    let segments = try await store.pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT name, offset, length, checksum, replay_segment.id FROM replay_segment
            JOIN replay_pack ON replay_pack.id = pack WHERE pack = ? ORDER BY offset
          """, arguments: [pack]
      ).compactMap { row in ReplayPacks.Place(row).map { (place: $0, segment: row[4] as Int64) } }
    }
    for (old, segment) in segments {
      let body: ByteBuffer
      do {
        body = try await packs.read(old)
      } catch let error as BlobError where error.answer == nil {
        // What cannot be read stays where it is, to be told when somebody looks at it.
        continue
      }
      let new = try await offLoop { try packs.spool.append(body) }
      defer { packs.spool.settle(new) }
      try await store.pool.write { try move(segment, from: (pack, old), to: new, in: $0) }
    }
  }

  private static func move(
    _ segment: Int64, from old: (pack: Int64, place: ReplayPacks.Place), to new: ReplayPacks.Place,
    in database: Database
  ) throws {
    let pack = try ReplayTables.pack(new.pack, in: database)
    try database.execute(
      sql: "UPDATE replay_segment SET pack = ?, offset = ? WHERE id = ? AND pack = ? AND offset = ?",
      arguments: [pack, new.offset, segment, old.pack, old.place.offset])
    // Deleted in between.
    guard database.changesCount == 1 else { return }
    try database.execute(sql: "UPDATE replay_pack SET live = live + ? WHERE id = ?", arguments: [new.length, pack])
    try database.execute(
      sql: "UPDATE replay_pack SET live = live - ? WHERE id = ?", arguments: [old.place.length, old.pack])
  }

  /// Bytes in packs.
  static func usedBytes(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT SUM(live) FROM replay_pack") ?? 0
  }
}
