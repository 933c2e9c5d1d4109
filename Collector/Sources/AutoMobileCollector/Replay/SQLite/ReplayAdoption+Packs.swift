import GRDB

/// Packs that were moved, as the blob store has them. What was dropped or erased between the move and the adoption stands in no row of
/// ClickHouse's any more, and its bytes are there all the same.
extension ReplayAdoption {
  static func packs(of move: String, in blobs: any BlobStore) async throws -> [BlobEntry] {
    let prefix = MovedReplays.prefix(move)
    var (found, last) = ([BlobEntry](), BlobName(.replays, prefix))
    while case let page = try await blobs.list(.replays, after: last), !page.isEmpty {
      let own = page.prefix { $0.name.file.hasPrefix(prefix) }
      found += own
      guard own.count == page.count else { break }
      last = page.last?.name
    }
    return found
  }

  /// To be called when all segments are this collector's own: a pack of which nothing is needed goes with the next sweep. One that holds
  /// more than what is needed is noted down, to be written anew, as packs are that hold what others have erased.
  func adopt(_ packs: [BlobEntry]) throws {
    for some in packs.chunks(of: 500) {
      try store.pool.write { database in
        for pack in some {
          let id = try ReplayTables.pack(pack.name, in: database)
          try database.cachedStatement(sql: "UPDATE replay_pack SET bytes = ? WHERE id = ?")
            .execute(arguments: [pack.bytes, id])
          try database.cachedStatement(
            sql: """
              INSERT OR IGNORE INTO erasure_shared(erasure, what, name) SELECT ?, 'pack', name FROM replay_pack
                WHERE id = ? AND live < bytes
              """
          ).execute(arguments: [ErasureNames.late, id])
        }
      }
    }
    // Who was erased before is looked for once more, whenever this process ends.
    try store.pool.write { try ClusterLook(at: 0).write(.removals, in: $0) }
  }
}
