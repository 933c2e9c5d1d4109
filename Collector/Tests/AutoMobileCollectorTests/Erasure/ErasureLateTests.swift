import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// In flight recorder mode a phone sends what happened long ago, and not in the order in which it happened.
@Suite struct `Erasing while phones keep what they recorded` {
  private static let day = 86_400_000
  private static let word = "adazq7f3kx"
  private static let user = "ada-4711"

  private static var now: Int { Int(Date().timeIntervalSince1970 * 1000) }

  /// What a phone tells of a session, `context` apart.
  private static func summary(
    of session: String, from start: Int, told: Int, _ context: String
  ) -> String {
    """
    {"eventType":"session_summary","timestamp":\(told),"session":"\(session)","revision":1,"startedAt":\(start),"endedAt":\(start + 5000),\
    "isFinal":true,"end":"ended","events":{"log":3},"screens":["\(word)screen"],"screenVisits":1,"slowFrames":0,"frozenFrames":0,\
    "requests":{},"errors":0,"crashes":0,\(context)}
    """
  }

  private static func sessions(_ collector: RunningCollector) async throws -> Set<String> {
    Set(try await collector.json("/api/sessions")["sessions"].array.compactMap { $0["sessionId"].string })
  }

  @Test func `a summary that is told afterwards does not bring back the session that it is about`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let before = Self.now - Self.day
      _ = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      // By the launch itself, and by the next one about it.
      var own = RawBatch()
      own.addContext(1, session: "monday", user: Self.user, tags: ["x": "\(Self.word)tag"])
      own.add(.event, Self.summary(of: "monday", from: before, told: Self.now + 60_000, "\"contextId\":1"))
      var next = RawBatch()
      let context = "{\"userId\":\"\(Self.user)\",\"sessionId\":\"sunday\",\"tags\":{\"x\":\"\(Self.word)tag\"}}"
      next.add(
        .event,
        Self.summary(
          of: "sunday", from: before, told: Self.now + 60_000,
          "\"ofLaunch\":\"\(own.launch)\",\"context\":\(context),\"sessionId\":\"sunday\""))
      // The rest of such a session, whenever it was: it began before.
      var rest = RawBatch(launch: own.launch, from: own.position)
      rest.addLog("\(Self.word) rest", at: Self.now + 90_000)
      // What began afterwards is hers again.
      var later = RawBatch()
      later.addContext(1, session: "wednesday", user: Self.user)
      later.add(
        .event, Self.summary(of: "wednesday", from: Self.now + 60_000, told: Self.now + 70_000, "\"contextId\":1"))
      for batch in [own, next, rest, later] {
        try await collector.post(raw: batch)
      }
      try await collector.waitForLaunch(later.launch, stored: 1)
      try await collector.waitForLaunch(own.launch, stored: 2)
      #expect(try await Self.sessions(collector) == ["wednesday"])
      let kept = try await collector.json("/api/events?type=session_summary")["events"].array
      #expect(kept.count == 1 && kept.first?["payload"]["session"].string == "wednesday")
    }
    #expect(try FileSearch.files(in: directory.url, with: "\(Self.word)tag") == [])
    #expect(try FileSearch.files(in: directory.url, with: "\(Self.word) rest") == [])
  }

  @Test func `of a session that went on, what was before is dropped also when it comes after what was afterwards`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let launch = LaunchID()
    try await RunningCollector.with(directory: directory.url) { collector in
      let erasure = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      let at = try #require(erasure["requestedAt"].int)
      // The crash goes first, with the context that stands before it.
      var crash = RawBatch(launch: launch)
      crash.addContext(7, session: "tuesday", user: Self.user)
      crash.addLog("afterwards", at: at + 60_000, context: 7)
      try await collector.post(raw: crash)
      try await collector.waitForLaunch(launch, stored: 1)
      // Then the minutes before it.
      var minutes = RawBatch(launch: launch, from: 100_000)
      minutes.addLog("\(Self.word) one", at: at - 60_000, context: 7)
      minutes.addLog("also afterwards", at: at + 30_000, context: 7)
      minutes.addLog("\(Self.word) two", at: at, context: 7)
      minutes.add(
        .breadcrumb,
        "{\"timestamp\":\(at / 1000 - 60).25,\"category\":\"custom\",\"message\":\"\(Self.word)crumb\"}")
      minutes.add(.event, "{\"eventType\":\"log\",\"contextId\":7,\(Self.word)broken")
      try await collector.post(raw: minutes)
      try await collector.waitForLaunch(launch, stored: 4)
    }
    // Nor does another process take it, which knows of it by the index alone.
    try await RunningCollector.with(directory: directory.url) { collector in
      let at = try #require(try await collector.json("/api/erasures/1")["requestedAt"].int)
      var rest = RawBatch(launch: launch, from: 200_000)
      rest.addLog("\(Self.word) three", at: at - 120_000, context: 7)
      rest.addLog("\(Self.word) four", at: at - 60_000, context: 7)
      rest.addLog("long afterwards", at: at + 120_000, context: 7)
      try await collector.post(raw: rest)
      try await collector.waitForLaunch(launch, stored: 7)
      let events = try await collector.json("/api/sessions/tuesday/events")["events"].array
      #expect(
        events.map { $0["payload"]["message"].string } == ["also afterwards", "afterwards", "long afterwards"])
      let aside = try await collector.json("/api/quarantine")
      #expect(!"\(aside)".contains("broken"))
    }
    for what in [" one", " two", " three", " four", "crumb", "broken"] {
      #expect(try FileSearch.files(in: directory.url, with: Self.word + what) == [], "\(what)")
    }
  }

  /// A breadcrumb is not counted as an event, and what began with one is a session all the same.
  @Test func `a breadcrumb of before is dropped, and one of afterwards keeps its session`() async throws {
    try await RunningCollector.with { collector in
      let erasure = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      let at = try #require(erasure["requestedAt"].int)
      func crumb(_ message: String, at time: Int) -> String {
        "{\"timestamp\":\(time / 1000).5,\"category\":\"custom\",\"message\":\"\(message)\"}"
      }
      var before = RawBatch()
      before.addContext(1, session: "before", user: Self.user)
      before.add(.breadcrumb, crumb("old", at: at - 60_000))
      before.addLog("old", at: at - 50_000)
      var after = RawBatch()
      after.addContext(1, session: "after", user: Self.user)
      after.add(.breadcrumb, crumb("new", at: at + 60_000))
      after.addLog("clock was set back", at: at - 50_000)
      for batch in [before, after] {
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      #expect(try await Self.sessions(collector) == ["after"])
      let events = try await collector.json("/api/sessions/after/events")["events"].array
      #expect(events.map { $0["payload"]["message"].string } == ["new"])
      #expect(try await collector.json("/api/events")["events"].array.count == 1)
    }
  }

  /// The two packages have no code in common: the longest time stands in the SDK's sources.
  @Test func `marks outlast the longest time that a phone keeps anything, by four weeks`() throws {
    var root = URL(fileURLWithPath: #filePath)
    while root.lastPathComponent != "Collector" { root.deleteLastPathComponent() }
    let section = root.deletingLastPathComponent()
      .appending(path: "Sources/AutoMobileRecorder/Upload/Rules/UploadSection.swift")
    let text = try String(contentsOf: section, encoding: .utf8)
    let bound = try #require(
      text.firstMatch(of: /"keepDays"\)\.integer\(in: 1\.\.\.([0-9]+)/), "where do keepDays end?")
    let longest = try #require(Int64(bound.1))
    #expect(longest >= 90)
    #expect(ErasureMarks.lifetime >= (longest + 28) * Int64(Self.day))
    // Positions of what was dropped are known as long.
    #expect(AutoMobileCollector.Retention.remembered >= ErasureMarks.lifetime)
  }

  @Test func `what is of somebody who was erased is a context like others when the mark has ended`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      var batch = RawBatch()
      batch.addContext(1, session: "afterwards", user: Self.user)
      batch.addLog("hello again", at: Self.now + 60_000)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      let marked = "SELECT COUNT(*) FROM context WHERE erased < 0"
      #expect(try Int.fetchOne(database, sql: marked) == 1)
      try ErasureMarks.purge(at: WallClock.now + ErasureMarks.lifetime - 60_000, in: database)
      #expect(try Int.fetchOne(database, sql: marked) == 1)
      try ErasureMarks.purge(at: WallClock.now + ErasureMarks.lifetime + 60_000, in: database)
      #expect(try Int.fetchOne(database, sql: marked) == 0)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM context WHERE erased = 0") == 1)
    }
  }
}
