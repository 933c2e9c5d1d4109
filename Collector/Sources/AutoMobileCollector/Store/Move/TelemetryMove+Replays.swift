import AutoMobileClickHouse
import AutoMobileState
import Foundation
import GRDB
import NIOCore

extension TelemetryMove {
  /// What became of a directory's replays.
  package struct ReplayOutcome: Sendable {
    package var packs = 0
    package var segments = 0
    package var bytes: Int64 = 0
    /// Whose bytes cannot be read in the directory.
    package var lost = 0
    /// Of people who were erased.
    package var erased = 0
  }

  /// Whether the directory has replays at all.
  package var hasReplays: Bool {
    get throws {
      try moved.store.pool.read {
        try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM replay_segment WHERE pack IS NOT NULL)") ?? false
      }
    }
  }

  /// Moves the directory's replays, which need not be moved after its events.
  ///
  /// - Parameter credentials: nil: those that the environment names.
  /// - Throws: ``BlobError``, ``CollectorError``, ``InsertFailure``, ``StateError``, or what the index says.
  package func moveReplays(
    to place: BlobPlace, credentials: S3Credentials? = nil, onProgress: (Progress) -> Void = { _ in }
  ) async throws -> ReplayOutcome {
    try await offLoop { [marks, moved] in try marks.tell(moved.store) }
    return try await replayMove(to: place, credentials).run(onProgress)
  }

  /// - Parameter most: differences after which it ends.
  package func checkReplays(
    in place: BlobPlace, credentials: S3Credentials? = nil, most: Int = 20,
    onProgress: (Progress) -> Void = { _ in }
  ) async throws -> (compared: Int, differences: [Difference]) {
    try await replayMove(to: place, credentials).check(most: most, onProgress)
  }

  private func replayMove(to place: BlobPlace, _ credentials: S3Credentials?) throws -> ReplayMove {
    guard place != .folder else {
      throw CollectorError.blobsUnusable(reason: "replays are moved to where all collectors read them: name s3://…")
    }
    let known = try BlobMark.known(in: moved.store.own)
    let url = URL(filePath: moved.path)
    let to = try place.open(url, credentials)
    let from: any BlobStore
    switch known {
    case BlobPlace.folder.mark: from = FolderBlobs(url)
    case place.mark: from = to
    default: throw CollectorError.blobsElsewhere(known: known, given: place.mark)
    }
    return ReplayMove(
      store: moved.store, path: moved.path, cluster: cluster, marks: marks, state: state,
      from: ReplayPacks(spool: PackSpool(reading: moved.directory.packs), blobs: from), to: to, place: place.mark)
  }
}
