import AutoMobileState
import Foundation
import NIOCore

/// That the index remembers which store its blobs are in: another one has none of them. And so does a state that collectors share, of
/// the symbols and sources that all of them read: where these are in a data directory, it remembers in which one. There is one then.
enum BlobMark {
  /// - Parameter states: the tables in the index's file, and a state that is elsewhere.
  /// - Returns: whether the store has been in use before.
  /// - Throws: ``CollectorError`` when the blobs are elsewhere.
  static func check(_ place: BlobPlace, in states: [any StateStore]) throws -> Bool {
    let (own, shared) = told(states)
    let isOwn = try own.readNow { try check(place, hasPacks: hasPacks(in: $0), in: $0) }
    guard let shared else { return isOwn }
    let directory = try knownDirectory(in: own)
    let isShared = try shared.readNow { state in
      try check(place, in: directory, state)
      return try check(place, hasPacks: false, in: state)
    }
    return isOwn || isShared
  }

  private static func check(_ place: BlobPlace, hasPacks: Bool, in state: borrowing StateReading) throws -> Bool {
    let known = try known(in: state)
    let hasBlobs = try hasPacks || hasFiles(in: state)
    guard known == place.mark || !hasBlobs else {
      throw CollectorError.blobsElsewhere(known: known, given: place.mark)
    }
    return known == place.mark && hasBlobs
  }

  /// - Parameter directory: the one at hand; nil: one that is new.
  /// - Throws: ``CollectorError`` when it would be the second data directory with blobs of this state.
  static func check(_ place: BlobPlace, in directory: String?, _ state: borrowing StateReading) throws {
    guard place == .folder, let row = try state.row("SELECT place, directory FROM blob_place") else { return }
    let (known, other): (String, String?) = try (row[0], row[1])
    guard known == place.mark, let other, other != directory else { return }
    throw CollectorError.folderElsewhere
  }

  /// Of a state that is shared first: an index that went first would be taken for one whose blobs have all been moved.
  static func set(_ place: BlobPlace, in states: [any StateStore]) async throws {
    let (own, shared) = told(states)
    if let shared {
      let directory: String? =
        if place == .folder { try await offLoop { try makeDirectory(in: own) } } else { nil }
      try await shared.write { state in
        // Another one may have been quicker.
        try check(place, in: directory, state.reading)
        try state.execute(
          """
          INSERT INTO blob_place(id, place, directory) VALUES (1, ?1, ?2)
          ON CONFLICT (id) DO UPDATE SET place = ?1, directory = ?2
          """, place.mark, directory)
      }
    }
    try await own.write { state in
      _ = try state.execute(
        "INSERT INTO blob_place(id, place) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET place = ?1", place.mark)
    }
  }

  private static func told(_ states: [any StateStore]) -> (own: any StateStore, shared: (any StateStore)?) {
    (states[0], states.dropFirst().first)
  }

  // MARK: Which data directory this is

  private static let name = "data directory"

  /// - Parameter index: the tables in the index's file.
  static func knownDirectory(in index: any StateStore) throws -> String? {
    try index.readNow { try StateSetting.row(name, in: $0)?[0] }
  }

  /// The name that a state gets that moves out of it; nil where no blob in it belongs to the state, so that any directory will do.
  static func directory(in index: any StateStore) throws -> String? {
    let has = try index.readNow { state in
      try state.row(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM symbol_build) OR EXISTS (SELECT 1 FROM source_build)
          OR EXISTS (SELECT 1 FROM blob_removal WHERE key NOT LIKE 'replays/%')
        """) != nil
    }
    return has ? try makeDirectory(in: index) : nil
  }

  /// The first time a new name, which says nothing of where it is.
  private static func makeDirectory(in index: any StateStore) throws -> String {
    try StateSecret.text(name, in: index, at: WallClock.now) { UUID().uuidString }
  }

  // MARK: Reading

  /// - Parameter index: the tables in the index's file, or a state.
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
