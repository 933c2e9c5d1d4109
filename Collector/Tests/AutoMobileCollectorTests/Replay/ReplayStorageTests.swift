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

  @Test func `a pack that is mostly holes is rewritten, and what is left in it can still be read`() throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let packs = try ReplayPacks(directory: directory.url.appending(path: "packs").path, size: 1000)
    var places: [ReplayPacks.Place] = []
    // Ten bodies fill a pack; of the first pack only the last body is still needed.
    for index in 0..<20 {
      places.append(try packs.append(ByteBuffer(repeating: UInt8(index), count: 100)))
    }
    #expect(places[9].pack == 1 && places[10].pack == 2)
    let needed = Array(places[9...])
    try store.pool.write { database in
      for (index, place) in needed.enumerated() {
        try database.execute(
          sql: """
            INSERT INTO replay_segment(owner, segmentId, replay, kind, first, last, frames, announced, received, pack, offset, length, checksum)
            VALUES (1, ?, 1, 'screenshots', 0, 1, 1, 100, 0, ?, ?, ?, ?)
            """, arguments: ["s\(index)", place.pack, place.offset, place.length, place.checksum])
      }
      try database.execute(sql: "INSERT INTO replay_pack VALUES (1, 100), (2, 1000)")
    }
    #expect(try ReplayEraser.compact(store, packs) == 1)
    try ReplayEraser.sweep(store, packs)
    #expect(Set(packs.all) == [2, 3])
    let moved = try store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT pack, offset, length, checksum FROM replay_segment ORDER BY id")
    }.map { ReplayPacks.Place(pack: $0[0], offset: $0[1], length: $0[2], checksum: $0[3]) }
    #expect(moved.map(packs.read) == (9..<20).map { ByteBuffer(repeating: UInt8($0), count: 100) })
    let live = try store.pool.read { try Int64.fetchAll($0, sql: "SELECT live FROM replay_pack ORDER BY id") }
    #expect(live == [1000, 100])
    // Nothing is left to do.
    #expect(try ReplayEraser.compact(store, packs) == 0)
  }
}
