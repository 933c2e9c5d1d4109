import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

/// Two collectors over one state, each write run twice.
@Suite struct `Two collectors with symbols` {
  private struct Collectors {
    let table: SymbolTable
    let one: SymbolStore
    let other: SymbolStore
  }

  private static func with(_ body: (Collectors) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let files = BlobFiles(FolderBlobs(directory.url.appending(path: "blobs")))
    try await SharedState.withEach(store) { state in
      let table = SymbolTable(state: state)
      func symbols() throws -> SymbolStore {
        try SymbolStore(files: files, table: table, maximumBytes: .max, logger: RunningCollector.quiet)
      }
      try await body(Collectors(table: table, one: symbols(), other: symbols()))
    }
    try store.close()
  }

  private static func known(_ id: String, blob: String) throws -> SymbolTable.Known {
    SymbolTable.Known(
      entry: SymbolStore.Entry(
        id: id, name: "shop", format: .elf, architecture: "x86_64", textAddress: 0, hasLines: true, bytes: 7, added: 1),
      blob: try #require(BlobName(.symbols, blob)))
  }

  @Test func `know the same builds, and leave the blob of one that was replaced`() async throws {
    try await Self.with { both in
      let id = try #require(SymbolID("0123456789abcdef"))
      let (first, second) = (try Self.known(id.text, blob: "a.sym"), try Self.known(id.text, blob: "b.sym"))
      try await both.table.state.write { try SymbolTable.set(first, in: $0) }
      for symbols in [both.one, both.other] {
        try await eventually("both know it") { symbols.entry(id) == first.entry }
      }
      try await both.table.state.write { try SymbolTable.set(second, in: $0) }
      #expect(try await BlobRemovals.waiting(in: both.table.state) == [first.blob])
      #expect(try await both.other.remove(id))
      #expect(both.other.entry(id) == nil)
      try await eventually("both have forgotten it") { both.one.entry(id) == nil }
      // And what nothing points to has gone.
      #expect(try await BlobRemovals.waiting(in: both.table.state).isEmpty)
      #expect(try await !both.one.remove(id))
    }
  }

  @Test func `leave the sources of builds that came together when the last of them goes`() async throws {
    try await Self.with { both in
      let builds = try ["0123456789abcdef", "fedcba9876543210"].map { try #require(SymbolID($0)) }
      let sources = SymbolTable.Sources(blob: try #require(BlobName(.symbols, "a.src")), bytes: 100)
      try await both.table.set(sources, for: builds)
      #expect(try await both.table.sourceBytes() == 100)
      try await both.table.removeSources(of: builds[0])
      #expect(try await both.table.sources(of: builds[0]) == nil)
      #expect(try await both.table.sources(of: builds[1]) == sources)
      #expect(try await BlobRemovals.waiting(in: both.table.state).isEmpty)
      try await both.table.removeSources(of: builds[1])
      #expect(try await BlobRemovals.waiting(in: both.table.state) == [sources.blob])
      #expect(try await both.table.sourceBytes() == 0)
    }
  }
}
