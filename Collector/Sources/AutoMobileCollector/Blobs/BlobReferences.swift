import GRDB

/// The blobs that the index points to.
struct BlobReferences: Sendable {
  /// With their size, where it is known.
  var blobs: [BlobName: Int64?] = [:]
  /// Those that wait to be removed.
  var leaving: Set<BlobName> = []

  static func read(_ store: EventStore) async throws -> BlobReferences {
    var found = BlobReferences()
    let packs = try await store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT name, bytes FROM replay_pack").map {
        (name: $0[0] as String, bytes: $0[1] as Int64?)
      }
    }
    for pack in packs {
      if let name = BlobName(.replays, pack.name) { found.blobs[name] = .some(pack.bytes) }
    }
    // Afterwards: what loses its last pointer meanwhile is in both, and is taken for neither lost nor left over.
    let (builds, sources, leaving) = try await store.state.read {
      (
        Array(try SymbolTable.all(in: $0).values), try SymbolTable.sources(in: $0), try BlobRemovals.waiting(in: $0)
      )
    }
    for build in builds { found.blobs[build.blob] = .some(build.entry.bytes) }
    for source in sources { found.blobs[source.blob] = .some(source.bytes) }
    found.leaving = Set(leaving).union(try await BlobRemovals.waiting(in: store.own))
    return found
  }
}
