import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Summaries in session files.
@Suite struct `Summaries in files` {
  private static func take(_ body: ByteBuffer, _ collector: RunningCollector) async throws -> String {
    let answer = try await collector.send(
      .POST, "/api/import", headers: [("Content-Type", SessionFile.mediaType)], body: body)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try answer.json()["sessionId"].string)
  }

  @Test func `a session that has another name here than in its app is one session again, with its summary`()
    async throws
  {
    try await RunningCollector.with { collector in
      for bundle in ["com.example.one", "com.example.two"] {
        var batch = RawBatch(bundleId: bundle)
        batch.add(
          .context, "{\"contextId\":1,\"sessionId\":\"same\",\"appVersion\":\"2.1\",\"bundleId\":\"\(bundle)\"}")
        batch.addLog("one", at: Summary.start)
        batch.add(Summary(session: "same", events: ["log": 8]))
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 2)
      }
      var name = "same@com.example.two"
      // The second file is of a session that has been imported itself.
      for sessions in [3, 4] {
        name = try await Self.take(try await collector.get("/api/sessions/\(name)/file").body, collector)
        let session = try await collector.told(name) { $0["events"].int == 1 }
        #expect(session["summary"]["events"].int == 8 && session["imported"]["at"].int != nil)
        let list = try await collector.json("/api/sessions")["sessions"].array
        #expect(list.count == sessions)
        #expect(list.filter { $0["imported"] != .null }.count == sessions - 2)
        #expect(try await collector.json("/api/health")["sessions"]["count"].int == sessions)
      }
    }
  }

  @Test func `a summary in a file is about the session of the file, whatever it says`() async throws {
    try await RunningCollector.with { collector in
      let payload = "{\(Summary(session: "another").members),\"sessionId\":\"s-1\"}"
      let event = "{\"sequence\":0,\"payload\":\"\(Data(payload.utf8).base64EncodedString())\"}"
      let lines = [
        #"{"automobile":{"file":"session","version":1,"sessionId":"s-1"}}"#,
        "{\"events\":{\"launchId\":\"\(UUID().uuidString)\",\"bundleId\":\"dev.example.shop\",\"events\":[\(event)]}}",
        #"{"complete":{"lines":2}}"#,
      ]
      let name = try await Self.take(gzip(Array(lines.map { $0 + "\n" }.joined().utf8)), collector)
      #expect(try await collector.told(name)["summary"]["events"].int == 109)
      #expect(try await collector.json("/api/sessions")["sessions"].array.count == 1)
    }
  }
}
