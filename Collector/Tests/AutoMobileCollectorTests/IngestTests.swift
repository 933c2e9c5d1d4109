import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Deliveries in both formats` {
  @Test func `a raw batch becomes a session with its events in order`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "ada", tags: ["plan": "pro"])
      batch.addNavigation(to: "Home", at: 1000)
      batch.addLog("hello \\\"world\\\"", at: 1001, level: 4)
      batch.addNavigation(to: "Cart", at: 1002)
      let answer = try await collector.post(raw: batch)
      #expect(answer.status == 200)
      #expect(try answer.json()["accepted"].int == 3)
      #expect(answer.headers["Accept-Post"] == [IngestRoutes.formats])
      try await collector.waitForLaunch(batch.launch, stored: 3)

      let session = try await collector.json("/api/sessions")["sessions"][0]
      #expect(session["sessionId"].string == "s-1")
      #expect(session["bundleId"].string == "dev.example.shop")
      #expect(session["appVersion"].string == "2.1")
      #expect(session["userId"].string == "ada")
      #expect(session["tags"]["plan"].string == "pro")
      #expect(session["device"]["model"].string == "iPhone15,2")
      #expect(session["launches"][0].string == batch.launch.description)
      #expect(session["first"].int == 1000)
      #expect(session["last"].int == 1002)
      #expect(session["events"].int == 3)
      #expect(session["counts"]["navigation"].int == 2)
      #expect(session["errors"].int == 1)
      #expect(session["live"].bool == true)
      #expect(session["lastScreen"].string == "Cart")

      let events = try await collector.json("/api/sessions/s-1/events")["events"].array
      #expect(events.map { $0["timestamp"].int } == [1000, 1001, 1002])
      #expect(events.map { $0["eventType"].string } == ["navigation", "log", "navigation"])
      #expect(events[1]["payload"]["message"].string == "hello \"world\"")
      #expect(events[1]["context"]["userId"].string == "ada")
    }
  }

  @Test func `an envelope of AutoMobile's own SDK is kept, and a retry of it adds nothing`() async throws {
    try await RunningCollector.with { collector in
      let text = envelope([
        #"{"eventType":"custom","timestamp":5,"name":"a/b?c>>>","properties":{},"sessionId":"s-9"}"#,
        #"{"eventType":"custom","timestamp":6,"name":"second","properties":{}}"#,
      ])
      let first = try await collector.post(envelope: text)
      #expect(first.status == 200)
      #expect(try first.json()["ok"].bool == true)
      #expect(try first.json()["accepted"].int == 2)
      try await collector.post(envelope: text)
      let launch = try await collector.wait(for: "/api/launches") { $0["launches"][0]["duplicates"].int == 2 }
      #expect(launch["launches"][0]["stored"].int == 2)
      #expect(launch["launches"][0]["bundleId"].string == "dev.example.other")

      let named = try await collector.json("/api/sessions/s-9/events")["events"]
      #expect(named.array.count == 1)
      #expect(named[0]["payload"]["name"].string == "a/b?c>>>")
      let id = try #require(launch["launches"][0]["launchId"].string)
      let unnamed = try await collector.json("/api/sessions/launch:\(id)/events")["events"]
      #expect(unnamed[0]["payload"]["name"].string == "second")
    }
  }

  @Test func `equal events of one envelope are kept both`() async throws {
    try await RunningCollector.with { collector in
      let event = #"{"eventType":"log","timestamp":5,"message":"twice"}"#
      try await collector.post(envelope: envelope([event, event]))
      try await collector.wait(for: "/api/launches") { $0["launches"][0]["stored"].int == 2 }
    }
  }

  @Test func `an event that came as an envelope and comes again raw is one event`() async throws {
    try await RunningCollector.with { collector in
      let launch = LaunchID()
      var batch = RawBatch(launch: launch, from: 4096)
      batch.addLog("once")
      let expanded = #"{"eventType":"log","timestamp":1700000000000,"message":"once","sessionId":"s"}"#
      try await collector.post(
        envelope: envelope([expanded], bundleId: "dev.example.shop", launch: launch, sequences: [4096]))
      try await collector.post(raw: batch)
      let row = try await collector.wait(for: "/api/launches") { $0.launch(launch)["duplicates"].int == 1 }
      #expect(row.launch(launch)["stored"].int == 1)
    }
  }

  @Test func `unknown event types and fields are kept as they are`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.add(.event, #"{"eventType":"quantum_flip","timestamp":7,"spin":{"up":[1,2.5e3,null,true]},"né":"ü😀"}"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let event = try await collector.json("/api/events?type=quantum_flip")["events"][0]
      #expect(event["payload"]["spin"]["up"][1].int == 2500)
      #expect(event["payload"]["né"].string == "ü😀")
    }
  }

  @Test func `a batch that overlaps one that is there adds only what is new`() async throws {
    try await RunningCollector.with { collector in
      let launch = LaunchID()
      var first = RawBatch(launch: launch)
      for index in 0..<10 { first.addLog("m\(index)", context: nil) }
      try await collector.post(raw: first)
      var second = RawBatch(launch: launch)
      for index in 0..<15 { second.addLog("m\(index)", context: nil) }
      try await collector.post(raw: second)
      let row = try await collector.waitForLaunch(launch, stored: 15)
      #expect(row["stored"].int == 15)
      #expect(row["duplicates"].int == 10)
      // Nothing new in it: answered from memory.
      let third = try await collector.post(raw: first)
      #expect(try third.json()["duplicates"].int == 10)
      #expect(try third.json()["accepted"].int == 0)
    }
  }

  @Test func `the ledger says what is lost once the launch has ended`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addLog("one")
      batch.ledger = LaunchLedger(recorded: 5, dropped: ["filtered": 2], torn: 1, final: false)
      try await collector.post(raw: batch)
      let open = try await collector.waitForLaunch(batch.launch, stored: 1)
      #expect(open["lost"] == .null)
      var last = RawBatch(launch: batch.launch, from: batch.position)
      last.ledger = LaunchLedger(recorded: 5, dropped: ["filtered": 3], torn: 1, final: true)
      try await collector.post(raw: last)
      let closed = try await collector.wait(for: "/api/launches") { $0.launch(batch.launch)["final"].bool == true }
      #expect(closed.launch(batch.launch)["lost"].int == 1)
      #expect(closed.launch(batch.launch)["dropped"]["filtered"].int == 3)
      #expect(closed.launch(batch.launch)["torn"].int == 1)
    }
  }

  @Test func `breadcrumbs stand in the timeline and are not counted`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-b")
      batch.addLog("event", at: 2000)
      batch.add(.breadcrumb, #"{"timestamp":1.5,"category":"custom","message":"crumb","metadata":{}}"#)
      try await collector.post(raw: batch)
      let row = try await collector.waitForLaunch(batch.launch, stored: 1)
      #expect(row["stored"].int == 1)
      let events = try await collector.json("/api/sessions/s-b/events")["events"]
      #expect(events.array.map { $0["eventType"].string } == ["breadcrumb", "log"])
      #expect(events[0]["timestamp"].int == 1500)
      #expect(try await collector.json("/api/sessions/s-b")["events"].int == 1)
    }
  }
}
