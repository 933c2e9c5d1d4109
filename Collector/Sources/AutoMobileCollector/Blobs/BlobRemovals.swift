import AutoMobileState

/// Removes blobs that nothing points to any more. They are written down in the transaction that takes the last pointer away, so
/// none is forgotten when the process ends or the store does not answer.
struct BlobRemovals: Sendable {
  let state: any StateStore
  let blobs: any BlobStore

  static func add(_ name: BlobName, in state: borrowing StateWriting) throws {
    try state.execute("INSERT INTO blob_removal(key) VALUES (?1) ON CONFLICT (key) DO NOTHING", name.key)
  }

  static func contains(_ name: BlobName, in state: borrowing StateReading) throws -> Bool {
    try state.row("SELECT 1 FROM blob_removal WHERE key = ?1", name.key) != nil
  }

  static func waiting(in state: any StateStore) async throws -> [BlobName] {
    try await state.read { try waiting(in: $0) }
  }

  static func waiting(in state: borrowing StateReading) throws -> [BlobName] {
    try state.rows("SELECT key FROM blob_removal ORDER BY key").compactMap { BlobName(key: try $0[0]) }
  }

  /// Removes all that wait.
  ///
  /// - Parameter isFree: whether nobody works on it at this moment; else it waits for the next time.
  /// - Throws: ``BlobError`` when the store does not answer; what is left waits for the next time.
  func drain(where isFree: @Sendable (BlobName) -> Bool = { _ in true }) async throws {
    for name in try await Self.waiting(in: state) where isFree(name) {
      try await blobs.remove(name)
      try await state.write { _ = try $0.execute("DELETE FROM blob_removal WHERE key = ?1", name.key) }
    }
  }
}
