import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// What the key of one app cannot do to another.
@Suite struct `Two projects` {
  @Test func `neither reads nor empties what the other delivered`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      let event = #"{"eventType":"log","timestamp":1,"message":"secret of the first"}"#
      try await collector.post(envelope: envelope([event], bundleId: TwoProjects.first), headers: projects.first)
      for key in [projects.first, projects.second] {
        let answer = try await collector.get("/sdk-events", headers: key)
        #expect(answer.status == 403 && answer.errorCode == "ingest_only")
      }
      let other = try await collector.get(
        "/sdk-events?bundleId=\(TwoProjects.second)", headers: TwoProjects.operatorKey)
      #expect(try other.json().array.isEmpty)
      let own = try await collector.get("/sdk-events", headers: TwoProjects.operatorKey)
      #expect(try own.json().array.count == 1)
    }
  }

  @Test func `a token is good for the app that it was given out for, and for uploads only`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      let made = try await collector.post(
        "/api/ingest/auth/device", #"{"deviceId":"d"}"#, headers: projects.first)
      let token = [("Authorization", "Bearer \(try #require(try made.json()["uploadToken"].string))")]
      for path in [
        "/sdk-config?bundleId=\(TwoProjects.second)", "/sdk-commands?bundleId=\(TwoProjects.second)&launchId=a&wait=0",
        "/api/sdk/config", "/sdk-config?bundleId=\(TwoProjects.first)", "/api/sessions",
      ] {
        let answer = try await collector.get(path, headers: token)
        #expect(answer.status == 403 && answer.errorCode == "upload_only", "\(path)")
      }
      let delivered = try await collector.post(
        envelope: envelope(["{}"], bundleId: TwoProjects.second), headers: token)
      #expect(delivered.status == 403)
      let renewed = try await collector.post("/api/ingest/auth/device", #"{"deviceId":"d"}"#, headers: token)
      #expect(renewed.status == 403)
      var sender = ReplaySender(collector: collector)
      sender.token = String(token[0].1.dropFirst("Bearer ".count))
      sender.bundle = TwoProjects.second
      let foreign = try await sender.presign(ReplaySender.Segment("one"))
      #expect(foreign.status == 403 && foreign.errorCode == "wrong_app")
      sender.bundle = TwoProjects.first
      #expect(try await sender.upload(ReplaySender.Segment("one")) == [200, 204, 200])
    }
  }

  @Test func `neither gets the other's commands or configuration, nor answers for it`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      for path in [
        "/sdk-config?bundleId=\(TwoProjects.first)", "/sdk-commands?bundleId=\(TwoProjects.first)&launchId=a",
      ] {
        let answer = try await collector.get(path, headers: projects.second)
        #expect(answer.status == 403 && answer.errorCode == "wrong_app", "\(path)")
      }
      let document = #"{"mocks":{"rules":[]},"recording":{"enabled":true}}"#
      _ = try await collector.replace(
        "/api/config/\(TwoProjects.first)", with: document, headers: TwoProjects.operatorKey)
      let unnamed = try await collector.get("/sdk-config", headers: projects.second)
      #expect(unnamed.status == 200 && !unnamed.text.contains("mocks"))
      // Both ask under the same launch's name; the operator means the first.
      async let asked = collector.get(
        "/sdk-commands?bundleId=\(TwoProjects.first)&launchId=same&wait=20", headers: projects.first)
      async let eavesdropping = collector.get(
        "/sdk-commands?bundleId=\(TwoProjects.second)&launchId=same&wait=2", headers: projects.second)
      try await projects.wait(for: "/api/commands") { $0["listeners"].array.count == 2 }
      async let command = collector.post(
        "/api/commands", #"{"command":"sql","bundleId":"\#(TwoProjects.first)","timeoutSeconds":20}"#,
        headers: TwoProjects.operatorKey)
      let question = try await asked
      #expect(question.status == 200)
      let id = try #require(try question.json()["commands"].array.first?["id"].string)
      let path = "/sdk-commands/\(id)/result?launchId=same"
      #expect(try await collector.post(path, #"{"ok":"forged"}"#, headers: projects.second).status == 404)
      #expect(try await collector.post(path, #"{"ok":"true"}"#, headers: projects.first).status == 200)
      #expect(try await command.json()["answer"]["ok"].string == "true")
      #expect(try await eavesdropping.status == 204)
    }
  }

  @Test func `have two sessions, launches and replays, although they give them the same names`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      let launch = LaunchID()
      func deliver(_ bundle: String, _ key: [(String, String)], _ message: String) async throws {
        var batch = RawBatch(launch: launch, bundleId: bundle)
        batch.add(
          .context, #"{"contextId":1,"sessionId":"s-1","userId":"user of \#(bundle)","bundleId":"com.example.first"}"#)
        batch.addLog(message)
        #expect(try await collector.post(raw: batch, headers: key).status == 200)
      }
      try await deliver(TwoProjects.first, projects.first, "of the first")
      try await projects.wait(for: "/api/sessions") { $0["sessions"].array.count == 1 }
      // The same launch, position and session, and it says that it is the first.
      try await deliver(TwoProjects.second, projects.second, "of the second")
      let sessions = try await projects.wait(for: "/api/sessions") { $0["sessions"].array.count == 2 }["sessions"].array
      let first = try #require(sessions.first { $0["sessionId"].string == "s-1" })
      let second = try #require(sessions.first { $0["sessionId"].string == "s-1@\(TwoProjects.second)" })
      #expect(first["bundleId"].string == TwoProjects.first && first["userId"].string == "user of \(TwoProjects.first)")
      #expect(second["bundleId"].string == TwoProjects.second)
      #expect(first["events"].int == 1 && second["events"].int == 1)
      let events = try await projects.read("/api/sessions/s-1/events")["events"].array
      #expect(events.map { $0["payload"]["message"].string } == ["of the first"])
      let others = try await projects.read("/api/sessions/s-1@\(TwoProjects.second)/events")["events"].array
      #expect(others.map { $0["payload"]["message"].string } == ["of the second"])
      let launches = try await projects.read("/api/launches")["launches"].array
      #expect(Set(launches.map { $0["launchId"].string }) == [launch.description, "\(launch)@\(TwoProjects.second)"])
      // A replay that says that it is of that session.
      for (bundle, key) in [(TwoProjects.first, projects.first), (TwoProjects.second, projects.second)] {
        var sender = ReplaySender(collector: collector)
        (sender.replay, sender.sessions, sender.bundle) = ("r-1", ["s-1"], bundle)
        sender.token = String(key[0].1.dropFirst("Bearer ".count))
        #expect(try await sender.upload(ReplaySender.Segment("picture of \(bundle)")) == [200, 204, 200])
        // The same segment's name again, by the other.
        #expect(try await sender.upload(ReplaySender.Segment("same")) == [200, 204, 200])
      }
      for (session, bundle, replay) in [
        ("s-1", TwoProjects.first, "r-1"),
        ("s-1@\(TwoProjects.second)", TwoProjects.second, "r-1@\(TwoProjects.second)"),
      ] {
        let replays = try await projects.read("/api/sessions/\(session)/replays")["replays"].array
        #expect(replays.map { $0["bundleId"].string } == [bundle] && replays[0]["replayId"].string == replay)
        #expect(replays[0]["telemetrySessionIds"].array.map(\.string) == [session])
        #expect(try await projects.read("/api/replays/\(replay)")["segments"].array.count == 2)
      }
    }
  }

  @Test func `an envelope without a bundle id is its key's`() async throws {
    try await TwoProjects.with { projects in
      let event = Data(#"{"eventType":"log","timestamp":1,"message":"x","sessionId":"s-2"}"#.utf8).base64EncodedString()
      let text = #"{"events":[{"eventType":"log","payload":"\#(event)"}],"timestamp":1}"#
      #expect(try await projects.collector.post(envelope: text, headers: projects.second).status == 200)
      let session = try await projects.wait(for: "/api/sessions") { $0["sessions"].array.count == 1 }["sessions"].array[
        0]
      #expect(session["bundleId"].string == TwoProjects.second)
    }
  }

  @Test func `an issue of the one is none of the other's`() async throws {
    try await TwoProjects.with { projects in
      for (bundle, key) in [(TwoProjects.first, projects.first), (TwoProjects.second, projects.second)] {
        let event = #"""
          {"eventType":"handled_exception","timestamp":1,"exceptionClass":"E","customMessage":"m","bundleId":"com.example.first",\#
          "appVersion":"1"}
          """#
        #expect(
          try await projects.collector.post(envelope: envelope([event], bundleId: bundle), headers: key).status == 200)
      }
      let issues = try await projects.wait(for: "/api/issues") { $0["issues"].array.count == 2 }["issues"].array
      #expect(Set(issues.map { $0["bundleId"].string }) == [TwoProjects.first, TwoProjects.second])
    }
  }
}
