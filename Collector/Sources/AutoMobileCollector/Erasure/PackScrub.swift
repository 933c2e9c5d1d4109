import Foundation
import GRDB
import NIOCore

/// Writes packs of replays anew that hold more than what is needed: a pack is shared by replays, and never changes. The old ones are
/// removed from the disk or the store.
struct PackScrub: Sendable {
  let store: EventStore
  let packs: ReplayPacks
  let erasure: Int64

  /// Writes down the packs that a replay lies in, in the transaction that removes it: afterwards nobody could tell any more.
  static func note(_ replay: Int64, for erasure: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO erasure_shared(erasure, what, name) SELECT DISTINCT ?, 'pack', replay_pack.name
          FROM replay_segment JOIN replay_pack ON replay_pack.id = pack WHERE replay = ?
        """, arguments: [erasure, replay])
  }

  /// Whether packs are written down for it.
  static func isWaiting(_ erasure: Int64, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM erasure_shared WHERE erasure = ? AND what = 'pack')",
      arguments: [erasure]) ?? false
  }

  /// - Returns: false when some are still on their way to the blob store, or are being written to: they come next time.
  /// - Throws: ``BlobError`` when the store does not answer.
  func run() async throws -> Bool {
    packs.spool.seal(after: 0)
    try await noteHoles()
    var isDone = true
    for name in try await waiting() {
      guard packs.spool.isAtRest(name) else {
        isDone = false
        continue
      }
      try await rewrite(name)
    }
    try await ReplayEraser.sweep(store, packs)
    let isSwept = try await store.pool.read { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT COUNT(*) FROM replay_pack WHERE live <= 0 OR name IN (SELECT name FROM erasure_shared WHERE what = 'pack')
          """)
    }
    let removals = try await BlobRemovals.waiting(in: store.own).filter { $0.folder == .replays }
    return isDone && isSwept == 0 && removals.isEmpty
  }

  /// Also what nobody knows of any more: a body that came twice, what retention deleted and has not been worth a new pack so far.
  private func noteHoles() async throws {
    try await ReplayEraser.measure(store, packs)
    try await store.pool.write { database in
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO erasure_shared(erasure, what, name) SELECT ?, 'pack', name FROM replay_pack
            WHERE bytes IS NOT NULL AND live < bytes
          """, arguments: [erasure])
    }
  }

  private func waiting() async throws -> [BlobName] {
    try await store.pool.read { database in
      try String.fetchAll(
        database, sql: "SELECT name FROM erasure_shared WHERE erasure = ? AND what = 'pack' ORDER BY name",
        arguments: [erasure])
    }.compactMap { BlobName(.replays, $0) }
  }

  private func rewrite(_ name: BlobName) async throws {
    let pack = try await store.pool.read {
      try Int64.fetchOne($0, sql: "SELECT id FROM replay_pack WHERE name = ?", arguments: [name.file])
    }
    if let pack {
      try await ReplayEraser.move(pack, store, packs)
      try await store.pool.write { database in
        // What cannot be read cannot be moved: it goes with the pack.
        try database.execute(sql: "DELETE FROM replay_segment WHERE pack = ?", arguments: [pack])
        let lost = Int64(database.changesCount)
        try database.execute(sql: "UPDATE replay_pack SET live = 0 WHERE id = ?", arguments: [pack])
        try Erasure.count(["packs": 1, "unreadable_segments": lost], of: erasure, in: database)
      }
    }
    try await store.pool.write {
      try $0.execute(
        sql: "DELETE FROM erasure_shared WHERE what = 'pack' AND name = ?", arguments: [name.file])
    }
  }
}
