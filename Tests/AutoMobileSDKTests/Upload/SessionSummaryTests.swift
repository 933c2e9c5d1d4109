import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What is told of every session.
@Suite struct SessionSummaryTests {
  private func configured(_ receiver: TestReceiver, _ rules: [UploadRule] = []) -> (inout AutoMobileConfiguration) ->
    Void
  {
    {
      $0.endpoint = receiver.url
      $0.upload = .whenTriggered(UploadRules(rules))
    }
  }

  private func summaries(_ receiver: TestReceiver) throws -> [SdkSessionSummaryEvent] {
    try receiver.store.events.values.flatMap(\.values).compactMap {
      try SdkEventDecoder.decode(Data($0.utf8)) as? SdkSessionSummaryEvent
    }.sorted { ($0.timestamp, $0.revision) < ($1.timestamp, $1.revision) }
  }

  @Test func `an app with rules sends what they name and a summary, and everything else stays`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let harness = try SdkHarness(
      configure: configured(
        receiver, [UploadRule("capture", when: .capture, send: UploadSpan(minutesBefore: 0, minutesAfter: 0))]))
    let sdk = harness.sdk
    for number in 0..<20 { sdk.trackEvent(name: "event \(number)") }
    sdk.record(SdkNavigationEvent(destination: "home", source: .custom))
    sdk.record(SdkNetworkRequestEvent(url: "u", method: "GET", statusCode: 503))
    sdk.record(SdkLogEvent(level: .error, tag: nil, message: "m", filterName: "f"))
    sdk.flush()
    #expect(await eventually { (try? summaries(receiver).count) ?? 0 > 0 })
    let first = receiver.store.events.values.flatMap(\.values)
    #expect(first.allSatisfy { $0.contains("session_summary") }, "\(first)")
    let summary = try #require(try summaries(receiver).last)
    #expect(summary.events["custom"] == 20 && summary.events["log"] == 1)
    #expect(summary.screens == ["home"] && summary.requests == ["5xx": 1] && summary.errors == 1)
    #expect(!summary.isFinal && summary.end == nil)
    #expect(summary.session == sdk.sdkContext?.sessionId)
    let json = String(decoding: try withEncodedEvent(summary, contextId: nil) { Array($0) }, as: UTF8.self)
    let counts = summary.events.keys.sorted().map { "\"\($0)\":\(summary.events[$0] ?? 0)" }
    #expect(json.contains("\"events\":{" + counts.joined(separator: ",") + "}"), "\(json)")
    // So that a body that names both says it once.
    #expect(summary.session == sdk.runtime?.journal.launch.description)
    #expect(summary.keptEvents ?? 0 >= 23)
    sdk.capture(reason: "the user says so")
    #expect(
      await eventually { receiver.store.events.values.flatMap(\.values).contains { $0.contains("the user says so") } })
    #expect(sdk.diagnostics.upload?.rules == ["capture"])
    #expect(sdk.diagnostics.upload?.isKeeping == true)
    #expect(!receiver.store.events.values.flatMap(\.values).contains { $0.contains("\"event 3\"") })
    #expect(receiver.store.violations == [])
  }

  @Test func `the next launch tells of sessions that nobody could end, once, and with the same counts`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    let first = Locked<LaunchID?>(nil)
    // Nobody sends anything in this launch.
    try await SdkHarness.launch(in: directory) { harness in
      for number in 0..<30 { harness.sdk.trackEvent(name: "event \(number)") }
      first.withLock { $0 = harness.sdk.runtime?.journal.launch }
    }
    for round in 0..<2 {
      try await SdkHarness.launch(in: directory, configure: configured(receiver)) { harness in
        harness.sdk.flush()
        let deadline = Date() + 90
        while (try? summaries(receiver).contains { $0.isFinal }) != true, Date() < deadline { usleep(5000) }
        if round == 1 { usleep(200_000) }
      }
    }
    let launch = try #require(first.withLock { $0 })
    let told = receiver.store.events.values.flatMap(\.values).filter { $0.contains(#""ofLaunch":"\#(launch)""#) }
    #expect(told.count == 1)
    let json = try #require(told.first)
    let summary = try #require(try SdkEventDecoder.decode(Data(json.utf8)) as? SdkSessionSummaryEvent)
    #expect(summary.events["custom"] == 30 && summary.isFinal && summary.end == "unknown" && summary.revision == 1)
    #expect(summary.keptEvents == 30)
  }

  @Test func `a summary has at most a kilobyte, whatever the session was like`() throws {
    var tally = SessionTally(session: UUID().uuidString, contextId: .max, at: .max)
    tally.counts = tally.counts.map { _ in 99_999_999 }
    tally.requests = tally.requests.map { _ in 99_999_999 }
    tally.screens = (0..<SessionTally.mostScreens).map { "\($0)" + String(repeating: "\u{1F600}", count: 10) }
    tally.screenVisits = 99_999_999
    (tally.slowFrames, tally.frozenFrames, tally.errors, tally.crashes) = (99_999_999, 99_999_999, 99_999_999, 99_999)
    (tally.launchMs, tally.launchKind, tally.end, tally.hasEnded) = (99_999_999, "prewarmed", .outOfMemory, true)
    tally.revision = 99_999
    (tally.memory.peak, tally.memory.left, tally.memoryWarnings) = (99_999_999_999, 99_999_999_999, 99_999)
    let kept = KeptOfLaunch(events: 99_999_999, bytes: 99_999_999, days: 90)
    let summary = tally.summary(now: 9_999_999_999_999, kept: kept)
    #expect(summary.size ?? 0 > 1024)
    #expect(summary.fitted.size ?? .max <= SdkSessionSummaryEvent.maximumSize)
    #expect(summary.fitted.events.count == EventTypeNumber.count)
  }

  @Test func `a session is counted by what its events say`() throws {
    let events: [any SdkEvent] = [
      SdkCustomEvent(timestamp: 10, name: "App Launch", properties: ["totalMs": 812, "kind": "cold"]),
      SdkCustomEvent(timestamp: 20, name: "Frames", properties: ["scope": "screen", "slow": 3, "frozen": 1]),
      SdkCustomEvent(timestamp: 21, name: "Frames", properties: ["scope": "second", "slow": 3, "frozen": 1]),
      SdkNavigationEvent(timestamp: 30, destination: "a", source: .custom),
      SdkNavigationEvent(timestamp: 31, destination: "b\"", source: .custom),
      SdkNavigationEvent(timestamp: 32, destination: "a", source: .custom),
      SdkNetworkRequestEvent(timestamp: 40, url: "u", method: "GET", statusCode: 204),
      SdkNetworkRequestEvent(timestamp: 41, url: "u", method: "GET", error: "lost"),
      SdkLogEvent(timestamp: 50, level: .warning, tag: nil, message: "m", filterName: "f"),
      SdkLogEvent(timestamp: 5, level: .fault, tag: nil, message: "m", filterName: "f"),
      SdkBroadcastEvent(timestamp: 45, action: "UIApplicationDidReceiveMemoryWarningNotification"),
      SdkBroadcastEvent(timestamp: 46, action: "UIApplicationSignificantTimeChangeNotification"),
      SdkLifecycleEvent(timestamp: 47, state: "memory_warning"), SdkLifecycleEvent(timestamp: 48, state: "active"),
    ]
    var tally = SessionTally(session: "s", contextId: nil, at: 10)
    for event in events {
      try withEncodedEvent(event, contextId: 1) { tally.add(EventBytes($0), EventHead(EventBytes($0))) }
    }
    #expect(tally.events == 14 && tally.memoryWarnings == 2 && tally.startedAt == 5 && tally.lastAt == 50)
    #expect(tally.launchMs == 812 && tally.launchKind == "cold")
    #expect(tally.slowFrames == 3 && tally.frozenFrames == 1)
    #expect(tally.screens == ["a", "b\""] && tally.screenVisits == 3)
    #expect(tally.requests[2] == 1 && tally.requests[0] == 1 && tally.errors == 1)
    (tally.memory.peak, tally.memory.left) = (7, nil)
    let again = try JSONDecoder().decode(SessionTally.self, from: JSONEncoder().encode(tally))
    #expect(again == tally)
  }

  @Test func `a summary tells the most memory that a session had, and the least that was left`() async throws {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    func use(_ footprint: UInt64, of limit: UInt64) {
      LaunchState(time: 1, stage: .active, memory: MemoryUse(footprint: footprint, limit: limit)).append(to: journal)
    }
    // Before its first event: it is what the first session begins with.
    use(300, of: 1000)
    for (session, uses) in [(1, [(700, 1000), (200, 1000)]), (2, [(150, 400)]), (3, [])] as [(Int, [(UInt64, UInt64)])]
    {
      journal.setContext(session)
      journal.log(session, at: Double(session), context: session)
      for (footprint, limit) in uses { use(footprint, of: limit) }
    }
    let keeper = keeping.keeper(journal, [])
    keeper.look([])
    let sessions = try #require(keeper.evaluations[journal.launch]).note.sessions
    #expect(sessions.map(\.memory.peak) == [700, 200, 150])
    #expect(sessions.map(\.memory.left) == [300, 250, 250])
    let told = try sessions.map { tally in
      let json = try withEncodedEvent(tally.summary(now: 9, kept: nil), contextId: 1) { Data($0) }
      return try #require(try SdkEventDecoder.decode(json) as? SdkSessionSummaryEvent)
    }
    #expect(told.map(\.memoryPeak) == [700, 200, 150] && told.map(\.memoryLeft) == [300, 250, 250])
    // A process that is killed looks on from there.
    let note = try JSONDecoder().decode(LaunchNote.self, from: Data(try #require(journal.note(of: journal.launch))))
    #expect(note.sessions == sessions && note.memory.peak == 150)
  }

  @Test func `where nobody looks at memory, nothing is told of it`() throws {
    let tally = SessionTally(session: "s", contextId: nil, at: 1)
    let json = try withEncodedEvent(tally.summary(now: 9, kept: nil), contextId: 1) {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(!json.contains("memoryPeak") && !json.contains("memoryLeft"))
    for state in ["{}", #"{"memory":{"footprint":0,"limit":9}}"#, #"{"memory":{"footprint":"x"}}"#, "none"] {
      #expect(Array(state.utf8).withUnsafeBytes { SessionMemory(state: $0) } == SessionMemory(), "\(state)")
    }
  }
}
