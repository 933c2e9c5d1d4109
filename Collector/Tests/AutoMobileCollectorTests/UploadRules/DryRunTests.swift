import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Held against what is stored: `POST /api/config/{bundle}/try`.
@Suite struct `A dry run of rules` {
  /// An hour ago, in the middle of a day of UTC as far as the tests' minutes go.
  private let start = (WallClock.now / 86_400_000) * 86_400_000 - 43_200_000

  private func batch(
    _ launch: LaunchID = LaunchID(), device: String, session: String, bundleId: String = "dev.example.shop"
  ) -> RawBatch {
    var batch = RawBatch(launch: launch, bundleId: bundleId)
    batch.add(
      .context, #"{"contextId":1,"sessionId":"\#(session)","anonymousId":"\#(device)","bundleId":"\#(bundleId)"}"#)
    return batch
  }

  private func log(_ batch: inout RawBatch, at seconds: Double, level: Int = 2, filling: Int = 0) {
    let text = String(repeating: "x", count: filling)
    batch.add(
      .event,
      #"{"eventType":"log","timestamp":\#(start + Int64(seconds * 1000)),"level":\#(level),"message":"\#(text)","filterName":"f","contextId":1}"#
    )
  }

  private func attempt(
    _ collector: RunningCollector, _ rules: String, bundle: String = "dev.example.shop", more: String = ""
  ) async throws -> JSONValue {
    let answer = try await collector.send(
      .POST, "/api/config/\(bundle)/try", headers: [("Content-Type", "application/json")],
      body: ByteBuffer(string: #"{"upload":{"mode":"whenTriggered"\#(more),"rules":[\#(rules)]}}"#))
    try #require(answer.status == 200, "\(answer.text)")
    return try answer.json()
  }

  private static let errors =
    #"{"name":"errors","when":{"log":{"level":"error"}},"send":{"minutesBefore":0.5,"minutesAfter":0.5}}"#

  @Test func `says of each rule how often, in how many sessions, on how many devices, and what would have been sent`()
    async throws
  {
    try await RunningCollector.with { collector in
      // Two launches of one device, of which one has two errors far apart and one close by, and another device.
      for (device, session, errors) in [("d1", "s1", [100.0, 110, 400]), ("d1", "s2", [50]), ("d2", "s3", [])] {
        var batch = batch(device: device, session: session)
        for second in stride(from: 0.0, to: 600, by: 10) {
          log(&batch, at: second, level: errors.contains(second) ? 4 : 2)
        }
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 60)
      }
      let run = try await attempt(
        collector, Self.errors + #",{"name":"never","when":{"crash":true}},{"name":"bad","when":{}}"#)
      #expect(run["partial"].bool == false)
      #expect(run["looked"]["devices"].int == 2 && run["looked"]["launches"].int == 3)
      #expect(run["looked"]["sessions"].int == 3 && run["looked"]["summaries"].int == 0)
      let rule = run["rules"][0]
      #expect(rule["name"].string == "errors" && rule["index"].int == 0)
      #expect(rule["matched"].int == 4 && rule["fired"].int == 3 && rule["limited"].int == 0)
      #expect(rule["sessions"].int == 2 && rule["devices"].int == 1)
      // 70 … 140, 370 … 430, 20 … 80, one every ten seconds.
      #expect(rule["events"].int == 8 + 7 + 7)
      #expect(run["rules"][1]["fired"].int == 0 && run["rules"][1]["events"].int == 0)
      #expect(run["rules"].array.count == 2)
      #expect(run["total"]["events"].int == 22 && run["total"]["sessions"].int == 2)
      #expect(run["everything"]["events"].int == 180)
      let (sent, all) = (run["total"]["bytes"].int ?? 0, run["everything"]["bytes"].int ?? 0)
      #expect(sent == rule["bytes"].int && all > 8 * sent && all < 9 * sent)
      #expect(run["problems"].array.count == 1)
      #expect(run["problems"][0]["place"].string == "upload.rules[2].when")
      let (bytes, compressed) = (run["compression"]["bytes"].int ?? 0, run["compression"]["compressed"].int ?? 0)
      #expect(bytes > 5000 && compressed > 0 && compressed < bytes / 2)
      // Nothing was stored.
      #expect(try await collector.json("/api/config/dev.example.shop")["version"].int == 0)
    }
  }

  @Test func `overlapping stretches of several rules are counted once in the sum`() async throws {
    try await RunningCollector.with { collector in
      var batch = batch(device: "d", session: "s")
      for second in 0..<10 { log(&batch, at: Double(second), level: second == 5 ? 4 : 2) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 10)
      let second = #",{"name":"all","when":{"event":{"type":"log"}},"send":{"minutesBefore":0,"minutesAfter":60}}"#
      let run = try await attempt(collector, Self.errors + second)
      #expect(run["rules"].array.map { $0["events"].int } == [10, 10])
      #expect(run["total"]["events"].int == 10)
      #expect(run["total"]["bytes"].int == run["everything"]["bytes"].int)
    }
  }

  @Test func `requests count without their bodies where all rules that name them leave these out`() async throws {
    try await RunningCollector.with { collector in
      var batch = batch(device: "d", session: "s")
      let text = String(repeating: "b", count: 1000)
      let member = #","requestBody":"\#(text)","responseBody":"\#(text)","responseBodyEncoding":"base64""#
      for (second, status) in [(0, 200), (100, 500), (200, 200), (300, 404)] {
        batch.add(
          .event,
          #"{"eventType":"network_request","timestamp":\#(start + Int64(second * 1000)),"method":"GET","url":"http://a/","statusCode":\#(status),"durationMs":5\#(member),"contextId":1}"#
        )
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 4)
      func rule(_ name: String, _ status: String, _ more: String) -> String {
        #"{"name":"\#(name)","when":{"request":{"status":\#(status)}},"send":{"minutesBefore":0,"minutesAfter":0\#(more)}}"#
      }
      // One rule wants the bodies of the one that both name.
      let run = try await attempt(
        collector,
        [
          rule("bare", #""4xx""#, #","bodies":false"#), rule("bare too", "500", #","bodies":false"#),
          rule("whole", "500", ""),
        ]
        .joined(separator: ","))
      let (all, bodies) = (run["everything"]["bytes"].int ?? 0, member.utf8.count)
      #expect(all > 4 * bodies)
      let bare = all / 4 - bodies
      #expect(run["rules"].array.map { $0["bytes"].int } == [bare, bare, all / 4])
      #expect(run["rules"].array.map { $0["events"].int } == [1, 1, 1])
      #expect(run["total"]["bytes"].int == all / 4 + bare && run["total"]["events"].int == 2)
    }
  }

  @Test func `a day's limit counts for a device over its launches, and again for the next one`() async throws {
    try await RunningCollector.with { collector in
      for (device, minute) in [("d1", 0.0), ("d1", 60), ("d2", 120)] {
        var batch = batch(device: device, session: "s\(minute)")
        for error in 0..<3 {
          log(&batch, at: minute * 60 + Double(error) * 10, level: 4)
          log(&batch, at: minute * 60 + Double(error) * 10 + 5)
        }
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 6)
      }
      let rule =
        #"{"name":"r","when":{"log":{"level":"error"}},"send":{"minutesBefore":0,"minutesAfter":0,"perDay":4}}"#
      let run = try await attempt(collector, rule)
      #expect(run["rules"][0]["matched"].int == 9)
      #expect(run["rules"][0]["fired"].int == 4 + 3 && run["rules"][0]["limited"].int == 2)
      #expect(run["rules"][0]["events"].int == 7)
    }
  }

  @Test func `a crash that the next launch tells of has the minutes before it sent of the launch that crashed`()
    async throws
  {
    try await RunningCollector.with { collector in
      var crashed = batch(device: "d", session: "s1")
      for second in 0..<100 { log(&crashed, at: Double(second)) }
      try await collector.post(raw: crashed)
      try await collector.waitForLaunch(crashed.launch, stored: 100)
      var next = batch(device: "d", session: "s2")
      next.add(
        .event,
        #"{"eventType":"crash","timestamp":\#(start + 99_500),"ofLaunch":"\#(crashed.launch)","sessionId":"s1","context":{"sessionId":"s1","anonymousId":"d"}}"#
      )
      next.add(
        .event,
        #"{"eventType":"lifecycle","timestamp":\#(start + 200_000),"state":"previous_launch_ended","details":{"launchId":"\#(crashed.launch)","verdict":"crash"},"contextId":1}"#
      )
      for second in 200..<210 { log(&next, at: Double(second)) }
      try await collector.post(raw: next)
      try await collector.waitForLaunch(next.launch, stored: 12)
      let run = try await attempt(
        collector,
        #"{"name":"crash","when":{"crash":true},"send":{"minutesBefore":0.5,"minutesAfter":0}},"#
          + #"{"name":"end","when":{"unexpectedEnd":true},"send":{"minutesBefore":0.25,"minutesAfter":0}}"#)
      // 69.5 … 99, and 84 … 99; the crash itself goes anyway.
      #expect(run["rules"].array.map { $0["events"].int } == [30, 16])
      #expect(run["rules"].array.map { $0["fired"].int } == [1, 1])
      #expect(run["always"]["events"].int == 1 && run["total"]["events"].int == 31)
    }
  }

  @Test func `sessions of which only a summary came are told, and not taken for sessions without trouble`()
    async throws
  {
    try await RunningCollector.with { collector in
      for (session, isWhole) in [("s1", true), ("s2", false), ("s3", false)] {
        var batch = batch(device: session, session: session)
        if isWhole { log(&batch, at: 0) }
        batch.add(
          .event, #"{"eventType":"session_summary","timestamp":\#(start),"sessionId":"\#(session)","contextId":1}"#)
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: isWhole ? 2 : 1)
      }
      let run = try await attempt(collector, Self.errors)
      #expect(run["looked"]["sessions"].int == 3 && run["looked"]["summaries"].int == 2)
      #expect(run["always"]["events"].int == 3 && run["total"]["events"].int == 3)
    }
  }

  @Test func `it is laid over the document for all apps, and other apps are not looked at`() async throws {
    try await RunningCollector.with { collector in
      for bundle in ["dev.example.shop", "dev.example.other"] {
        var batch = batch(device: "d", session: "s", bundleId: bundle)
        log(&batch, at: 0, level: 4)
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      try await collector.put("*", #"{"upload":{"mode":"whenTriggered","rules":[\#(Self.errors)]}}"#)
      let answer = try await collector.send(
        .POST, "/api/config/dev.example.shop/try", headers: [("Content-Type", "application/json")],
        body: ByteBuffer(string: #"{"upload":{"keepDays":3}}"#)
      ).json()
      #expect(answer["rules"][0]["fired"].int == 1 && answer["everything"]["events"].int == 1)
      let all = try await attempt(collector, Self.errors, bundle: "%2A")
      #expect(all["rules"][0]["fired"].int == 2)
    }
  }

  @Test func `what is older than seven days, and what came out of files or without positions, is not looked at`()
    async throws
  {
    try await RunningCollector.with { collector in
      var batch = batch(device: "d", session: "s")
      log(&batch, at: -8 * 86_400, level: 4)
      log(&batch, at: 0, level: 4)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      try await collector.post(
        envelope: envelope(
          [#"{"eventType":"log","timestamp":\#(start),"level":4,"message":"m","filterName":"f"}"#],
          bundleId: "dev.example.shop"))
      try await collector.wait(for: "/api/launches") { $0["launches"].array.count == 2 }
      let run = try await attempt(collector, Self.errors)
      #expect(run["everything"]["events"].int == 1 && run["rules"][0]["fired"].int == 1)
    }
  }

  @Test func `what is too much is cut off, and the answer says so`() async throws {
    try await RunningCollector.with { collector in
      for device in 0..<4 {
        var batch = batch(device: "d\(device)", session: "s\(device)")
        for second in 0..<50 { log(&batch, at: Double(device * 1000 + second), level: 4) }
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 50)
      }
      let store = try EventStore(
        path: collector.directory.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
      func run(_ change: (inout SQLiteDryRuns.Limits) -> Void) async throws -> DryRun {
        var query = SQLiteDryRuns(store: store)
        change(&query.limits)
        let rules = UploadSection(.object(["rules": [["name": "r", "when": ["log": ["level": "error"]]]]])).rules
        return try await query.run(store.readScope(), rules.map(\.rule), of: nil, now: WallClock.now)
      }
      let whole = try await run { _ in }
      #expect(!whole.isPartial && whole.figures.everything.events == 200)
      let launches = try await run { $0.launches = 2 }
      #expect(launches.isPartial && launches.figures.launches == 2 && launches.figures.everything.events == 100)
      let events = try await run { $0.events = 120 }
      #expect(events.isPartial && events.figures.everything.events == 120)
      let ofLaunch = try await run { $0.eventsOfLaunch = 10 }
      #expect(ofLaunch.isPartial && ofLaunch.figures.everything.events == 40)
      let time = try await run { $0.seconds = 0 }
      #expect(time.isPartial && time.figures.everything.events < 200)
      try store.close()
    }
  }

  @Test func `rules that take long with long texts end with what was found in time`() async throws {
    try await RunningCollector.with { collector in
      var batch = batch(device: "d", session: "s")
      // With an escape, so that it has to be copied before it can be searched.
      let long = #"\n"# + String(repeating: "x", count: 20_000)
      for second in 0..<40 {
        batch.add(
          .event,
          #"{"eventType":"log","timestamp":\#(start + Int64(second) * 1000),"level":4,"message":"\#(long)","contextId":1}"#
        )
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 40)
      let store = try EventStore(
        path: collector.directory.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
      var query = SQLiteDryRuns(store: store)
      query.limits.seconds = 0.4
      let conditions = (0..<4).map { "{\"field\":\"message\",\"contains\":\"xxxxxxxxx\($0)\"}" }.joined(separator: ",")
      let rules = (0..<64).map { #"{"name":"r\#($0)","when":{"event":{"type":"log","where":[\#(conditions)]}}}"# }
      let text = #"{"rules":[\#(rules.joined(separator: ","))]}"#
      let section = UploadSection(try Array(text.utf8).withUnsafeBytes { try JSONTree(checking: $0, maximumDepth: 16) })
      #expect(section.rules.count == 64)
      let run = try await query.run(store.readScope(), section.rules.map(\.rule), of: nil, now: WallClock.now)
      #expect(run.isPartial)
      #expect((1..<40).contains(run.figures.everything.events), "\(run.figures.everything.events)")
      try store.close()
    }
  }

  @Test func `who reads may try, and is told what is no section`() async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["reader-1"]
      options.operatorKeys = ["operator-1"]
    } _: { collector in
      func attempt(_ body: String, _ key: String?, _ bundle: String = "a") async throws -> RunningCollector.Answer {
        try await collector.send(
          .POST, "/api/config/\(bundle)/try",
          headers: [("Content-Type", "application/json")] + (key.map { [("X-API-Key", $0)] } ?? []),
          body: ByteBuffer(string: body))
      }
      #expect(try await attempt(#"{"upload":{}}"#, "reader-1").status == 200)
      #expect(try await attempt(#"{"upload":{}}"#, nil).status == 401)
      for body in ["{}", "[]", #"{"mode":"everything"}"#] {
        #expect(try await attempt(body, "reader-1").errorCode == "invalid_configuration")
      }
      #expect(try await attempt("{", "reader-1").errorCode == "invalid_json")
      #expect(try await attempt(#"{"upload":7}"#, "reader-1").json()["problems"].array.count == 1)
      #expect(try await attempt(#"{"upload":{}}"#, "reader-1", "a%20b").errorCode == "invalid_bundle")
      // A question is no change: only refusals are written down.
      _ = try await collector.send(
        .PUT, "/api/config/a", headers: [("Content-Type", "application/json"), ("X-API-Key", "operator-1")],
        body: ByteBuffer(string: "{}"))
      let log = try await collector.get("/api/audit?limit=100", headers: [("X-API-Key", "operator-1")]).json()
      let entries = log["entries"].array
      #expect(entries.contains { $0["route"].string == "PUT /api/config/{bundle}" })
      #expect(
        !entries.contains { $0["route"].string?.hasSuffix("/try") == true && $0["status"].int == 200 }, "\(entries)")
    }
  }
}
