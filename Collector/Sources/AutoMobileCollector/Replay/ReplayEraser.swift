import Foundation
import GRDB

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
  /// - Returns: whether there may be more.
  static func removeOrphans(before limit: Int64, in database: Database) throws -> Bool {
    let replays = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM replay WHERE received < ? AND NOT EXISTS (
          SELECT 1 FROM replay_session JOIN session ON session.owner = replay.owner AND session.given = replay_session.sessionId
            WHERE replay = replay.id)
        ORDER BY received LIMIT 20
        """, arguments: [limit])
    for replay in replays { try remove(replay, in: database) }
    return replays.count == 20
  }

  private static func remove(_ replay: Int64, in database: Database) throws {
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

  /// Removes the files of which nothing is needed any more; they are forgotten first, so that nothing ever points to what is
  /// gone.
  static func sweep(_ store: EventStore, _ packs: ReplayPacks) throws {
    let empty = try store.pool.write { database in
      let empty = try Int64.fetchAll(database, sql: "SELECT id FROM replay_pack WHERE live <= 0")
      try database.execute(sql: "DELETE FROM replay_pack WHERE live <= 0")
      return empty
    }
    packs.remove(empty)
  }

  /// Packs that are rewritten in one go, so that retention never holds a disk for long.
  private static let rewritten = 4

  /// Moves what is left in packs that are mostly holes to the newest pack; their files go with the next ``sweep(_:_:)``.
  ///
  /// - Returns: packs that were emptied.
  @discardableResult
  static func compact(_ store: EventStore, _ packs: ReplayPacks) throws -> Int {
    let live = try store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT id, live FROM replay_pack WHERE live > 0 ORDER BY id")
    }
    let sparse = live.map { (pack: $0[0] as Int64, live: $0[1] as Int64) }
      .filter { packs.isClosed($0.pack) && $0.live * 4 < packs.size(of: $0.pack) }.prefix(rewritten)
    for (pack, _) in sparse {
      let segments = try store.pool.read { database in
        try Row.fetchAll(
          database, sql: "SELECT id, pack, offset, length, checksum FROM replay_segment WHERE pack = ? ORDER BY offset",
          arguments: [pack])
      }
      for row in segments {
        let old = ReplayPacks.Place(pack: row[1], offset: row[2], length: row[3], checksum: row[4])
        // What cannot be read stays where it is, to be told when somebody looks at it.
        guard let body = packs.read(old) else { continue }
        let new = try packs.append(body)
        try store.pool.write { try move(row[0], from: old, to: new, in: $0) }
      }
    }
    return sparse.count
  }

  private static func move(
    _ segment: Int64, from old: ReplayPacks.Place, to new: ReplayPacks.Place, in database: Database
  ) throws {
    try database.execute(
      sql: "UPDATE replay_segment SET pack = ?, offset = ? WHERE id = ? AND pack = ? AND offset = ?",
      arguments: [new.pack, new.offset, segment, old.pack, old.offset])
    // Deleted in between.
    guard database.changesCount == 1 else { return }
    try database.execute(
      sql: "INSERT INTO replay_pack VALUES (?1, ?2) ON CONFLICT DO UPDATE SET live = live + ?2",
      arguments: [new.pack, new.length])
    try database.execute(
      sql: "UPDATE replay_pack SET live = live - ? WHERE id = ?", arguments: [old.length, old.pack])
  }

  /// Bytes in packs.
  static func usedBytes(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT SUM(live) FROM replay_pack") ?? 0
  }
}
