import AutoMobileJournal
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Where replays are kept` {
  @Test func `a body that is not what was announced is refused, and the right one is taken then`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let segment = ReplaySender.Segment("frames")
      var announcement = sender.announcement(of: segment)
      announcement["contentHash"] = .string(SHA256.hex(Array("frames".utf8)))
      #expect(try await sender.post("segment/presign", announcement).status == 200)
      let wrong = try await sender.put(segment.id, gzip(Array("frameS".utf8)))
      #expect(wrong.status == 400 && wrong.errorCode == "hash_mismatch")
      #expect(try await sender.put(segment.id, segment.body).status == 204)
      #expect(try await sender.complete(segment).status == 200)
      let metrics = try await collector.get("/metrics").text
      #expect(metrics.contains("automobile_replay_segments_total 1"))
    }
  }

  @Test func `a hash that is none is refused`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      var announcement = sender.announcement(of: .init("frames"))
      for hash in [JSONTree.string("abc"), .integer(7), .string(String(repeating: "g", count: 64))] {
        announcement["contentHash"] = hash
        let answer = try await sender.post("segment/presign", announcement)
        #expect(answer.status == 400 && answer.errorCode == "invalid_contentHash")
      }
    }
  }

  @Test func `a pack that is mostly holes is rewritten, and what is left in it can still be read`() async throws {
    let kept = try KeptPacks(size: 1000)
    // Ten bodies fill a pack; of the first pack only the last body is still needed.
    var places: [ReplayPacks.Place] = []
    for index in 0..<20 { places.append(try kept.append(ByteBuffer(repeating: UInt8(index), count: 100))) }
    #expect(places[9].pack == places[0].pack && places[10].pack != places[9].pack)
    try kept.refer(to: Array(places[9...]))
    #expect(await kept.uploads.drain())
    #expect(try await ReplayEraser.compact(kept.store, kept.packs) == 1)
    try await ReplayEraser.sweep(kept.store, kept.packs)
    let moved = try kept.places()
    #expect(moved[0].pack != places[9].pack && Array(moved[1...]) == Array(places[10...]))
    for (index, place) in moved.enumerated() {
      #expect(try await kept.packs.read(place) == ByteBuffer(repeating: UInt8(9 + index), count: 100))
    }
    #expect(try await kept.packs.blobs.size(of: places[9].pack) == nil)
    let live = try await kept.store.pool.read {
      try Int64.fetchAll($0, sql: "SELECT live FROM replay_pack ORDER BY id")
    }
    #expect(live == [1000, 100])
    // Nothing is left to do.
    #expect(try await ReplayEraser.compact(kept.store, kept.packs) == 0)
  }

  @Test func `packs of an earlier version are read and rewritten where they are`() async throws {
    let kept = try KeptPacks(size: 1000)
    let folder = kept.directory.url.appending(path: "replays")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 100).write(to: folder.appending(path: "17.pack"))
    let pack = try #require(BlobName(.replays, "17.pack"))
    let checksum = Int64(CRC32C.checksum(of: Array(repeating: 7, count: 10)))
    try kept.refer(to: [ReplayPacks.Place(pack: pack, offset: 20, length: 10, checksum: checksum)])
    #expect(try await ReplayEraser.compact(kept.store, kept.packs) == 1)
    try await ReplayEraser.sweep(kept.store, kept.packs)
    let place = try #require(try kept.places().first)
    #expect(place.pack != pack)
    #expect(try await kept.packs.read(place) == ByteBuffer(repeating: 7, count: 10))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `what is appended and not in the index yet keeps its pack`() async throws {
    let kept = try KeptPacks(size: 100)
    let first = try kept.packs.spool.append(ByteBuffer(repeating: 1, count: 100))
    try kept.refer(to: [first])
    // The next one is full as well by now; the first has lost what it had, and somebody still holds a place in it.
    _ = try kept.append(ByteBuffer(repeating: 2, count: 100))
    try await kept.store.pool.write { try $0.execute(sql: "UPDATE replay_pack SET live = 0") }
    try await ReplayEraser.sweep(kept.store, kept.packs)
    #expect(try await kept.packs.read(first) == ByteBuffer(repeating: 1, count: 100))
    kept.packs.spool.settle(first)
    try await ReplayEraser.sweep(kept.store, kept.packs)
    await #expect(throws: BlobError.self) { try await kept.packs.read(first) }
  }
}

/// Packs in a directory of the test's own, with an index that refers to them.
struct KeptPacks {
  let directory: TemporaryDirectory
  let store: EventStore
  let packs: ReplayPacks
  let uploads: PackUploads

  init(size: Int64, limit: Int64 = .max, blobs: (any BlobStore)? = nil) throws {
    directory = try TemporaryDirectory()
    store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let spool = try PackSpool(directory: directory.url.appending(path: "packs").path, size: size, limit: limit)
    packs = ReplayPacks(spool: spool, blobs: blobs ?? FolderBlobs(directory.url))
    uploads = PackUploads(packs: packs, store: store, oldAge: nil, logger: RunningCollector.quiet)
  }

  func append(_ body: ByteBuffer) throws -> ReplayPacks.Place {
    let place = try packs.spool.append(body)
    packs.spool.settle(place)
    return place
  }

  func refer(to places: [ReplayPacks.Place]) throws {
    try store.pool.write { database in
      for (index, place) in places.enumerated() {
        let pack = try ReplayTables.pack(place.pack, in: database)
        try database.execute(
          sql: """
            INSERT INTO replay_segment(owner, segmentId, replay, kind, first, last, frames, announced, received, pack, offset, length, checksum)
            VALUES (1, ?, 1, 'screenshots', 0, 1, 1, 100, 0, ?, ?, ?, ?)
            """, arguments: ["s\(index)", pack, place.offset, place.length, place.checksum])
        try database.execute(
          sql: "UPDATE replay_pack SET live = live + ? WHERE id = ?", arguments: [place.length, pack])
      }
    }
  }

  func places() throws -> [ReplayPacks.Place] {
    try store.pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT name, offset, length, checksum FROM replay_segment JOIN replay_pack ON replay_pack.id = pack
          ORDER BY replay_segment.id
          """
      ).compactMap(ReplayPacks.Place.init)
    }
  }
}

extension CRC32C {
  static func checksum(of bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum(of: $0) } }
}
