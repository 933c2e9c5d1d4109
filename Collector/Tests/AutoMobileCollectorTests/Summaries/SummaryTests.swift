import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// Sessions whose events stay on their devices.
@Suite struct `Summaries of sessions` {
  @Test func `a session of which only a summary came is in the list, with what the summary says`() async throws {
    try await RunningCollector.with { collector in
      let summary = Summary(session: "s-1", memoryPeak: 420_000_000)
      try await collector.post(raw: .telling(summary))
      let session = try await collector.told("s-1")
      #expect(session["events"].int == 0, "the summary is no event of it")
      #expect(session["counts"]["session_summary"].int == 1)
      #expect(session["first"].int == summary.startedAt && session["last"].int == summary.endedAt)
      #expect(session["userId"].string == "ada")
      let told = session["summary"]
      #expect(told["place"].string == "device" && told["missing"].int == 109)
      #expect(told["until"].int == summary.kept?.until)
      #expect(told["events"].int == 109 && told["counts"]["navigation"].int == 8)
      #expect(told["screens"].array.compactMap(\.string) == ["Menu", "Basket"])
      #expect(told["launchMs"].double == 850 && told["launchKind"].string == "cold")
      #expect(told["slowFrames"].int == 3 && told["frozenFrames"].int == 1)
      #expect(told["memoryPeak"].int == 420_000_000 && told["memoryLeft"].int == 210_000_000)
      #expect(told["memoryWarnings"].int == 2)
      #expect(told["requests"]["5xx"].int == 1 && told["requests"]["none"].int == 1)
      // Two of the log, a hang, and two requests that were answered with an error.
      #expect(told["errors"].int == 5 && told["logErrors"].int == 2)
      for question in [
        "", "?q=has:error", "?has=hang", "?has=failed", "?q=has:hang", "?q=screen:basket", "?q=events:109",
        "?sort=events",
      ] {
        let list = try await collector.json("/api/sessions\(question)")["sessions"].array
        #expect(list.map { $0["sessionId"].string } == ["s-1"], "\(question)")
        #expect(list.first?["summary"]["place"].string == "device")
      }
      #expect(try await collector.json("/api/sessions?q=has:crash")["sessions"].array.isEmpty)
      // One without all that.
      try await collector.post(
        raw: .telling(
          Summary(session: "s-2", events: ["log": 1, "network_request": 1], requests: ["2xx": 1, "none": 1])))
      try await collector.told("s-2")
      for has in ["hang", "failed"] {
        #expect(try await collector.json("/api/sessions?has=\(has)")["sessions"].array.count == 1)
      }
    }
  }

  @Test func `the latest revision counts, in whatever order they come, and once`() async throws {
    try await RunningCollector.with { collector in
      var summary = Summary(session: "s-1")
      var batches: [RawBatch] = []
      let launch = LaunchID()
      var position: UInt64 = 0
      for revision in 1...4 {
        summary.revision = revision
        summary.events = ["log": revision * 10]
        summary.endedAt = Summary.start + revision * 1000
        summary.kept = (revision * 10, revision * 1000, Summary.start + Summary.week + revision)
        summary.told = Summary.start + 60_000 + revision
        batches.append(.telling(summary, launch: launch, from: position))
        position = batches[revision - 1].position
        // With one, what has been here a moment ago is indexed again.
        batches[revision - 1].ledger = LaunchLedger(recorded: 4)
      }
      for index in [1, 3, 0, 2, 3, 1] { try await collector.post(raw: batches[index]) }
      let row = try await collector.waitForLaunch(launch, stored: 4)
      try await collector.wait(for: "/api/launches") { $0["launches"][0]["duplicates"].int == 2 }
      #expect(row["stored"].int == 4)
      let session = try await collector.told("s-1")
      #expect(session["summary"]["revision"].int == 4 && session["summary"]["events"].int == 40)
      #expect(session["summary"]["until"].int == Summary.start + Summary.week + 4)
      #expect(session["last"].int == Summary.start + 4000 && session["events"].int == 0)
      let health = try await collector.json("/api/health")
      #expect(health["sessions"]["count"].int == 1 && health["requests"]["count"].int == 10)
    }
  }

  @Test func `of one revision the summary that says more counts`() async throws {
    try await RunningCollector.with { collector in
      var summary = Summary(session: "s-1", events: ["log": 5])
      let first = RawBatch.telling(summary)
      summary.events = ["log": 7]
      summary.end = "crash"
      var later = RawBatch()
      later.add(summary, of: first.launch)
      try await collector.post(raw: later)
      try await collector.told("s-1")
      try await collector.post(raw: first)
      try await collector.waitForLaunch(first.launch, stored: 1)
      let session = try await collector.told("s-1")
      #expect(session["summary"]["events"].int == 7 && session["summary"]["end"].string == "crash")
      #expect(session["lastEnd"].string == "crash" && session["live"].bool == false)
    }
  }

  @Test(arguments: [false, true])
  func `a session that goes on in another launch is live, whenever its summary comes`(isEventFirst: Bool) async throws {
    try await RunningCollector.with { collector in
      let now = Int(WallClock.now)
      let first = RawBatch.telling(Summary(session: "s-1", endedAt: now - 60_000, end: "crash", crashes: 1))
      var second = RawBatch()
      second.addContext(1, session: "s-1")
      second.addLog("goes on", at: now)
      for batch in isEventFirst ? [second, first] : [first, second] {
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      var session = try await collector.told("s-1") { $0["events"].int == 1 }
      #expect(session["live"].bool == true && session["lastEnd"].string != "crash")
      #expect(try await collector.json("/api/sessions?has=live")["sessions"].array.count == 1)
      // What comes late of the first launch is before its end, and changes nothing; the second one's summary does.
      var late = RawBatch(launch: first.launch, from: first.position)
      late.addLog("late", at: now - 61_000)
      try await collector.post(raw: late)
      session = try await collector.told("s-1") { $0["events"].int == 2 }
      #expect(session["live"].bool == true)
      var last = RawBatch()
      last.add(Summary(session: "s-1", endedAt: now + 1, end: "user_kill"), of: second.launch)
      try await collector.post(raw: last)
      session = try await collector.told("s-1") { $0["lastEnd"].string == "user_kill" }
      #expect(session["live"].bool == false)
    }
  }

  @Test func `what comes later is not on the device any more`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch.telling(
        Summary(session: "s-1", events: ["log": 3], kept: (3, 4096, Summary.start + Summary.week)))
      batch.ledger = LaunchLedger(recorded: 4, kept: 3)
      try await collector.post(raw: batch)
      let before = try await collector.told("s-1")
      #expect(before["summary"]["place"].string == "device" && before["summary"]["missing"].int == 3)
      #expect(before["launchLedgers"][0]["kept"].int == 3 && before["launchLedgers"][0]["lost"] == .null)

      var some = RawBatch(launch: batch.launch, from: batch.position)
      some.addLog("one", at: Summary.start)
      some.ledger = LaunchLedger(recorded: 4, kept: 2)
      try await collector.post(raw: some)
      let between = try await collector.told("s-1") { $0["events"].int == 1 }
      #expect(between["summary"]["place"].string == "device" && between["summary"]["missing"].int == 2)

      var rest = RawBatch(launch: batch.launch, from: some.position)
      rest.addLog("two", at: Summary.start + 1)
      rest.addLog("three", at: Summary.start + 2)
      rest.ledger = LaunchLedger(recorded: 4, final: true)
      try await collector.post(raw: rest)
      // An old ledger again.
      try await collector.post(raw: batch)
      let after = try await collector.told("s-1") {
        $0["events"].int == 3 && $0["launchLedgers"][0]["duplicates"].int == 1
      }
      #expect(after["summary"]["place"].string == "here" && after["summary"]["missing"].int == 0)
      #expect(after["launchLedgers"][0]["lost"].int == 0 && after["launchLedgers"][0]["kept"].int == 0)
    }
  }

  @Test func `what went there for its age is gone, and so is what nobody fetched in time`() async throws {
    try await RunningCollector.with { collector in
      var old = Summary(session: "old")
      old.kept = (109, 4096, Summary.start)
      try await collector.post(raw: .telling(old))
      #expect(try await collector.told("old")["summary"]["place"].string == "gone")

      var batch = RawBatch.telling(Summary(session: "aged"))
      batch.ledger = LaunchLedger(recorded: 110, kept: 109)
      try await collector.post(raw: batch)
      #expect(try await collector.told("aged")["summary"]["place"].string == "device")
      var end = RawBatch(launch: batch.launch, from: batch.position)
      end.ledger = LaunchLedger(recorded: 110, dropped: ["expired": 109], final: true)
      try await collector.post(raw: end)
      let session = try await collector.told("aged") { $0["launchLedgers"][0]["final"].bool == true }
      #expect(session["summary"]["place"].string == "gone" && session["summary"]["missing"].int == 109)
      #expect(session["launchLedgers"][0]["lost"].int == 0)
    }
  }

  @Test func `what a launch keeps of later sessions is not of the ones before`() async throws {
    try await RunningCollector.with { collector in
      let day = 86_400_000
      var batch = RawBatch()
      // Over for eight days: its time on the device is, too.
      var old = Summary(
        session: "old", startedAt: Summary.start - 8 * day, endedAt: Summary.start - 8 * day + 1000, end: "ended")
      old.told = old.endedAt + 1000
      old.kept = (109, 4096, old.told + Summary.week)
      // Over when everything had been sent, of which one event was lost on the way.
      let sent = Summary(session: "sent", end: "ended", kept: nil)
      let present = Summary(session: "present", kept: (20, 4096, Summary.start + Summary.week))
      for (index, summary) in [old, sent, present].enumerated() {
        batch.addContext(index + 1, session: summary.session)
        batch.add(summary, context: index + 1)
      }
      batch.ledger = LaunchLedger(recorded: 23, kept: 20)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
      let told = try await collector.told("old")["summary"]
      #expect(told["place"].string == "gone" && told["until"].int == old.told + Summary.week)
      #expect(try await collector.told("sent")["summary"]["place"].string == "gone")
      let here = try await collector.told("present")["summary"]
      #expect(here["place"].string == "device" && here["until"].int == Summary.start + Summary.week)
    }
  }

  @Test func `a device whose clock was ahead is believed when it says that all of it went`() async throws {
    try await RunningCollector.with { collector in
      let ahead = Summary.start + 4 * 365 * 86_400_000
      var summary = Summary(session: "s-1", startedAt: ahead, endedAt: ahead + 1000, events: ["log": 10])
      summary.kept = (10, 4096, ahead + Summary.week)
      summary.told = ahead + 2000
      var batch = RawBatch.telling(summary)
      batch.ledger = LaunchLedger(recorded: 11, kept: 11)
      batch.sentAt = ahead + 3000
      try await collector.post(raw: batch)
      #expect(try await collector.told("s-1")["summary"]["place"].string == "device")
      // The clock has been set.
      var later = RawBatch(launch: batch.launch, from: batch.position)
      later.ledger = LaunchLedger(recorded: 11, dropped: ["expired": 10], kept: 0)
      later.sentAt = Summary.start + 5000
      try await collector.post(raw: later)
      let session = try await collector.told("s-1") { $0["launchLedgers"][0]["dropped"]["expired"].int == 10 }
      #expect(session["summary"]["place"].string == "gone")
      #expect(session["launchLedgers"][0]["kept"].int == 0)
    }
  }

  @Test(arguments: [0, 2000]) func `the ledger of a delivery is later than the summary in it`(ahead: Int) async throws {
    try await RunningCollector.with { collector in
      // Nothing is kept any more when the summary is sent, and what was is known with it.
      let now = Int(WallClock.now) + ahead
      var summary = Summary(session: "s-1", kept: (109, 4096, now + Summary.week))
      summary.told = now - 1000
      var batch = RawBatch.telling(summary)
      batch.ledger = LaunchLedger(recorded: 110, dropped: ["evicted": 9], kept: 100)
      batch.sentAt = now
      try await collector.post(raw: batch)
      let session = try await collector.told("s-1")
      #expect(session["summary"]["place"].string == "device" && session["summary"]["until"].int == now + Summary.week)
      #expect(try await collector.json("/api/health/savings")["keptEvents"].int == 100)
      // Told of another session, a moment later.
      var other = Summary(session: "s-2", startedAt: now, endedAt: now, kept: (90, 4096, now + 2 * Summary.week))
      other.told = now + 1
      var more = RawBatch(launch: batch.launch, from: batch.position)
      more.addContext(2, session: "s-2")
      more.add(other, context: 2)
      more.sentAt = now + 2
      try await collector.post(raw: more)
      try await collector.told("s-2")
      #expect(try await collector.json("/api/health/savings")["keptEvents"].int == 90)
    }
  }

  @Test func `a ledger that keeps more than it did, with nothing recorded since, is an old one`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addLog("one", at: Summary.start)
      batch.ledger = LaunchLedger(recorded: 10, dropped: ["filtered": 2], kept: 7)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      var early = RawBatch(launch: batch.launch, from: batch.position)
      early.ledger = LaunchLedger(recorded: 10, dropped: ["filtered": 1], kept: 9)
      early.addLog("two", at: Summary.start)
      try await collector.post(raw: early)
      let launch = try await collector.waitForLaunch(batch.launch, stored: 2)
      #expect(launch["dropped"]["filtered"].int == 2)
      #expect(launch["kept"].int == 6, "what came meanwhile is not on the device")
      let recorder = try await collector.json("/api/health")["recorder"]
      #expect(recorder["kept"].int == 6 && recorder["lost"].int == 0)
    }
  }

  @Test func `a crash that the next launch tells of belongs to the session of which only a summary came`() async throws
  {
    try await RunningCollector.with { collector in
      let earlier = LaunchID()
      var summary = Summary(session: "s-1", end: "crash", crashes: 1)
      summary.told = Summary.start + 500_000
      var batch = RawBatch()
      batch.addContext(1, session: "s-2")
      batch.add(
        .event,
        """
        {"eventType":"crash","timestamp":\(Summary.start + 60_000),"errorDomain":"SIGSEGV","stackTrace":"","ofLaunch":"\(earlier)",\
        "context":{"sessionId":"s-1","userId":"ada","appVersion":"2.1","bundleId":"dev.example.shop"}}
        """)
      batch.add(summary, of: earlier)
      batch.addLog("later", at: Summary.start + 500_000)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
      let session = try await collector.told("s-1")
      #expect(session["last"].int == Summary.start + 60_000, "that it was told later makes it no longer")
      #expect(session["events"].int == 1 && session["summary"]["missing"].int == 109, "the crash is in no summary")
      let health = try await collector.json("/api/health")
      #expect(health["sessions"]["count"].int == 2 && health["sessions"]["crashed"].int == 1)
      #expect(health["sessions"]["bySummary"].int == 1)
      #expect(health["ends"]["verdicts"]["crash"].int == 1)
      #expect(try await collector.json("/api/sessions?has=crash")["sessions"].array.count == 1)
    }
  }
}
