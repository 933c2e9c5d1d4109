import Foundation
import GRDB
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileCollector

/// What nothing points to any more is removed, and forgotten after that only.
@Suite struct `Removals of blobs` {
  /// A store that does not answer to removals while it is told so.
  private struct Sulking: BlobStore {
    let blobs: FolderBlobs
    let isSulking = NIOLockedValueBox(false)
    /// Called before a blob is removed.
    var onRemove: @Sendable (BlobName) async throws -> Void = { _ in }

    var place: String { blobs.place }
    func put(_ content: BlobContent, as name: BlobName) async throws { try await blobs.put(content, as: name) }
    func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer { try await blobs.get(name, range) }
    func size(of name: BlobName) async throws -> Int64? { try await blobs.size(of: name) }
    func remove(_ name: BlobName) async throws {
      try await onRemove(name)
      guard !isSulking.withLockedValue({ $0 }) else { throw BlobError(.unavailable, "not now") }
      try await blobs.remove(name)
    }
    func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] {
      try await blobs.list(folder, after: name)
    }
    func file(_ name: BlobName) -> String? { blobs.file(name) }
    func check() async throws { try await blobs.check() }
    func tidy() async throws { try await blobs.tidy() }
  }

  private let directory: TemporaryDirectory
  private let store: EventStore
  private let blobs: FolderBlobs

  init() throws {
    directory = try TemporaryDirectory()
    store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    blobs = FolderBlobs(directory.url.appending(path: "data"))
  }

  private func keep(_ files: [String]) async throws -> [BlobName] {
    let names = try files.map { try #require(BlobName(.replays, $0)) }
    for name in names { try await blobs.put(.bytes(ByteBuffer(string: name.file)), as: name) }
    try await store.state.write { state in
      for name in names { try BlobRemovals.add(name, in: state) }
    }
    return names
  }

  @Test func `what the store did not remove waits for the next time`() async throws {
    let names = try await keep(["a.pack", "b.pack"])
    let sulking = Sulking(blobs: blobs)
    sulking.isSulking.withLockedValue { $0 = true }
    let removals = BlobRemovals(state: store.state, blobs: sulking)
    await #expect(throws: BlobError.self) { try await removals.drain() }
    #expect(try await BlobRemovals.waiting(in: store.state) == names)
    sulking.isSulking.withLockedValue { $0 = false }
    try await removals.drain()
    #expect(try await BlobRemovals.waiting(in: store.state).isEmpty)
    for name in names { #expect(try await blobs.size(of: name) == nil) }
  }

  @Test func `it is still written down while the store removes it: whoever is killed then does it again`() async throws
  {
    let names = try await keep(["a.pack"])
    let seen = NIOLockedValueBox<[[BlobName]]>([])
    var watching = Sulking(blobs: blobs)
    watching.onRemove = { [store] _ in
      let waiting = try await BlobRemovals.waiting(in: store.state)
      seen.withLockedValue { $0.append(waiting) }
    }
    try await BlobRemovals(state: store.state, blobs: watching).drain()
    #expect(seen.withLockedValue { $0 } == [names])
    #expect(try await BlobRemovals.waiting(in: store.state).isEmpty)
  }

  @Test func `what somebody works on stays, and stays written down`() async throws {
    let names = try await keep(["a.pack", "b.pack"])
    try await BlobRemovals(state: store.state, blobs: blobs).drain { $0 != names[0] }
    #expect(try await BlobRemovals.waiting(in: store.state) == [names[0]])
    #expect(try await blobs.size(of: names[0]) == 6)
    #expect(try await blobs.size(of: names[1]) == nil)
  }
}
