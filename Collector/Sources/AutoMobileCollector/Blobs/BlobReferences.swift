import GRDB

/// The blobs that the index points to.
struct BlobReferences: Sendable {
  /// With their size, where it is known.
  var blobs: [BlobName: Int64?] = [:]
  /// Those that wait to be removed.
  var leaving: Set<BlobName> = []

  static func read(_ store: EventStore) async throws -> BlobReferences {
    try await store.pool.read { database in
      var found = BlobReferences()
      for row in try Row.fetchAll(database, sql: "SELECT name, bytes FROM replay_pack") {
        if let name = BlobName(.replays, row[0]) { found.blobs[name] = .some(row[1]) }
      }
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT blob, json_extract(entry, '$.bytes') FROM symbol_build UNION SELECT blob, bytes FROM source_build
          """)
      {
        if let name = BlobName(.symbols, row[0]) { found.blobs[name] = .some(row[1]) }
      }
      for key in try String.fetchAll(database, sql: "SELECT key FROM blob_removal") {
        if let name = BlobName(key: key) { found.leaving.insert(name) }
      }
      return found
    }
  }
}
