import GRDB
import Logging

/// Removes blobs that nothing points to any more. They are written down in the transaction that takes the last pointer away, so
/// none is forgotten when the process ends or the store does not answer.
struct BlobRemovals: Sendable {
  let store: EventStore
  let blobs: any BlobStore

  static func add(_ name: BlobName, in database: Database) throws {
    try database.execute(sql: "INSERT OR IGNORE INTO blob_removal VALUES (?)", arguments: [name.key])
  }

  static func contains(_ name: BlobName, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM blob_removal WHERE key = ?)", arguments: [name.key]) ?? false
  }

  static func waiting(in store: EventStore) async throws -> [BlobName] {
    try await store.pool.read { try String.fetchAll($0, sql: "SELECT key FROM blob_removal ORDER BY key") }
      .compactMap(BlobName.init(key:))
  }

  /// Removes all that wait.
  ///
  /// - Parameter isFree: whether nobody works on it at this moment; else it waits for the next time.
  /// - Throws: ``BlobError`` when the store does not answer; what is left waits for the next time.
  func drain(where isFree: @Sendable (BlobName) -> Bool = { _ in true }) async throws {
    for name in try await Self.waiting(in: store) where isFree(name) {
      try await blobs.remove(name)
      try await store.pool.write {
        try $0.execute(sql: "DELETE FROM blob_removal WHERE key = ?", arguments: [name.key])
      }
    }
  }
}
