import AutoMobileState
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Packs are each collector's own, symbols and sources are the state's.
@Suite struct `Blobs of collectors that share a state` {
  private static func s3() async throws -> BlobPlace { .s3(try await S3Server.shared.settings()) }

  private static func name(_ folder: BlobName.Folder, _ file: String) throws -> BlobName {
    try #require(BlobName(folder, file))
  }

  /// A pack in the collector's data directory.
  private static func addPack(_ file: String, to shared: SharedIndexes, _ number: Int) async throws {
    try await FolderBlobs(shared.directory(of: number)).put(
      .bytes(ByteBuffer(string: file)), as: try name(.replays, file))
    try await shared.indexes[number].store.pool.write {
      try $0.execute(
        sql: "INSERT INTO replay_pack(name, live, bytes) VALUES (?, 1, ?)", arguments: [file, file.utf8.count])
    }
  }

  /// Sources in the collector's data directory, of which all know.
  private static func addSources(to shared: SharedIndexes, _ number: Int) async throws {
    let blob = try name(.symbols, "sources.src")
    try await FolderBlobs(shared.directory(of: number)).put(.bytes(ByteBuffer(string: "sources")), as: blob)
    try await SymbolTable(state: shared.truth.own).set(
      .init(blob: blob, bytes: 7), for: [try #require(SymbolID("0123456789abcdef0123456789abcdef"))])
  }

  private static func move(
    _ shared: SharedIndexes, _ number: Int, to place: BlobPlace
  ) async throws -> StoreMaintenance.Progress {
    let maintenance = try StoreMaintenance(shared.directory(of: number)) { shared.indexes[number].state }
    defer { maintenance.close() }
    return try await maintenance.move(from: .folder, to: place, keeping: false, credentials: S3Server.credentials)
  }

  @Test(arguments: [BreakingState.Break.before(0), .after(0)])
  func `are moved also when that is ended between what the index and what the state notes`(
    _ at: BreakingState.Break
  ) async throws {
    let place = try await Self.s3()
    try await SharedIndexes.with(1) { shared in
      let member = shared.indexes[0]
      try await BlobMark.set(.folder, in: member.store.states)
      try await Self.addPack("one.pack", to: shared, 0)
      try await Self.addSources(to: shared, 0)
      member.state.breaks(at)
      await #expect(throws: BreakingState.Broken.self) { _ = try await Self.move(shared, 0, to: place) }
      #expect(try await Self.move(shared, 0, to: place).all == 2)
      #expect(try BlobMark.check(place, in: member.store.states))
      #expect(try shared.stated("SELECT place, directory FROM blob_place") == [StateRow([.text(place.mark), .null])])
      let (old, new) = (
        FolderBlobs(shared.directory(of: 0)), try place.open(shared.directory.url, S3Server.credentials)
      )
      for name in [try Self.name(.replays, "one.pack"), try Self.name(.symbols, "sources.src")] {
        #expect(try await old.size(of: name) == nil)
        #expect(try await new.size(of: name) != nil)
      }
    }
  }

  @Test func `are in one data directory at most`() async throws {
    let place = try await Self.s3()
    try await SharedIndexes.with(2) { shared in
      let (one, other) = (shared.indexes[0].store.states, shared.indexes[1].store.states)
      _ = try BlobMark.check(.folder, in: one)
      _ = try BlobMark.check(.folder, in: other)
      try await BlobMark.set(.folder, in: one)
      #expect(throws: CollectorError.folderElsewhere) { try BlobMark.check(.folder, in: other) }
      // Also when both began at once.
      await #expect(throws: CollectorError.folderElsewhere) { try await BlobMark.set(.folder, in: other) }
      // The first one may be started again.
      _ = try BlobMark.check(.folder, in: one)
      try await BlobMark.set(.folder, in: one)
      for states in [one, other] { try await BlobMark.set(place, in: states) }
      try await BlobMark.set(.folder, in: other)
    }
  }

  @Test func `are moved by each collector, and what they share by the first`() async throws {
    let place = try await Self.s3()
    try await SharedIndexes.with(2) { shared in
      try await BlobMark.set(.folder, in: shared.indexes[0].store.states)
      for number in [0, 1] { try await Self.addPack("\(number).pack", to: shared, number) }
      try await Self.addSources(to: shared, 0)
      // What all need is not here.
      await #expect(throws: CollectorError.folderElsewhere) { _ = try await Self.move(shared, 1, to: place) }
      for number in [0, 1] { #expect(try await Self.move(shared, number, to: place).all == 2) }
      for member in shared.indexes { #expect(try BlobMark.check(place, in: member.store.states)) }
      let there = try await place.open(shared.directory.url, S3Server.credentials).list(.replays, after: nil)
      #expect(there.map(\.name.file) == ["0.pack", "1.pack"])
    }
  }

  @Test func `are not moved onto themselves by another name of their host`() async throws {
    let settings = try await S3Server.shared.settings()
    var other = settings
    other.endpoint = try #require(
      URL(string: settings.endpoint.absoluteString.replacing("127.0.0.1", with: "localhost")))
    try await SharedIndexes.with(1) { shared in
      try await BlobMark.set(.folder, in: shared.indexes[0].store.states)
      try await Self.addPack("one.pack", to: shared, 0)
      _ = try await Self.move(shared, 0, to: .s3(settings))
      let maintenance = try StoreMaintenance(shared.directory(of: 0)) { shared.indexes[0].state }
      defer { maintenance.close() }
      let error = await #expect(throws: BlobError.self) {
        _ = try await maintenance.move(
          from: .s3(settings), to: .s3(other), keeping: false, credentials: S3Server.credentials)
      }
      #expect(error?.kind == .refused)
      let store = S3Blobs(settings, credentials: S3Server.credentials)
      #expect(try await store.size(of: Self.name(.replays, "one.pack")) != nil)
    }
  }

  @Test func `are looked at with the state that the index has, and no other one`() async throws {
    try await SharedIndexes.with(1) { shared in
      try await SharedIndexes.with(1) { foreign in
        try foreign.truth.own.writeNow { _ = try $0.execute("UPDATE configuration_store SET issuer = 'two'") }
        let directory = shared.directory(of: 0)
        #expect(throws: CollectorError.self) {
          _ = try StoreMaintenance(directory) { BreakingState(foreign.truth.own) }
        }
        try StoreMaintenance(directory) { shared.indexes[0].state }.close()
      }
    }
  }
}
