import AutoMobileState
import NIOCore

/// That the index remembers which store its blobs are in: another one has none of them. And so does a state that collectors share, of
/// the symbols and sources that all of them read.
enum BlobMark {
  /// - Parameter states: the tables in the index's file, and a state that is elsewhere.
  /// - Returns: whether the store has been in use before.
  /// - Throws: ``CollectorError`` when the blobs are elsewhere.
  static func check(_ place: BlobPlace, in states: [any StateStore]) throws -> Bool {
    var isInUse = false
    for (number, state) in states.enumerated() {
      let isKnown = try state.readNow { state in
        try check(place, hasPacks: number == 0 ? hasPacks(in: state) : false, in: state)
      }
      isInUse = isInUse || isKnown
    }
    return isInUse
  }

  private static func check(_ place: BlobPlace, hasPacks: Bool, in state: borrowing StateReading) throws -> Bool {
    let known = try known(in: state)
    let hasBlobs = try hasPacks || hasFiles(in: state)
    guard known == place.mark || !hasBlobs else {
      throw CollectorError.blobsElsewhere(known: known, given: place.mark)
    }
    return known == place.mark && hasBlobs
  }

  static func set(_ place: BlobPlace, in states: [any StateStore]) async throws {
    for state in states {
      try await state.write { state in
        _ = try state.execute(
          "INSERT INTO blob_place(id, place) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET place = ?1", place.mark)
      }
    }
  }

  /// - Parameter index: the tables in the index's file.
  static func known(in index: any StateStore) throws -> String { try index.readNow { try known(in: $0) } }

  private static func known(in state: borrowing StateReading) throws -> String {
    try state.value("SELECT place FROM blob_place") ?? BlobPlace.folder.mark
  }

  private static func hasFiles(in state: borrowing StateReading) throws -> Bool {
    try state.row(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM symbol_build) OR EXISTS (SELECT 1 FROM source_build)
        OR EXISTS (SELECT 1 FROM blob_removal)
      """) != nil
  }

  /// Of the index alone.
  private static func hasPacks(in index: borrowing StateReading) throws -> Bool {
    try index.row("SELECT 1 FROM replay_pack LIMIT 1") != nil
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
