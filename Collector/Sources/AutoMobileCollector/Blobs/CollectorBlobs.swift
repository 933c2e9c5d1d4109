import Foundation
import Logging

/// All of a collector that has to do with blobs: their store, the packs that wait for it, the files that symbolizers read.
struct CollectorBlobs: Sendable {
  let place: BlobPlace
  let store: any BlobStore
  let packs: ReplayPacks
  let uploads: PackUploads
  let files: BlobFiles
  let table: SymbolTable
  private let index: EventStore
  private let isKnown: Bool
  private let logger: Logger

  /// - Throws: ``CollectorError``.
  init(_ options: CollectorOptions, _ directory: DataDirectory, _ index: EventStore, _ logger: Logger) throws {
    place = options.blobs
    self.index = index
    self.logger = logger
    isKnown = try BlobMark.check(place, in: index.states)
    do {
      store = try place.open(options.dataDirectory, options.blobCredentials)
    } catch let error as BlobPlace.Invalid {
      throw CollectorError.blobsUnusable(reason: error.description)
    }
    let spool = try PackSpool(
      directory: directory.packs, size: options.packBytes, limit: options.limits.packBacklogBytes)
    try spool.forgetUnknown(index)
    packs = ReplayPacks(spool: spool, blobs: store)
    uploads = PackUploads(packs: packs, store: index, oldAge: Self.oldAge(options, index), logger: logger)
    table = SymbolTable(state: index.state)
    if place == .folder { try table.takeUp(directory.symbols) }
    files = try BlobFiles(store, cache: directory.cache, limit: options.limits.blobCacheBytes)
  }

  /// After how many seconds a pack goes that is not full; nil: never.
  private static func oldAge(_ options: CollectorOptions, _ index: EventStore) -> Double? {
    // On the same disk nothing is gained by many small files.
    if options.blobs == .folder { return nil }
    if let seconds = options.packSeconds { return seconds }
    // Behind a balancer each collector has a part of a replay, which others show when the blob store has it: somebody looks on.
    return options.store != .folder && index.sharesState ? 10 : 300
  }

  /// - Throws: ``CollectorError`` when blobs cannot be kept. A store that only does not answer at this moment is waited for, if it
  ///   has been in use: what is recorded goes on to be taken.
  func open() async throws {
    do {
      try await store.check()
    } catch let error as BlobError {
      guard isKnown, error.kind == .unavailable else { throw CollectorError.blobsUnusable(reason: "\(error)") }
      logger.error(
        "the blob store does not answer; replays wait on this machine's disk", metadata: ["error": "\(error)"])
    }
    try await BlobMark.set(place, in: index.states)
    let tidying = Task { [store] in try? await store.tidy() }
    // There, it is for the files that are about to come.
    if place == .folder { await tidying.value }
    uploads.start()
  }
}
