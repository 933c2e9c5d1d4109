import Foundation
import GRDB

/// Takes what was deleted out of the index's file: a page that was split or freed keeps its bytes until it is used again.
struct IndexScrub {
  let store: EventStore
  let file: String

  /// Of the full text index, in one transaction.
  static let mergedPages = 256
  /// Beside the size of the file, in bytes.
  private static let spare: Int64 = 64 << 20

  /// Merges a part of the full text index. A deleted entry's words stay in it, crossed out, until that part is merged.
  ///
  /// - Returns: whether there is more to do.
  static func merge(_ pages: Int, in database: Database) throws -> Bool {
    let before = database.totalChangesCount
    try database.execute(sql: "INSERT INTO event_text(event_text, rank) VALUES ('merge', ?)", arguments: [pages])
    // SQLite says: fewer than two changes, and there was nothing to do.
    return database.totalChangesCount - before >= 2
  }

  /// Writes the file anew. Readers go on; what writes waits.
  ///
  /// - Returns: what is in its way.
  func rewrite() throws -> String? {
    let size = try FileBytes.size(file) ?? 0
    let needed = 2 * size + Self.spare
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: file)
    if let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, free < needed {
      return "the index is written anew, which takes \(needed) bytes on the disk for that time, and \(free) are free"
    }
    try store.pool.writeWithoutTransaction { database in
      // Else the copy would be made in memory.
      try database.execute(sql: "PRAGMA temp_store = FILE")
      defer { try? database.execute(sql: "PRAGMA temp_store = MEMORY") }
      try database.execute(sql: "VACUUM")
    }
    return nil
  }

  /// Moves everything into the file, and leaves nothing of what was in the log.
  ///
  /// - Returns: false when a reader stood in the way.
  func emptyWriteAheadLog() throws -> Bool {
    try store.pool.writeWithoutTransaction { database in
      let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return row?[0] == 0 as Int64
    }
  }
}
