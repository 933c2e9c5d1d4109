import GRDB
import NIOCore

/// That the index remembers which store its blobs are in: another one has none of them.
enum BlobMark {
  /// - Returns: whether the store has been in use before.
  /// - Throws: ``CollectorError`` when the blobs are elsewhere.
  static func check(_ place: BlobPlace, in store: EventStore) throws -> Bool {
    let (known, hasBlobs) = try store.pool.read { database in
      (try Self.known(in: database), try Self.hasBlobs(in: database))
    }
    guard known == place.mark || !hasBlobs else {
      throw CollectorError.blobsElsewhere(known: known, given: place.mark)
    }
    return known == place.mark && hasBlobs
  }

  static func set(_ place: BlobPlace, in store: EventStore) async throws {
    try await store.pool.write { database in
      try database.execute(
        sql: "INSERT INTO blob_place VALUES (1, ?1) ON CONFLICT DO UPDATE SET place = ?1", arguments: [place.mark])
    }
  }

  static func known(in database: Database) throws -> String {
    try String.fetchOne(database, sql: "SELECT place FROM blob_place") ?? BlobPlace.folder.mark
  }

  private static func hasBlobs(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM replay_pack) OR EXISTS (SELECT 1 FROM symbol_build)
          OR EXISTS (SELECT 1 FROM source_build) OR EXISTS (SELECT 1 FROM blob_removal)
        """) ?? false
  }
}

/// Blobs of which only the place is known: for who reads a data directory without the collector's keys.
struct DistantBlobs: BlobStore {
  var place: String

  private var problem: BlobError {
    BlobError(.unavailable, "it is in \(place): ask the collector, which has the key")
  }

  func put(_ content: BlobContent, as name: BlobName) async throws { throw problem }
  func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer { throw problem }
  func size(of name: BlobName) async throws -> Int64? { throw problem }
  func remove(_ name: BlobName) async throws { throw problem }
  func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] { throw problem }
  func file(_ name: BlobName) -> String? { nil }
  func check() async throws { throw problem }
  func tidy() async throws {}
}
