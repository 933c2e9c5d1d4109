import GRDB
import Logging
import NIOConcurrencyHelpers

/// Puts full packs into the blob store, and removes them here once it has them. While it does not answer they wait; nobody has
/// to do anything when it does again.
final class PackUploads: Sendable {
  private let spool: PackSpool
  private let blobs: any BlobStore
  private let store: EventStore
  private let logger: Logger
  /// A pack that is not full goes after so many seconds; nil: never.
  private let oldAge: Double?
  private let wakeUps: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let task = NIOLockedValueBox<Task<Void, Never>?>(nil)
  private let trouble = NIOLockedValueBox<String?>(nil)

  /// Packs that are under way at one time: each takes some megabytes of memory.
  private static let beside = 4
  /// Between two looks, in seconds, and the longest wait after something went wrong.
  private static let pause = 1.0
  private static let longestPause = 15.0

  init(packs: ReplayPacks, store: EventStore, oldAge: Double?, logger: Logger) {
    (spool, blobs, self.store, self.oldAge, self.logger) = (packs.spool, packs.blobs, store, oldAge, logger)
    (wakeUps, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Why packs wait; nil when they do not.
  var problem: String? { trouble.withLockedValue { $0 } }

  func start() {
    task.withLockedValue { $0 = $0 ?? Task { [self] in await run() } }
  }

  /// There may be something to do.
  func wake() { bell.yield() }

  /// Ends; what is under way is put again by the next run.
  func stop() {
    task.withLockedValue { $0?.cancel() }
    bell.finish()
  }

  private func run() async {
    var bells = wakeUps.makeAsyncIterator()
    var pause = Self.pause
    while !Task.isCancelled {
      if let oldAge { spool.seal(after: oldAge) }
      pause = await drain() ? Self.pause : min(pause * 2, Self.longestPause)
      let seconds = pause
      let alarm = Task { [bell] in
        try await Task.sleep(for: .seconds(seconds))
        bell.yield()
      }
      defer { alarm.cancel() }
      guard await bells.next() != nil else { return }
    }
  }

  /// Puts all that wait; false when one of them could not be.
  func drain() async -> Bool {
    while !Task.isCancelled {
      let packs = spool.take(Self.beside)
      guard !packs.isEmpty else {
        trouble.withLockedValue { $0 = nil }
        return true
      }
      let problems = await withTaskGroup(of: String?.self) { group in
        for pack in packs { group.addTask { [self] in await put(pack) } }
        return await group.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
      }
      guard let problem = problems.first else { continue }
      let isNew = trouble.withLockedValue { trouble in
        defer { trouble = problem }
        return trouble == nil
      }
      if isNew {
        logger.error(
          "replays wait on this machine's disk until the blob store takes them",
          metadata: ["error": "\(problem)", "bytes": "\(spool.bytes)"])
      }
      return false
    }
    return false
  }

  private func put(_ pack: PackSpool.Sealed) async -> String? {
    do {
      try await blobs.put(.file(pack.path), as: pack.name)
      try await store.pool.write {
        try $0.execute(
          sql: "UPDATE replay_pack SET bytes = ? WHERE name = ?", arguments: [pack.bytes, pack.name.file])
      }
      try spool.giveBack(pack.name, isStored: true)
      return nil
    } catch {
      try? spool.giveBack(pack.name, isStored: false)
      return "\(error)"
    }
  }
}
