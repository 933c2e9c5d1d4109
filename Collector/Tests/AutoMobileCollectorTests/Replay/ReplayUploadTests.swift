import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Uploading a replay` {
  @Test func `a segment comes back as it was sent, by either id`() async throws {
    try await RunningCollector.with { collector in
      var sender = ReplaySender(collector: collector)
      sender.sessions = ["telemetry 1", "telemetry 2"]
      let pictures = ReplaySender.Segment("AMF1 and so on")
      let lines = ReplaySender.Segment("{\"t\":1}\n", at: 2, kind: "hierarchy")
      #expect(try await sender.upload(pictures) == [200, 204, 200])
      #expect(try await sender.upload(lines) == [200, 204, 200])
      for path in ["/api/sessions/\("telemetry 2".inQuery)/replays", "/api/sessions/\("telemetry 1".inQuery)/replays"] {
        let replay = try await collector.json(path)["replays"][0]
        #expect(replay["replayId"].string == sender.replay)
        #expect(replay["segments"].array.map { $0["id"].string } == [pictures.id, lines.id])
        #expect(replay["frames"].int == 3)
        #expect(replay["telemetrySessionIds"].array.count == 2)
      }
      let path = "/api/replays/\(sender.replay)/segments/\(pictures.id)"
      let answer = try await collector.get(path)
      #expect(answer.headers.first(name: "Content-Encoding") == "gzip")
      #expect(answer.body == pictures.body)
      #expect(answer.headers.first(name: "Content-Type") == "application/octet-stream")
      #expect(try await collector.get(path, headers: [("If-None-Match", "\"\(pictures.id)\"")]).status == 304)
      #expect(try await collector.json("/api/replays/\(sender.replay)")["first"].int == Int(pictures.first))
    }
  }

  @Test func `frames of a later version of the format are refused, and the answer says what to do`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      for (at, text) in ["AMF1 is read", "AMF2 is read", "AMF, which is nothing", "AM"].enumerated() {
        #expect(try await sender.upload(ReplaySender.Segment(text, at: Int64(at))) == [200, 204, 200], "\(text)")
      }
      for (at, text) in ["AMF3 is not", "AMF0", "AMF9"].enumerated() {
        let segment = ReplaySender.Segment(text, at: Int64(at))
        _ = try await sender.presign(segment)
        let answer = try await sender.put(segment.id, segment.body)
        #expect(answer.status == 400 && answer.errorCode == "newer_frame_format", "\(text)")
        #expect(answer.text.contains("reads 1 to 2: update the collector"))
      }
      #expect(try await collector.json("/api/replays/\(sender.replay)")["segments"].array.count == 4)
    }
  }

  @Test func `a segment that comes in parts is one that grows`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let head = ReplaySender.Segment("key frame, ")
      var (second, third) = (ReplaySender.Segment("then this, ", at: 4), ReplaySender.Segment("then that", at: 8))
      (second.continues, third.continues) = (head.id, head.id)
      let path = "/api/replays/\(sender.replay)/segments/\(head.id)"
      #expect(try await sender.upload(head) == [200, 204, 200])
      let first = try await collector.get(path + "?parts=1")
      #expect(first.headers.first(name: "Cache-Control")?.contains("immutable") == true)
      #expect(try await collector.get(path).headers.first(name: "Cache-Control") == "private, no-cache")
      // In any order: they are told apart by their times.
      #expect(try await sender.upload(third) == [200, 204, 200])
      #expect(try await sender.upload(second) == [200, 204, 200])
      let replay = try await collector.json("/api/replays/\(sender.replay)")
      #expect(replay["frames"].int == 9)
      let segments = replay["segments"].array
      #expect(segments.map { $0["id"].string } == [head.id])
      #expect(segments[0]["parts"].int == 3 && segments[0]["frames"].int == 9)
      #expect(segments[0]["last"].int == Int(third.last))
      let whole = try await collector.get(path)
      #expect(whole.text == "key frame, then this, then that")
      #expect(whole.headers.first(name: "Content-Encoding") == nil)
      #expect(try await collector.get(path + "?parts=2").text == "key frame, then this, ")
      #expect(try await collector.get(path + "?parts=1").body == head.body)
      #expect(try await collector.get(path, headers: [("If-None-Match", "\"\(head.id)-3\"")]).status == 304)
    }
  }

  @Test func `a part of what is not here is not shown, and one of itself is refused`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      var lost = ReplaySender.Segment("lost")
      lost.continues = ReplaySender.Segment("never sent").id
      let statuses = try await sender.upload(lost)
      #expect(statuses == [200, 204, 200])
      #expect(try await collector.json("/api/replays/\(sender.replay)")["segments"].array.isEmpty)
      for name in ["x", lost.id, ""] {
        lost.continues = name
        #expect(try await sender.presign(lost).errorCode == "invalid_continues", "\(name)")
      }
    }
  }

  @Test func `lines come in parts too, and one whose segment is not here stands by itself`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let pictures = ReplaySender.Segment("frames")
      let head = ReplaySender.Segment("{\"t\":1}\n", kind: "hierarchy")
      var second = ReplaySender.Segment("{\"t\":2}\n", at: 4, kind: "hierarchy")
      var others = ReplaySender.Segment("{\"t\":3}\n", at: 5, kind: "events")
      var alone = ReplaySender.Segment("{\"t\":4}\n", at: 6, kind: "events")
      second.continues = head.id
      // Of another kind: it goes on from nothing.
      others.continues = pictures.id
      alone.continues = ReplaySender.Segment("never sent").id
      for segment in [pictures, head, second, others, alone] {
        #expect(try await sender.upload(segment) == [200, 204, 200])
      }
      let segments = try await collector.json("/api/replays/\(sender.replay)")["segments"].array
      #expect(Set(segments.map { $0["id"].string }) == [pictures.id, head.id, others.id, alone.id])
      #expect(segments.map { $0["parts"].int ?? 0 }.sorted() == [1, 1, 1, 2])
      let path = "/api/replays/\(sender.replay)/segments/"
      #expect(try await collector.get(path + "\(head.id)?parts=2").text == "{\"t\":1}\n{\"t\":2}\n")
      #expect(try await collector.get(path + pictures.id).body == pictures.body, "nothing of another kind is in it")
      #expect(try await collector.get(path + alone.id).body == alone.body)
    }
  }

  @Test func `each step can be repeated, and the segment is there once`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let segment = ReplaySender.Segment("once")
      for _ in 0..<2 { #expect(try await sender.presign(segment).json()["uploadUrl"].string != nil) }
      for _ in 0..<3 { #expect(try await sender.put(segment.id, segment.body).status == 204) }
      #expect(try await sender.complete(segment).json()["alreadyCompleted"].bool == nil)
      #expect(try await sender.complete(segment).json()["alreadyCompleted"].bool == true)
      let again = try await sender.presign(segment).json()
      #expect(again["skipUpload"].bool == true && again["reason"].string == "already_uploaded")
      let replay = try await collector.json("/api/replays/\(sender.replay)")
      #expect(replay["segments"].array.count == 1)
      #expect(replay["bytes"].int == segment.body.readableBytes)
      #expect(replay["frames"].int == 3)
    }
  }

  @Test func `the same segment from many senders at once is there once`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      let segment = ReplaySender.Segment("once")
      _ = try await sender.presign(segment)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await sender.put(segment.id, segment.body).status } }
        for try await status in group { #expect(status == 204) }
      }
      let replay = try await collector.json("/api/replays/\(sender.replay)")
      #expect(replay["bytes"].int == segment.body.readableBytes)
    }
  }

  @Test func `an upload goes on after the collector was stopped in the middle`() async throws {
    let directory = try TemporaryDirectory()
    let segments = (0..<3).map { ReplaySender.Segment("number \($0)", at: Int64($0)) }
    let name = UUID().uuidString
    try await RunningCollector.with(directory: directory.url) { collector in
      let sender = ReplaySender(collector: collector, replay: name)
      for segment in segments { _ = try await sender.presign(segment) }
      #expect(try await sender.put(segments[0].id, segments[0].body).status == 204)
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let sender = ReplaySender(collector: collector, replay: name)
      let known = try await sender.presign(segments[0]).json()
      #expect(known["skipUpload"].bool == true)
      for segment in segments[1...] { #expect(try await sender.put(segment.id, segment.body).status == 204) }
      for segment in segments {
        #expect(try await sender.complete(segment).status == 200)
        #expect(try await collector.get("/api/replays/\(name)/segments/\(segment.id)").body == segment.body)
      }
    }
  }

  @Test(arguments: [
    ("segmentId", JSONTree.string("../../../../etc/passwd0000000000")),
    ("segmentId", .string("ABCDEF00112233445566778899aabbcc")),
    ("segmentId", .integer(7)), ("sessionId", .string("")), ("sessionId", .string(String(repeating: "x", count: 201))),
    ("sessionId", .string("a\u{0}b")), ("kind", .string("video")), ("startTime", .integer(-1)),
    ("endTime", .integer(.max)),
    ("endTime", .integer(0)), ("startTime", .string("now")), ("frameCount", .integer(-5)),
    ("frameCount", .number(1e300)),
    ("sizeBytes", .integer(0)), ("compression", .string("zstd")),
  ])
  func `what makes no sense is refused with the member's name`(member: String, value: JSONTree) async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      var body = sender.announcement(of: ReplaySender.Segment("x"))
      body[member] = value
      let answer = try await sender.post("segment/presign", body)
      #expect(answer.status == 400, "\(answer.text)")
      #expect(answer.errorCode?.hasPrefix("invalid_") == true)
    }
  }

  @Test func `bodies that are too large, damaged or a bomb are refused, and leave nothing`() async throws {
    try await RunningCollector.with {
      $0.limits.bodyBytes = 64 << 10
      $0.limits.decompressedBytes = 1 << 20
    } _: { collector in
      let sender = ReplaySender(collector: collector)
      var segment = ReplaySender.Segment("x")
      _ = try await sender.presign(segment)
      let bomb = gzip([UInt8](repeating: 0, count: 2 << 20))
      #expect(bomb.readableBytes < 64 << 10)
      #expect(try await sender.put(segment.id, bomb).status == 413)
      let large = ByteBuffer(repeating: 7, count: 65 << 10)
      #expect(try await sender.put(segment.id, large).status == 413)
      #expect(try await sender.put(segment.id, ByteBuffer(string: "no gzip at all")).status == 400)
      var half = segment.body
      half.moveWriterIndex(to: half.writerIndex - 5)
      #expect(try await sender.put(segment.id, half).status == 400)
      #expect(try await sender.put(segment.id, ByteBuffer()).status == 400)
      #expect(try await sender.put(segment.id, segment.body, type: "text/plain").status == 415)
      #expect(try await sender.complete(segment).status == 404)
      #expect(try await collector.json("/api/replays/\(sender.replay)")["segments"].array.isEmpty)
      #expect(try await sender.put(segment.id, segment.body).status == 204)
      segment.body = large
      segment.id = String(repeating: "0", count: 32)
      #expect(try await sender.presign(segment).status == 413)
    }
  }

  @Test func `paths lead nowhere`() async throws {
    try await RunningCollector.with { collector in
      let sender = ReplaySender(collector: collector)
      for id in ["..%2F..%2Flock", "%00", "x", String(repeating: "a", count: 5000), String(repeating: "g", count: 32)] {
        let answer = try await sender.put(id, gzip([1]))
        #expect(answer.status == 400 || answer.status == 404, "\(id.prefix(40)): \(answer.status)")
        let asked = try await collector.get("/api/replays/x/segments/\(id)")
        #expect(asked.status == (id == "%00" ? 400 : 404), "\(id.prefix(40))")
      }
      #expect(try await sender.put(String(repeating: "0", count: 32), gzip([1])).errorCode == "unknown_segment")
      #expect(try await collector.get("/api/replays/nobody").status == 404)
      #expect(try await collector.json("/api/sessions/nobody/replays")["replays"].array.isEmpty)
    }
  }

  @Test func `packs stay small, and a damaged one is told`() async throws {
    let kept = try KeptPacks(size: 1000)
    let places = try (0..<10).map { try kept.append(ByteBuffer(repeating: UInt8($0), count: 300)) }
    let large = try kept.append(ByteBuffer(repeating: 9, count: 5000))
    let numbers = places.map { place in places.firstIndex { $0.pack == place.pack } }
    #expect(numbers == [0, 0, 0, 3, 3, 3, 6, 6, 6, 9])
    #expect(try await kept.packs.read(large).readableBytes == 5000)
    for (index, place) in places.enumerated() {
      #expect(try await kept.packs.read(place) == ByteBuffer(repeating: UInt8(index), count: 300))
    }
    let file = kept.directory.url.appending(path: "packs/\(places[3].pack.file)")
    var bytes = try Data(contentsOf: file)
    bytes[310] ^= 1
    try bytes.write(to: file)
    #expect(try await kept.packs.read(places[3]).readableBytes == 300)
    await #expect { try await kept.packs.read(places[4]) } throws: { ($0 as? BlobError)?.kind == .damaged }
    try kept.packs.spool.remove(places[0].pack)
    await #expect { try await kept.packs.read(places[0]) } throws: { ($0 as? BlobError)?.kind == .missing }
    // After a start nothing that is there is written over.
    let again = try PackSpool(directory: kept.directory.url.appending(path: "packs").path, size: 10_000)
    let new = try again.append(ByteBuffer(string: "new"))
    #expect(!(places + [large]).map(\.pack).contains(new.pack) && new.offset == 0)
    #expect(try again.read(large)?.readableBytes == 5000)
  }
}
