import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// What is counted of all sessions, whether their events came or only summaries.
@Suite struct `Health of sessions that stay on devices` {
  private func request(_ batch: inout RawBatch, _ status: Int) {
    batch.add(
      .event,
      """
      {"eventType":"network_request","timestamp":\(Summary.start),"url":"https://api.example/v1/menu","method":"GET",\
      "statusCode":\(status),"durationMs":12,"contextId":1}
      """)
  }

  @Test func `sessions, crashes, launch times and requests are counted once, wherever they are`() async throws {
    try await RunningCollector.with { collector in
      // Only a summary.
      try await collector.post(raw: .telling(Summary(session: "told", crashes: 1)))
      // A summary, and everything that it tells of.
      var whole = Summary(session: "whole", events: ["network_request": 2, "custom": 1, "crash": 1], crashes: 1)
      whole.requests = ["2xx": 1, "5xx": 1]
      var second = RawBatch()
      second.addContext(1, session: "whole", user: "grace")
      second.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":850", at: Summary.start)
      request(&second, 200)
      request(&second, 503)
      second.add(
        .event,
        "{\"eventType\":\"crash\",\"timestamp\":\(Summary.start),\"errorDomain\":\"SIGABRT\",\"stackTrace\":\"\",\"contextId\":1}"
      )
      second.add(whole)
      try await collector.post(raw: second)
      // A summary, and a part.
      var part = RawBatch.telling(Summary(session: "part", launchMs: 1200))
      request(&part, 200)
      try await collector.post(raw: part)
      // Everything, and no summary.
      var plain = RawBatch()
      plain.addContext(1, session: "plain", user: "linus")
      plain.addCustom("App Launch", "\"kind\":\"warm\",\"totalMs\":300", at: Summary.start)
      request(&plain, 404)
      try await collector.post(raw: plain)
      try await collector.waitForLaunch(second.launch, stored: 5)
      try await collector.waitForLaunch(plain.launch, stored: 2)
      try await collector.told("told")
      try await collector.told("part")

      for question in ["/api/health", "/api/health?app=dev.example.shop&version=2.1"] {
        let health = try await collector.json(question)
        let sessions = health["sessions"]
        #expect(sessions["count"].int == 4 && sessions["crashed"].int == 2 && sessions["bySummary"].int == 2)
        #expect(sessions["users"]["count"].int == 3)
        // What has to come to be counted says of how many sessions it did not, or not whole.
        for part in ["hangs", "frames", "taps"] { #expect(health[part]["sessionsBySummary"].int == 2, "\(part)") }
        #expect(sessions["versions"][0]["count"].int == 4 && sessions["versions"][0]["bySummary"].int == 2)
        let times = health["launchTime"]
        #expect(times["count"].int == 4 && times["bySummary"].int == 2 && times["max"].double == 1200)
        #expect(times["kinds"].array.map { $0["count"].int } == [3, 1])
        #expect(times["versions"].array.map { $0["count"].int } == [4])
        let requests = health["requests"]
        // 2 + 10 + 10 + 1, of which 4 are here.
        #expect(requests["count"].int == 23 && requests["bySummary"].int == 19)
        #expect(requests["statuses"]["2xx"].int == 15 && requests["statuses"]["4xx"].int == 3)
        #expect(requests["statuses"]["5xx"].int == 3 && requests["statuses"]["none"].int == 2)
        #expect(requests["failed"].int == 6, "of those without an answer nobody knows")
        #expect(requests["versions"][0]["count"].int == 23)
        #expect(requests["slowest"][0]["count"].int == 4)
      }
      let none = try await collector.json("/api/health?version=9")
      #expect(
        none["sessions"]["count"].int == 0 && none["requests"]["count"].int == 0 && none["launchTime"]["count"].int == 0
      )
      #expect(try await collector.json("/api/apps")["apps"][0]["versions"].array.map { $0.string } == ["2.1"])
      #expect(try await collector.json("/api/users/ada")["sessions"].int == 2)
    }
  }

  @Test func `requests are those of the newest sessions that are told, and it says when there are more`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      for index in 1...3 {
        let name = "s-\(index)"
        var summary = Summary(session: name, endedAt: Summary.start + index * 1000)
        summary.requests = ["2xx": index]
        try await collector.post(raw: .telling(summary))
        try await collector.told(name)
      }
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let filter = HealthFilter(from: 0, to: .max)
    try await store.pool.read { database in
      let some = try ToldRequests(filter, database, most: 2)
      #expect(some.sums.count == 5 && some.isPartial)
      let all = try ToldRequests(filter, database, most: 3)
      #expect(all.sums.count == 6 && !all.isPartial)
    }
    try store.close()
  }

  @Test func `what is missing of a session is not made up for by what a later launch tells of it`() async throws {
    try await RunningCollector.with { collector in
      let first = RawBatch.telling(Summary(session: "s-1", events: ["log": 1], launchMs: nil))
      try await collector.post(raw: first)
      var second = RawBatch()
      second.addContext(1, session: "s-2")
      second.add(
        .event,
        """
        {"eventType":"crash","timestamp":\(Summary.start + 60_000),"errorDomain":"SIGSEGV","stackTrace":"",\
        "ofLaunch":"\(first.launch)","context":{"sessionId":"s-1","appVersion":"2.1","bundleId":"dev.example.shop"}}
        """)
      try await collector.post(raw: second)
      try await collector.told("s-1") { $0["events"].int == 1 }
      let sessions = try await collector.json("/api/health")["sessions"]
      #expect(sessions["count"].int == 1 && sessions["bySummary"].int == 1)
      var rest = RawBatch(launch: first.launch, from: first.position)
      rest.addLog("here", at: Summary.start)
      try await collector.post(raw: rest)
      try await collector.told("s-1") { $0["events"].int == 2 }
      #expect(try await collector.json("/api/health")["sessions"]["bySummary"].int == 0)
    }
  }

  @Test func `of a session in two launches each has its launch time, from wherever it is`() async throws {
    try await RunningCollector.with { collector in
      var first = RawBatch.telling(Summary(session: "s-1", launchMs: 500))
      first.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":500", at: Summary.start)
      try await collector.post(raw: first)
      try await collector.waitForLaunch(first.launch, stored: 2)
      let second = RawBatch.telling(Summary(session: "s-1", launchMs: 9000))
      try await collector.post(raw: second)
      try await collector.waitForLaunch(second.launch, stored: 1)
      let times = try await collector.json("/api/health")["launchTime"]
      #expect(times["count"].int == 2 && times["bySummary"].int == 1 && times["max"].double == 9000)
    }
  }

  @Test func `launches that only a later one tells of have ended, once`() async throws {
    try await RunningCollector.with { collector in
      let (first, second) = (LaunchID(), LaunchID())
      var batch = RawBatch()
      batch.addContext(1, session: "now")
      var early = Summary(session: "early", endedAt: Summary.start + 1000, end: "ended")
      batch.add(early, of: first)
      batch.add(Summary(session: "late", endedAt: Summary.start + 9000, end: "out_of_memory"), of: first)
      batch.add(Summary(session: "calm", end: "ended"), of: second)
      early.revision = 2
      batch.add(early, of: first)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 4)
      let ends = try await collector.json("/api/health")["ends"]
      #expect(
        ends["count"].int == 2 && ends["verdicts"]["out_of_memory"].int == 1 && ends["verdicts"]["ended"].int == 1)
      let facets = try await collector.json("/api/sessions/facets")["facets"]["ended"].array
      #expect(facets.contains { $0[0].string == "out_of_memory" && $0[1].int == 1 })
      // A verdict of the launch comes after all.
      var verdict = RawBatch(launch: batch.launch, from: batch.position)
      verdict.add(
        .event,
        """
        {"eventType":"lifecycle","timestamp":\(Summary.start),"state":"previous_launch_ended","details":{"launchId":"\(first)",\
        "verdict":"out_of_memory","evidence":"footprint"},"contextId":1}
        """)
      try await collector.post(raw: verdict)
      try await collector.waitForLaunch(batch.launch, stored: 5)
      var own = RawBatch(launch: first)
      own.addContext(1, session: "late")
      own.addLog("came later", at: Summary.start + 8000)
      try await collector.post(raw: own)
      try await collector.waitForLaunch(first, stored: 1)
      #expect(try await collector.json("/api/health")["ends"]["verdicts"]["out_of_memory"].int == 1)
    }
  }

  /// It was killed before it sent anything, and what it kept was never asked for: the next launch tells of its end, seven days
  /// later its last ledger says that all of it went for its age.
  @Test(arguments: [false, true])
  func `a launch that never sent an event has ended, once, and its ledger counts`(withVerdict: Bool) async throws {
    try await RunningCollector.with { collector in
      let first = LaunchID()
      var batch = RawBatch()
      batch.addContext(1, session: "s-2")
      batch.add(Summary(session: "s-1", end: "out_of_memory"), of: first)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      func expectOneEnd(_ comment: Comment) async throws {
        let ends = try await collector.json("/api/health?app=dev.example.shop")["ends"]
        #expect(ends["count"].int == 1 && ends["verdicts"]["out_of_memory"].int == 1, comment)
      }
      try await expectOneEnd("told by the next launch")
      if withVerdict {
        var verdict = RawBatch(launch: batch.launch, from: batch.position)
        verdict.add(
          .event,
          """
          {"eventType":"lifecycle","timestamp":\(Summary.start),"state":"previous_launch_ended","details":{"launchId":"\(first)",\
          "verdict":"out_of_memory","evidence":"footprint","memory":"412 of 450 MB"},"contextId":1}
          """)
        try await collector.post(raw: verdict)
        try await collector.waitForLaunch(batch.launch, stored: 2)
        try await expectOneEnd("with a verdict")
        let memory = try await collector.json("/api/health")["ends"]["memoryMB"]
        #expect(memory["max"].double == 412)
      }
      var ledger = RawBatch(launch: first)
      ledger.ledger = LaunchLedger(recorded: 10, dropped: ["expired": 10], final: true)
      try await collector.post(raw: ledger)
      try await collector.wait(for: "/api/launches") { $0.launch(first)["final"].bool == true }
      try await expectOneEnd("after its last ledger")
      let recorder = try await collector.json("/api/health?app=dev.example.shop")["recorder"]
      #expect(recorder["recorded"].int == 10 && recorder["dropped"]["expired"].int == 10)
      #expect(recorder["lost"].int == 0)
      // The launch that told is not over; it counts when something of its own has come.
      #expect(recorder["open"].int == (withVerdict ? 1 : 0))
      // An event of it comes after all.
      var own = RawBatch(launch: first)
      own.addContext(1, session: "s-1")
      own.addLog("came later", at: Summary.start + 1000)
      try await collector.post(raw: own)
      try await collector.waitForLaunch(first, stored: 1)
      try await expectOneEnd("with an event")
      #expect(try await collector.json("/api/health")["recorder"]["recorded"].int == 10)
    }
  }

  /// A device keeps what it records for some days, and then most of it goes: that is what it is told to do.
  @Test func `what aged out where nobody had asked for it is no loss, and what could not be delivered is one`()
    async throws
  {
    try await RunningCollector.with { collector in
      func launch(_ session: String, _ ledger: LaunchLedger) async throws -> LaunchID {
        var batch = RawBatch()
        batch.addContext(1, session: session)
        batch.addLog("came", at: Summary.start)
        batch.ledger = ledger
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
        return batch.launch
      }
      _ = try await launch("over", LaunchLedger(recorded: 1001, dropped: ["expired": 1000], final: true, kept: 0))
      let open = try await launch(
        "open", LaunchLedger(recorded: 111, dropped: ["expired": 90, "filtered": 2], kept: 19))
      let late = try await launch("late", LaunchLedger(recorded: 8, dropped: ["expired": 7], final: true))
      let recorder = try await collector.json("/api/health")["recorder"]
      #expect(recorder["agedOut"].int == 1090 && recorder["kept"].int == 18 && recorder["lost"].int == 0)
      #expect(recorder["dropped"]["expired"].int == 7 && recorder["dropped"]["filtered"].int == 2)
      #expect(recorder["versions"][0]["agedOut"].int == 1090)
      // The quiet phones are not those with the most losses.
      let worst = recorder["worst"].array
      #expect(worst.map { $0["launchId"].string } == [late.description, open.description])
      #expect(worst.map { $0["dropped"].int } == [7, 2])
      for (session, aged) in [("over", 1000), ("open", 90), ("late", 0)] {
        let ledger = try await collector.json("/api/sessions/\(session)")["launchLedgers"][0]
        #expect(ledger["agedOut"].int == aged, "\(session)")
      }
    }
  }

  /// A launch that keeps nothing may be the one that finds it over, and there were SDKs that did not say it in a last ledger.
  @Test func `what aged out stays no loss when the last ledger does not say that anything was kept`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addLog("came", at: Summary.start)
      batch.ledger = LaunchLedger(recorded: 51, dropped: ["expired": 10], kept: 41)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      var last = RawBatch(launch: batch.launch, from: batch.position)
      last.ledger = LaunchLedger(recorded: 51, dropped: ["expired": 50], final: true)
      try await collector.post(raw: last)
      try await collector.wait(for: "/api/launches") { $0.launch(batch.launch)["final"].bool == true }
      let launch = try await collector.json("/api/launches").launch(batch.launch)
      #expect(launch["agedOut"].int == 50 && launch["kept"].int == 0 && launch["lost"].int == 0)
      let recorder = try await collector.json("/api/health")["recorder"]
      #expect(recorder["agedOut"].int == 50 && recorder["kept"].int == 0 && recorder["lost"].int == 0)
      #expect(recorder["dropped"]["expired"].int == nil && recorder["worst"].array.isEmpty)
    }
  }

  @Test func `what is not sent is counted by app and week`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "ada")
      for index in 0..<10 { batch.addLog("a log entry of some length, number \(index)", at: Summary.start) }
      batch.add(Summary(session: "s-1", kept: (1000, 1 << 20, Summary.start + Summary.week)))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 11)
      let tight = LaunchID()
      try await collector.post(
        raw: .telling(Summary(session: "s-2", kept: (1000, 50, Summary.start + Summary.week)), launch: tight))
      try await collector.told("s-2")
      let savings = try await collector.json("/api/health/savings?app=dev.example.shop")
      let week = savings["weeks"][0]
      let size = try #require(savings["sentBytes"].int)
      #expect(savings["sentEvents"].int == 12 && size > 12 * 80)
      #expect(savings["keptEvents"].int == 2000 && savings["keptBytes"].int == 1 << 20 + 50)
      let mean = Double(size) / 12
      #expect(savings["savedBytes"].int == Int((mean * 1000).rounded()) + 50, "no more than the room that it takes")
      #expect(week["bundleId"].string == "dev.example.shop" && week["savedBytes"].int == savings["savedBytes"].int)
      let begin = try #require(week["week"].int)
      let parts = Calendar(identifier: .iso8601)
      #expect(begin % 86_400_000 == 0 && begin <= Summary.start && begin + Summary.week > Summary.start)
      #expect(
        parts.component(.weekday, from: Date(timeIntervalSince1970: Double(begin) / 1000 + 43_200)) == 2, "a Monday")
      #expect(try await collector.json("/api/health/savings?app=other")["weeks"].array.isEmpty)
      #expect(try await collector.get("/api/health/savings?from=9&to=8").status == 400)
    }
  }
}
