import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

private typealias Cluster = `Collectors with their telemetry in ClickHouse`

/// What a device sends of a replay, behind a balancer that gives each request to another collector.
@Suite(
  .enabled(if: ClickHouseServer.program != nil && SharedState.isThere, "\(ClickHouseServer.missing)"),
  .timeLimit(.minutes(10)))
struct `Replays through a balancer` {
  private static func with(_ body: @escaping @Sendable ([RunningCollector]) async throws -> Void) async throws {
    let share = try await Cluster.shared()
    let settings = try await S3Server.shared.settings()
    try await SharedState.with { database in
      let all: @Sendable (inout CollectorOptions) -> Void = {
        share(&$0)
        ($0.blobs, $0.blobCredentials) = (.s3(settings), S3Server.credentials)
        $0.packSeconds = 1
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      }
      try await RunningCollector.with(all) { one in
        try await RunningCollector.with(all) { two in
          try await RunningCollector.with(all) { three in try await body([one, two, three]) }
        }
      }
    }
  }

  /// Where a segment goes, as the routes have it.
  private static func place(_ answer: RunningCollector.Answer) throws -> String {
    let url = try #require(try answer.json()["uploadUrl"].string)
    return String(try #require(url.split(separator: "/").last))
  }

  @Test func `are taken in, and shown by all, whoever gets which request`() async throws {
    try await Self.with { collectors in
      let replay = UUID().uuidString
      let senders = collectors.map { ReplaySender(collector: $0, replay: replay, sessions: ["s-1"]) }
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addLog("on the screen")
      #expect(try await collectors[0].post(raw: batch).status == 200)
      let segments = (0..<3).map { ReplaySender.Segment("picture \($0)", at: Int64($0)) }
      for (index, segment) in segments.enumerated() {
        let place = try Self.place(try await senders[index].presign(segment))
        #expect(try await senders[(index + 1) % 3].put(place, segment.body).status == 204)
        #expect(try await senders[(index + 2) % 3].complete(segment).json()["success"].bool == true)
        // It is here, whoever is told of it again.
        #expect(try await senders[(index + 1) % 3].presign(segment).json()["skipUpload"].bool == true)
      }
      #expect(try await senders[2].end()["ignored"].bool != true)
      for collector in collectors {
        let found = try await collector.wait(for: "/api/sessions/s-1/replays") {
          $0["replays"].array.first?["segments"].array.count == 3 && $0["replays"][0]["endedAt"].int != nil
        }
        #expect(found["replays"].array.count == 1)
      }
    }
  }

  @Test func `take nothing under an address that they did not give out`() async throws {
    try await Self.with { collectors in
      let senders = collectors.map { ReplaySender(collector: $0, sessions: ["s-1"]) }
      let segment = ReplaySender.Segment("a picture")
      let place = try Self.place(try await senders[0].presign(segment))
      let other = ReplaySender.Segment("another picture")
      let claim = String(try #require(place.split(separator: "=").last))
      let forged = String(claim.dropLast()) + (claim.last == "0" ? "1" : "0")
      for wrong in ["\(other.id)?announced=\(claim)", "\(segment.id)?announced=\(forged)", segment.id] {
        #expect(try await senders[1].put(wrong, segment.body).status == 404, "\(wrong)")
      }
      // Another app's.
      var stranger = senders[1]
      stranger.bundle = "dev.example.other"
      #expect(try await stranger.put(place, segment.body).status == 404)
      // Not what was announced.
      #expect(try await senders[1].put(place, segment.body).status == 204)
    }
  }
}
