import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// What a session file says, and what it can do.
@Suite struct `A session file that claims too much` {
  private static let head = #"{"automobile":{"file":"session","version":1,"sessionId":"s-1"}}"#

  private static func take(_ lines: [String], _ collector: RunningCollector) async throws -> RunningCollector.Answer {
    let file = gzip(Array(lines.map { $0 + "\n" }.joined().utf8))
    return try await collector.send(
      .POST, "/api/import", headers: [("Content-Type", SessionFile.mediaType)], body: file)
  }

  /// A line with one event.
  private static func events(_ payload: String, launch: String = UUID().uuidString) -> String {
    let event = "{\"sequence\":0,\"payload\":\"\(Data(payload.utf8).base64EncodedString())\"}"
    return "{\"events\":{\"launchId\":\"\(launch)\",\"bundleId\":\"dev.example.shop\",\"events\":[\(event)]}}"
  }

  @Test func `changes no session, launch or replay but its own`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "mira")
      batch.addLog("of the app")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      var live = ReplaySender(collector: collector)
      live.sessions = ["s-1"]
      #expect(try await live.upload(ReplaySender.Segment("live")) == [200, 204, 200])
      let before = try await collector.json("/api/sessions/s-1")
      let forged = #"""
        {"eventType":"log","timestamp":5,"message":"forged","sessionId":"s-1","context":{"sessionId":"s-1","userId":"forger"}}
        """#
      let end = #"{"end":{"sessionId":"\#(live.replay)","endedAt":5,"telemetrySessionIds":["s-1"]}}"#
      let answer = try await Self.take(
        [Self.head, Self.events(forged, launch: batch.launch.description), end, #"{"complete":{"lines":3}}"#], collector
      )
      #expect(answer.status == 200, "\(answer.text)")
      let name = try #require(try answer.json()["sessionId"].string)
      #expect(name.hasPrefix("s-1@file-"))
      let own = try await collector.wait(for: "/api/sessions/\(name)") { $0["events"].int == 1 }
      #expect(own["userId"].string == "forger" && own["imported"]["at"].int != nil)
      #expect(try await collector.json("/api/sessions/s-1") == before)
      #expect(try await collector.json("/api/replays/\(live.replay)")["endedAt"] == .null)
      #expect(try await collector.json("/api/sessions/s-1/replays")["replays"].array.count == 1)
      #expect(try await collector.json("/api/sessions")["sessions"].array.count == 2)
    }
  }

  @Test func `leaves nothing behind when its last line is wrong`() async throws {
    let good = Self.events(#"{"eventType":"log","timestamp":5,"message":"x","sessionId":"s-1"}"#)
    let body = gzip(Array("frames".utf8))
    let content = Data(body.readableBytesView).base64EncodedString()
    let segment =
      "{\"segment\":{\"sessionId\":\"r\",\"segmentId\":\"\(String(repeating: "a", count: 32))\",\"kind\":\"screenshots\","
      + "\"startTime\":1,\"endTime\":2,\"frameCount\":1,\"sizeBytes\":\(body.readableBytes),"
      + "\"contentHash\":\"\(String(repeating: "0", count: 64))\",\"body\":\"\(content)\"}}"
    let wrong = [
      (Self.events(#"{"eventType":"log","timestamp":5,"sessionId":"another"}"#), "another session"),
      (Self.events(#"{"eventType":"log","timestamp":5}"#), "another session"),
      (Self.events(#"{"eventType":"log","sessionId":"s-1"}"#), "cannot be taken"),
      (segment, "contentHash"), (#"{"complete":{"lines":9}}"#, "counts other lines"),
    ]
    try await RunningCollector.with { collector in
      for (line, why) in wrong {
        let answer = try await Self.take([Self.head, good, line], collector)
        #expect(answer.status == 400 && answer.text.contains(why) && answer.text.contains("line 3 "), "\(answer.text)")
      }
      let unfinished = try await Self.take([Self.head, good], collector)
      #expect(unfinished.status == 400 && unfinished.errorCode == "truncated")
      #expect(try await collector.json("/api/launches")["launches"].array.isEmpty)
      #expect(try await collector.get("/api/sessions/s-1").status == 404)
      #expect(try FileManager.default.contentsOfDirectory(atPath: collector.directory.path + "/incoming").isEmpty)
    }
  }
}
