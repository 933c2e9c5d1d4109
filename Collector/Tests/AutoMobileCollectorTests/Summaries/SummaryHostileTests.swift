import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// Summaries that no SDK writes, and those that must not be seen or stay.
@Suite struct `Summaries that strangers write` {
  private static func tells(_ members: String) -> SessionSummary? {
    let text = "{\"eventType\":\"session_summary\",\(members)}"
    return Array(text.utf8).withUnsafeBytes { SessionSummary($0) }
  }

  private static let times = "\"startedAt\":1000,\"endedAt\":2000"

  @Test(arguments: [
    #""revision":0,"startedAt":1,"endedAt":2"#, #""revision":-1,"startedAt":1,"endedAt":2"#,
    #""revision":"1","startedAt":1,"endedAt":2"#, #""revision":1.5,"startedAt":1,"endedAt":2"#,
    #""revision":1e99,"startedAt":1,"endedAt":2"#, #""revision":1,"startedAt":3,"endedAt":2"#,
    #""revision":1,"startedAt":-3,"endedAt":2"#, #""revision":1,"startedAt":1,"endedAt":9223372036854775807"#,
    #""revision":1,"startedAt":1"#, #""revision":1,"startedAt":null,"endedAt":[]"#,
    #""revision":NaN,"startedAt":1,"endedAt":2"#,
  ])
  func `without a revision and times it is none`(members: String) { #expect(Self.tells(members) == nil) }

  @Test func `a member of the wrong type is passed over, and no other`() throws {
    let told = try #require(
      Self.tells(
        #""revision":3,\#(Self.times),"isFinal":"yes","end":7,"events":{"log":-4,"hang":"2","custom":3,"crash":1e300,"x\u0000":1},"#
          + #""screens":["Menu",7,null,"","a\u0007b"],"screenVisits":-1,"launchMs":"soon","launchKind":[],"slowFrames":{},"#
          + #""frozenFrames":4,"requests":{"2xx":5,"6xx":-1,"other":9,"4xx":[]},"errors":1e10,"crashes":true,"memoryPeak":-1,"memoryLeft":1e300,"memoryWarnings":"2","keptEvents":-1,"keptBytes":9"#
      ))
    #expect(told.counts == ["custom": 3] && told.screens == ["Menu"] && told.requests == ["2xx": 5])
    #expect(told.frozenFrames == 4 && told.slowFrames == 0 && told.errors == 0 && told.crashes == 0)
    #expect(told.memoryPeak == nil && told.memoryLeft == nil && told.memoryWarnings == 0)
    #expect(told.launchTime == nil && !told.isFinal && told.end == nil && told.kept == SessionSummary.Kept())
  }

  @Test func `it counts no summaries, and its names have a length and a number`() throws {
    let screens = (0..<3000).map { "\"\(String(repeating: "s", count: 3))\($0)\"" }.joined(separator: ",")
    let types = (0..<500).map { "\"type\($0)\":1" }.joined(separator: ",")
    let told = try #require(
      Self.tells("\"revision\":1,\(Self.times),\"screens\":[\(screens)],\"events\":{\"session_summary\":5,\(types)}"))
    #expect(told.screens.count == SessionSummary.mostScreens && told.counts.count == SessionSummary.mostTypes)
    #expect(told.counts["session_summary"] == nil)
  }

  @Test func `one with a million screens is an event like any other, and changes nothing`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addLog("one", at: Summary.start)
      let screens = Array(repeating: "\"s\"", count: 200_000).joined(separator: ",")
      batch.add(
        .event,
        """
        {"eventType":"session_summary","timestamp":\(Summary.start + 1),"session":"s-2","revision":9,"startedAt":1,"endedAt":2,\
        "screens":[\(screens)],"contextId":1}
        """)
      batch.add(
        .event, "{\"eventType\":\"session_summary\",\"timestamp\":\(Summary.start + 2),\"session\":7,\"contextId\":1}")
      batch.add(
        .event,
        "{\"eventType\":\"session_summary\",\"timestamp\":\(Summary.start + 3),\"revision\":NaN,\"contextId\":1}")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
      let session = try await collector.json("/api/sessions/s-1")
      #expect(
        session["events"].int == 1 && session["summary"] == .null && session["counts"]["session_summary"].int == 2)
      #expect(try await collector.get("/api/sessions/s-2").status == 404)
      #expect(try await collector.json("/api/quarantine")["quarantine"].array.count == 1)
    }
  }

  @Test func `a session in more launches than anybody has takes no more room, and the launches in it are told on`()
    async throws
  {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      var summary = Summary(session: "s-1", events: ["log": 1])
      let first = LaunchID()
      batch.add(summary, of: first)
      for _ in 0..<300 { batch.add(summary, of: LaunchID()) }
      // Names that no launch has: of each there is nothing but the event.
      for name in ["", "x", "\(first) "] {
        batch.add(
          .event, "{\(Summary(session: "s-9").members),\"ofLaunch\":\"\(name)\",\"context\":{\"sessionId\":\"s-1\"}}")
      }
      (summary.revision, summary.endedAt, summary.events) = (2, summary.endedAt + 1000, ["log": 5])
      batch.add(summary, of: first)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 305)
      let told = try await collector.told("s-1")
      #expect(told["summary"]["revision"].int == 2)
      #expect(try await collector.get("/api/sessions/s-9").status == 404)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    for table in ["session_summary", "launch_kept"] {
      let rows = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") }
      #expect(rows == SummaryWriter.mostLaunches, "\(table)")
    }
    #expect(
      try await store.pool.read { try Int.fetchOne($0, sql: "SELECT told FROM session WHERE given = 's-1'") } == 104)
  }

  @Test func `numbers at the limits overflow nothing`() async throws {
    try await RunningCollector.with { collector in
      for index in 0..<3 {
        var summary = Summary(session: "s-1", startedAt: 0, endedAt: Int(SessionSummary.latest))
        summary.events = Dictionary(uniqueKeysWithValues: (0..<64).map { ("type\($0)", 1_000_000_000) })
        summary.requests = Dictionary(uniqueKeysWithValues: SessionSummary.statuses.map { ($0, 1_000_000_000) })
        summary.kept = (1_000_000_000, 1 << 50, Int(SessionSummary.latest))
        summary.told = index == 0 ? Int(Int64.max) : index == 1 ? Int(Int64.min) : 0
        var batch = RawBatch.telling(summary)
        batch.ledger = LaunchLedger(recorded: .max, dropped: ["expired": .max], torn: .max, kept: .max)
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      let session = try await collector.told("s-1")
      #expect(session["summary"]["events"].int == 192_000_000_000 && session["summary"]["place"].string == "device")
      for question in [
        "/api/health?from=0&to=99999999999999", "/api/health/savings?from=0&to=99999999999999", "/api/launches",
      ] {
        #expect(try await collector.get(question).status == 200, "\(question)")
      }
    }
  }

  // MARK: Walls, and what goes

  @Test func `two projects with a session of the same name see their own`() async throws {
    try await TwoProjects.with { projects in
      var mine = Summary(session: "same", events: ["log": 5])
      for (headers, bundle) in [(projects.first, TwoProjects.first), (projects.second, TwoProjects.second)] {
        var batch = RawBatch(bundleId: bundle)
        batch.addContext(1, session: "same")
        batch.add(mine)
        try await projects.collector.post(raw: batch, headers: headers)
        mine.events = ["log": 50]
        mine.revision = 2
      }
      let list = try await projects.wait(for: "/api/sessions") {
        $0["sessions"].array.count == 2 && $0["sessions"].array.allSatisfy { $0["summary"]["events"].int != nil }
      }
      let told = Dictionary(
        uniqueKeysWithValues: list["sessions"].array.map { ($0["sessionId"].string ?? "", $0["summary"]["events"].int) }
      )
      #expect(told == ["same": 5, "same@\(TwoProjects.second)": 50])
    }
  }

  @Test func `with a user go the summaries, and they do not come back`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var first = RawBatch.telling(Summary(session: "s-1"))
      // With one, what has been here a moment ago is indexed again.
      first.ledger = LaunchLedger(recorded: 1)
      try await collector.post(raw: first)
      let other = RawBatch.telling(Summary(session: "s-2"), user: "grace")
      try await collector.post(raw: other)
      try await collector.told("s-1")
      try await collector.told("s-2")
      _ = try await collector.erase(#"{"user":"ada"}"#)
      #expect(try await collector.json("/api/sessions")["sessions"].array.count == 1)
      // The same again; and another launch tells of it, afterwards.
      try await collector.post(raw: first)
      var later = RawBatch()
      later.addContext(1, session: "s-3", user: "grace")
      later.add(Summary(session: "s-1", revision: 7), of: first.launch)
      later.addLog("of somebody else", at: Summary.start)
      try await collector.post(raw: later)
      try await collector.wait(for: "/api/sessions") { list in
        list["sessions"].array.contains { $0["sessionId"].string == "s-3" }
      }
      #expect(try await collector.get("/api/sessions/s-1").status == 404)
      #expect(try await collector.json("/api/health")["sessions"]["count"].int == 2)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let sessions = try await store.pool.read {
      try String.fetchAll($0, sql: "SELECT given FROM session_summary JOIN session ON session.id = session")
    }
    #expect(sessions == ["s-2"])
  }

  @Test func `what devices said of launches is forgotten when it is old, some at a time`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    try await store.pool.write { database in
      for index in 0..<700 {
        try database.execute(
          sql: "INSERT INTO launch_kept(owner, launch, at, received, events) VALUES (1, ?, 0, ?, 1)",
          arguments: ["\(index)", index])
      }
    }
    var left: [Int] = []
    for _ in 0..<3 {
      let isMore = try await store.pool.write { try AutoMobileCollector.Retention.forgetKept(before: 650, in: $0) }
      #expect(isMore == (left.count < 2))
      left.append(try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM launch_kept") } ?? -1)
    }
    #expect(left == [200, 50, 50])
    try store.close()
  }

  @Test func `with a session that is too old goes its summary`() async throws {
    let directory = try TemporaryDirectory()
    let batch = RawBatch.telling(Summary(session: "old"))
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.told("old")
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    #expect(try store.erase("old") == 1)
    for table in ["session_summary", "session", "event", "session_launch"] {
      #expect(try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") } == 0, "\(table)")
    }
    #expect(try await store.pool.read { try Int.fetchOne($0, sql: "SELECT expired FROM launch") } == 1)
    try store.close()
    // The sender repeats it.
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.wait(for: "/api/launches") { $0["launches"][0]["duplicates"].int == 1 }
      #expect(try await collector.json("/api/sessions")["sessions"].array.isEmpty)
    }
  }
}
