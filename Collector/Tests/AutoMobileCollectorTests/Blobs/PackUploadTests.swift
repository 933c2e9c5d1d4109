import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Replays in an S3 store` {
  /// Options with packs so small that each segment fills one.
  private static func adjust(_ server: S3Server, _ prefix: String) throws -> (inout CollectorOptions) -> Void {
    let place = BlobPlace.s3(try server.settings(prefix))
    return {
      $0.blobs = place
      $0.blobCredentials = S3Server.credentials
      $0.packBytes = 10
      $0.packSeconds = 0.2
    }
  }

  private static func segments(_ collector: RunningCollector, _ sender: ReplaySender) async throws -> [String] {
    try await collector.json("/api/replays/\(sender.replay)")["segments"].array.compactMap { $0["id"].string }
  }

  private static func content(
    _ collector: RunningCollector, _ sender: ReplaySender, _ segment: String
  ) async throws -> RunningCollector.Answer {
    try await collector.get("/api/replays/\(sender.replay)/segments/\(segment)")
  }

  private static func localPacks(_ directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.appending(path: "packs").path)
  }

  private static func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isDone() {
      try #require(ContinuousClock.now < deadline, "waited in vain: \(what)")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private static func objects(_ blobs: S3Blobs) async throws -> [BlobEntry] {
    try await blobs.list(.replays, after: nil)
  }

  @Test func `are read before and after they are there, by a collector that has been started anew, too`() async throws {
    let server = try await S3Server.shared
    let directory = try TemporaryDirectory()
    let prefix = BlobName.unique()
    let sent = (0..<5).map { ReplaySender.Segment("picture \($0)", at: Int64($0)) }
    let replay = UUID().uuidString
    try await RunningCollector.with(directory: directory.url, Self.adjust(server, prefix)) { collector in
      let sender = ReplaySender(collector: collector, replay: replay)
      for segment in sent {
        #expect(try await sender.upload(segment) == [200, 204, 200])
        let answer = try await Self.content(collector, sender, segment.id)
        #expect(answer.status == 200 && answer.body == segment.body)
      }
      try await Self.wait("everything is there") { try Self.localPacks(directory.url).isEmpty }
      #expect(try await Self.objects(server.client(prefix: prefix)).count == 5)
      for segment in sent {
        #expect(try await Self.content(collector, sender, segment.id).body == segment.body)
      }
    }
    try await RunningCollector.with(directory: directory.url, Self.adjust(server, prefix)) { collector in
      let sender = ReplaySender(collector: collector, replay: replay)
      let found = try await Self.segments(collector, sender)
      #expect(found == sent.map(\.id))
      for segment in sent {
        let answer = try await Self.content(collector, sender, segment.id)
        #expect(answer.body == segment.body)
      }
    }
    // Another place has none of it.
    #expect {
      try Collector(CollectorOptions(dataDirectory: directory.url))
    } throws: { error in
      error as? CollectorError == .blobsElsewhere(known: "s3://bucket/\(prefix)", given: "folder")
    }
  }

  @Test func `go on to be taken while the store is gone, and follow by themselves`() async throws {
    let server = try await S3Server()
    let directory = try TemporaryDirectory()
    let prefix = BlobName.unique()
    let adjust = try Self.adjust(server, prefix)
    let early = ReplaySender.Segment("early", at: 0)
    let late = ReplaySender.Segment("late", at: 5)
    let last = ReplaySender.Segment("last", at: 9)
    let replay = UUID().uuidString
    try await RunningCollector.with(directory: directory.url) {
      adjust(&$0)
      // Room for one more while nothing leaves.
      $0.limits.packBacklogBytes = Int64(late.body.readableBytes + 4)
    } _: { collector in
      let sender = ReplaySender(collector: collector, replay: replay)
      #expect(try await sender.upload(early) == [200, 204, 200])
      try await Self.wait("it is there") { try Self.localPacks(directory.url).isEmpty }
      server.kill()
      #expect(try await sender.upload(late) == [200, 204, 200])
      #expect(try await Self.content(collector, sender, late.id).body == late.body)
      let away = try await Self.content(collector, sender, early.id)
      #expect(
        away.status == 503 && away.errorCode == "blobs_unavailable" && away.headers.first(name: "Retry-After") != nil)
      // And not where the store is.
      #expect(away.text.contains("does not answer") && !away.text.contains("127.0.0.1"), "\(away.text)")
      #expect(try await sender.presign(last).status == 200)
      let full = try await sender.put(last.id, last.body)
      #expect(full.status == 429 && full.headers.first(name: "Retry-After") == "30")
      try await collector.wait(for: "/health") { $0["blobs"].string?.contains("wait") == true }
    }
    // One that starts meanwhile goes on as well.
    try await RunningCollector.with(directory: directory.url, adjust) { collector in
      let sender = ReplaySender(collector: collector, replay: replay)
      #expect(try await Self.content(collector, sender, late.id).body == late.body)
      #expect(try await sender.upload(last) == [200, 204, 200])
      try await server.start()
      try await Self.wait("the backlog drains") { try Self.localPacks(directory.url).isEmpty }
      for segment in [early, late, last] {
        #expect(try await Self.content(collector, sender, segment.id).body == segment.body)
      }
      #expect(try await Self.objects(server.client(prefix: prefix)).count == 3)
      #expect(try await collector.json("/health")["status"].string == "ok")
    }
  }

  @Test func `are removed there, too, when nothing of them is needed any more`() async throws {
    let blobs = try await S3Server.shared.client()
    let kept = try KeptPacks(size: 100, blobs: blobs)
    let places = try (0..<3).map { try kept.append(ByteBuffer(repeating: UInt8($0), count: 100)) }
    try kept.refer(to: places)
    kept.packs.spool.seal(after: 0)
    #expect(await kept.uploads.drain())
    #expect(try await Self.objects(blobs).count == 3)
    try await kept.store.pool.write {
      try $0.execute(sql: "UPDATE replay_pack SET live = 0 WHERE name = ?", arguments: [places[1].pack.file])
    }
    try await ReplayEraser.sweep(kept.store, kept.packs)
    #expect(try await Set(Self.objects(blobs).map(\.name)) == [places[0].pack, places[2].pack])
    #expect(try await kept.packs.read(places[2]) == ByteBuffer(repeating: 2, count: 100))
  }

  @Test func `a store that is not there is told at the start`() async throws {
    let server = try await S3Server.shared
    for (text, reason) in [
      ("s3://no-bucket?endpoint=\(server.endpoint)", "there is no bucket"),
      ("s3://bucket?endpoint=http://127.0.0.1:1", "does not answer"),
    ] {
      let directory = try TemporaryDirectory()
      var options = CollectorOptions(dataDirectory: directory.url)
      options.port = 0
      options.blobs = try BlobPlace(text)
      options.blobCredentials = S3Server.credentials
      let collector = try Collector(options, logger: RunningCollector.quiet)
      await #expect {
        try await collector.run()
      } throws: { "\($0)".contains(reason) }
    }
  }

  @Test func `symbols and sources come from there`() async throws {
    let server = try await S3Server.shared
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    let prefix = BlobName.unique()
    try await RunningCollector.with(directory: directory.url, Self.adjust(server, prefix)) { collector in
      let added = try await collector.addSymbols(program.path)
      #expect(added.status == 200, "\(added.text)")
      let blobs = try server.client(prefix: prefix)
      #expect(try await blobs.list(.symbols, after: nil).count == 1)
      // What was received is gone; nobody has asked for it yet.
      let cache = directory.url.appending(path: "cache/symbols").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)
      try await Self.expectLine(collector, program)
      #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 1)
    }
    // Copies are no more than that.
    try FileManager.default.removeItem(at: directory.url.appending(path: "cache"))
    try await RunningCollector.with(directory: directory.url, Self.adjust(server, prefix)) { collector in
      try await Self.expectLine(collector, program)
      #expect(try await collector.send(.DELETE, "/api/symbols/\(program.buildID)").status == 200)
      #expect(try await server.client(prefix: prefix).list(.symbols, after: nil).isEmpty)
    }
  }

  private static func expectLine(_ collector: RunningCollector, _ program: CrashedProgram) async throws {
    var batch = RawBatch()
    batch.addContext(1, session: UUID().uuidString)
    batch.addCrash(program.report())
    try await collector.post(raw: batch)
    let event = try await collector.crash(batch, count: 1)
    let frame = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"][0]
    #expect(frame["function"].string == "Cart.price(at:)" && frame["line"].int == 11, "\(frame)")
  }
}
