import Foundation
import NIOConcurrencyHelpers

/// The sources of builds: an archive for each build, as a blob; builds that came together share one.
final class SourceStore: Sendable {
  private let files: BlobFiles
  private let table: SymbolTable
  private let maximumBytes: Int64
  private let opened = NIOLockedValueBox(BoundedCache<BlobName, SourceArchive>(limit: 8))

  init(files: BlobFiles, table: SymbolTable, maximumBytes: Int64 = .max) {
    self.files = files
    self.table = table
    self.maximumBytes = maximumBytes
  }

  /// Keeps what was received, for each of these builds in the place of what was there.
  ///
  /// - Throws: ``SourceArchive/Failure``, ``BlobError``, or what the file system says.
  func add(_ part: URL, for builds: [SymbolID]) async throws -> SourceArchive.Contents {
    let (archive, size) = try await offLoop {
      (try SourceArchive(part.path), Int64(clamping: try BoundedFile(part.path).size))
    }
    let used = try await table.sourceBytes()
    guard size <= maximumBytes - min(used, maximumBytes) else {
      throw SourceArchive.Failure(
        "does not fit: \(used) of \(maximumBytes) bytes for sources are taken. Remove some: automobile symbols remove ID"
      )
    }
    guard let build = builds.first, let blob = BlobName(.symbols, "\(build)-\(BlobName.unique(bytes: 4)).src") else {
      return archive.contents
    }
    try await files.blobs.put(.file(part.path), as: blob)
    try await table.set(.init(blob: blob, bytes: size), for: builds)
    await removeWaiting()
    return archive.contents
  }

  func remove(_ id: SymbolID) async throws {
    try await table.removeSources(of: id)
    await removeWaiting()
  }

  /// The archive of a build; nil when there is none, when it is damaged, or when its store does not answer.
  func archive(_ id: SymbolID) async -> SourceArchive? {
    guard let sources = try? await table.sources(of: id) else { return nil }
    if let archive = opened.withLockedValue({ $0[sources.blob] }) { return archive }
    guard let path = try? await files.path(sources.blob, bytes: sources.bytes),
      let archive = try? await offLoop({ try SourceArchive(path) })
    else { return nil }
    opened.withLockedValue { $0[sources.blob] = archive }
    return archive
  }

  /// What nothing points to any more; when the store does not answer, retention comes back to it.
  private func removeWaiting() async {
    try? await BlobRemovals(state: table.state, blobs: files.blobs).drain { $0.folder == .symbols }
  }
}
