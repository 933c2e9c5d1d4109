import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What is told of sessions that end.
@Suite struct SessionEndTests {
  private func summaries(_ receiver: TestReceiver) -> [SdkSessionSummaryEvent] {
    receiver.store.events.values.flatMap(\.values).compactMap {
      (try? SdkEventDecoder.decode(Data($0.utf8))) as? SdkSessionSummaryEvent
    }
  }

  private func latest(_ receiver: TestReceiver, _ session: String) -> SdkSessionSummaryEvent? {
    summaries(receiver).filter { $0.session == session }.max { $0.revision < $1.revision }
  }

  /// By its latest summary, or by the one that this names.
  private func counts(_ receiver: TestReceiver, _ session: String) -> [String: Int] {
    guard let last = latest(receiver, session) else { return [:] }
    guard let same = last.sameAs else { return last.events }
    return summaries(receiver).first { $0.session == session && $0.revision == same }?.events ?? [:]
  }

  @Test func `a session that follows another one in a launch is told as one that goes on, and sent as a whole`()
    async throws
  {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let harness = try SdkHarness(configure: {
      $0.endpoint = receiver.url
      $0.upload = .whenTriggered(UploadRules([UploadRule("all", when: .sessions(fraction: 1))]))
    })
    let sdk = harness.sdk
    let first = try #require(sdk.sdkContext?.sessionId)
    for number in 0..<20 { sdk.trackEvent(name: "early \(number)") }
    sdk.flush()
    #expect(await eventually { latest(receiver, first)?.events["custom"] == 20 })
    sdk.runtime?.sessions.renew()
    let second = try #require(sdk.sdkContext?.sessionId)
    try #require(first != second)
    for number in 0..<30 {
      sdk.trackEvent(name: "late \(number)")
      if number % 10 == 9 { sdk.flush() }
    }
    #expect(await eventually { latest(receiver, first)?.isFinal == true })
    #expect(await eventually { latest(receiver, second)?.events["custom"] == 30 })
    sdk.flush()
    #expect(
      await eventually {
        receiver.store.events.values.flatMap(\.values).filter { $0.contains("\"late ") }.count == 30
      })
    #expect(Set(summaries(receiver).map(\.session)) == [first, second])
    #expect(latest(receiver, first)?.end == "ended" && counts(receiver, first)["custom"] == 20)
    #expect(latest(receiver, second)?.isFinal == false)
    #expect(receiver.store.violations == [])
  }

  @Test(arguments: [
    ("user_kill", "user_kill"), ("clean_exit", "ended"), ("out_of_memory", "out_of_memory"),
    ("hang_kill", "hang_kill"), ("unknown", "unknown"),
  ])
  func `how the launch before ended is told, also when that is known only later`(verdict: String, end: String)
    async throws
  {
    for isLate in [false, true] {
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      let keeping = try KeepingBench()
      let first = try keeping.bench.journal()
      first.setContext(1)
      first.log(1, at: 1)
      let launch = first.launch
      first.closeAndWait()
      let journal = try await keeping.journal(after: launch)
      defer { journal.closeAndWait() }
      journal.setContext(2)
      let keeper = keeping.keeper(journal, [])
      let told = Locked<[SdkSessionSummaryEvent]>([])
      keeper.setHost(
        UploadKeeper.Host(
          record: { summary, of, _ in
            if of == launch { told.withLock { $0.append(summary) } }
            return true
          }, isRecording: { true }))
      let worker = try keeping.worker(journal, to: receiver, keeper)
      if isLate { await keeping.settle(worker) }
      journal.appendSurely(
        #"{"eventType":"lifecycle","timestamp":5,"state":"previous_launch_ended","#
          + #""details":{"launchId":"\#(launch)","verdict":"\#(verdict)"},"contextId":2}"#)
      await keeping.settle(worker)
      await keeping.settle(worker)
      let summaries = told.withLock { $0 }
      #expect(summaries.last?.end == end, "late: \(isLate)")
      #expect(summaries.filter { !$0.isFinal }.isEmpty)
      // Told once more only when there is something else to say.
      #expect(summaries.map(\.revision) == (isLate && end != "unknown" ? [1, 2] : [1]))
      worker.stop(within: 0)
    }
  }

  @Test(arguments: [nil, "unknown", "user_kill", "clean_exit", "out_of_memory", "hang_kill", "crash"])
  func `an end is told with what the next launch tells of itself, and at once when it is a fault`(verdict: String?)
    async throws
  {
    let keeping = try KeepingBench()
    let told = Locked<[SdkSessionSummaryEvent]>([])
    func keeper(_ journal: Journal) -> UploadKeeper {
      let keeper = keeping.keeper(journal, [])
      keeper.setHost(
        UploadKeeper.Host(
          record: { summary, _, _ in
            told.withLock { $0.append(summary) }
            return true
          }, isRecording: { true }))
      return keeper
    }
    let first = try keeping.bench.journal()
    first.setContext(1)
    first.log(1, at: 1)
    let before = keeper(first)
    before.tellSessions()
    before.look([])
    #expect(told.withLock { $0.map(\.isFinal) } == [false])
    let launch = first.launch
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(2)
    if let verdict {
      journal.appendSurely(
        #"{"eventType":"lifecycle","timestamp":5,"state":"previous_launch_ended","#
          + #""details":{"launchId":"\#(launch)","verdict":"\#(verdict)"},"contextId":2}"#)
    } else {
      journal.log(2, at: 2)
    }
    let after = keeper(journal)
    for _ in 0..<3 { after.look([launch]) }
    let isFault = ["out_of_memory", "hang_kill", "crash"].contains(verdict)
    #expect(told.withLock { $0.count } == (isFault ? 2 : 1))
    after.tellSessions()
    after.look([launch])
    let summaries = told.withLock { $0 }
    #expect(summaries.map(\.isFinal) == [false, true, false])
    #expect(summaries[1].revision == 2 && summaries[1].session == summaries[0].session)
    #expect(summaries[1].end == (verdict.map { $0 == "clean_exit" ? "ended" : $0 } ?? "unknown"))
  }

  @Test func `an event that comes late for the session before is counted there, and told once more`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    func name(_ context: Int, _ session: String) {
      journal.setPreamble(.context, Array(#"{"contextId":\#(context),"sessionId":"\#(session)"}"#.utf8))
    }
    let keeper = keeping.keeper(journal, [])
    let told = Locked<[SdkSessionSummaryEvent]>([])
    keeper.setHost(
      UploadKeeper.Host(
        record: { summary, _, _ in
          told.withLock { $0.append(summary) }
          return true
        }, isRecording: { true }))
    let worker = try keeping.worker(journal, to: receiver, keeper)
    name(1, "A")
    journal.log(1, at: 1)
    name(2, "B")
    journal.log(2, at: 2, context: 2)
    await keeping.settle(worker)
    // A thread that began while the session was A's.
    journal.log(3, at: 3, context: 1)
    journal.log(4, at: 4, context: 2)
    await keeping.settle(worker)
    worker.stop(within: 0)
    let summaries = told.withLock { $0 }
    func latest(_ session: String) -> SdkSessionSummaryEvent? { summaries.last { $0.session == session } }
    #expect(latest("A")?.events == ["log": 2])
    #expect(latest("A")?.isFinal == true && latest("A")?.revision == 2)
    #expect(latest("B")?.events == ["log": 2])
    #expect(latest("B")?.isFinal == false)
  }

  enum Rest: CaseIterable { case here, nowhere, elsewhere }

  @Test(arguments: Rest.allCases)
  func `an end is told in short where the receiver has everything else, and whole where it has not`(rest: Rest)
    async throws
  {
    let isThere = rest == .here
    let (receiver, other) = (try TestReceiver(), try TestReceiver())
    defer { [receiver, other].forEach { $0.stop() } }
    // Port 9: nobody listens there.
    let first: URL? =
      switch rest {
      case .here: receiver.url
      case .nowhere: URL(string: "http://127.0.0.1:9")
      case .elsewhere: other.url
      }
    let directory = try TemporaryDirectory()
    let session = Locked("")
    func wait(_ isDone: () -> Bool) {
      let deadline = Date() + 90
      while !isDone(), Date() < deadline { usleep(5000) }
    }
    func configure(_ configuration: inout AutoMobileConfiguration, _ endpoint: URL?) {
      configuration.endpoint = endpoint
      configuration.upload = .whenTriggered(UploadRules([]))
    }
    try await SdkHarness.launch(in: directory, configure: { configure(&$0, first) }) { harness in
      for number in 0..<5 { harness.sdk.trackEvent(name: "event \(number)") }
      session.withLock { $0 = harness.sdk.sdkContext?.sessionId ?? "" }
      let recorded = harness.sdk.diagnostics.recorded
      harness.sdk.flush()
      wait { rest == .nowhere ? harness.sdk.diagnostics.recorded > recorded : harness.acknowledged > 0 }
    }
    try await SdkHarness.launch(in: directory, configure: { configure(&$0, receiver.url) }) { harness in
      harness.sdk.flush()
      wait { latest(receiver, session.withLock { $0 })?.isFinal == true }
    }
    let id = session.withLock { $0 }
    let end = try #require(latest(receiver, id))
    #expect(end.isFinal && end.end == "unknown" && end.revision == 2 && end.keptEvents ?? 0 >= 5 && end.keptDays == 7)
    #expect(end.sameAs == (isThere ? 1 : nil))
    let json = try #require(
      receiver.store.events.values.flatMap(\.values).first { $0.contains(#""revision":2"#) && $0.contains(id) })
    for member in ["startedAt", "events", "screens", "ofLaunch", "context"] {
      #expect(json.contains("\"\(member)\"") != isThere, "\(member) in \(json)")
    }
    if !isThere { #expect(end.events["custom"] == 5) }
    // The revision that the end leans on has come, and says the rest.
    let hasRest = { receiver in
      summaries(receiver).contains { $0.session == id && $0.revision == 1 && $0.events["custom"] == 5 }
    }
    #expect(hasRest(rest == .elsewhere ? other : receiver))
    #expect(receiver.store.violations == [] && other.store.violations == [])
  }

  enum Fate: CaseIterable { case taken, refused, gone }

  @Test(arguments: Fate.allCases)
  func `an end leans on a summary that the receiver has taken, and on none that it refused or that is gone`(fate: Fate)
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { traits in
      traits.isUp = fate != .gone
      traits.rejects = { fate == .refused && $0.contains("session_summary") }
    }
    defer { receiver.stop() }
    let told = Locked<[SdkSessionSummaryEvent]>([])
    func keeper(_ journal: Journal) -> UploadKeeper {
      let keeper = keeping.keeper(journal, [])
      keeper.setHost(
        UploadKeeper.Host(
          record: { summary, _, _ in
            told.withLock { $0.append(summary) }
            let position = try? withEncodedEvent(summary, contextId: 1) { journal.append(.event, $0) }
            return position != nil
          }, isRecording: { true }))
      return keeper
    }
    let first = try keeping.bench.journal()
    first.setContext(1)
    first.log(1, at: 1)
    let launch = first.launch
    let before = keeper(first)
    let worker = try keeping.worker(first, to: receiver, before)
    await keeping.settle(worker)
    await withCheckedContinuation { done in worker.stop(within: 0) { done.resume() } }
    #expect(told.withLock { $0.map(\.isFinal) } == [false])
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    if fate == .gone { _ = journal.locked(launch) { journal.store.discard(0, of: $0, as: .evicted) } }
    let after = keeper(journal)
    after.receiver = before.receiver
    after.tellSessions()
    after.look([launch])
    let end = try #require(told.withLock { $0.last { $0.isFinal } })
    #expect(end.session == "session 1" && end.revision == 2)
    #expect(end.sameAs == (fate == .taken ? 1 : nil))
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `how a session ended is told before its launch is gone, also when all of it was sent`(
    dialect: TestReceiver.Dialect
  ) async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver(dialect)
    defer { receiver.stop() }
    let told = Locked<[SdkSessionSummaryEvent]>([])
    func worker(_ journal: Journal, context: UInt64) throws -> DeliveryWorker {
      let keeper = keeping.keeper(journal, [UploadRule("all", when: .sessions(fraction: 1))])
      keeper.setHost(
        UploadKeeper.Host(
          record: { summary, _, _ in
            told.withLock { $0.append(summary) }
            let position = try? withEncodedEvent(summary, contextId: context) { journal.append(.event, $0) }
            return position != nil
          }, isRecording: { true }))
      return try keeping.worker(journal, to: receiver, keeper)
    }
    let first = try keeping.bench.journal()
    first.setContext(1)
    first.log(1, at: 1)
    let launch = first.launch
    let before = try worker(first, context: 1)
    await keeping.settle(before)
    await withCheckedContinuation { done in before.stop(within: 0) { done.resume() } }
    // It is killed in the background, where all has been told.
    #expect(told.withLock { $0.map(\.isFinal) } == [false])
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(2)
    journal.log(2, at: 2, context: 2)
    let after = try worker(journal, context: 2)
    #expect(
      await eventually(keeping.clock) {
        after.wake()
        return !journal.launches().contains(launch)
      })
    await keeping.settle(after)
    let ends = told.withLock { $0.filter(\.isFinal) }
    #expect(ends.map(\.session) == ["session 1"] && ends.first?.revision == 2 && ends.first?.end == "unknown")
    #expect(latest(receiver, "session 1")?.isFinal == true)
    #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
    after.stop(within: 0)
  }

  @Test func `an end is told whole when something has changed since, and when it is a fault`() {
    var tally = SessionTally(session: "s", contextId: 1, at: 1)
    (tally.revision, tally.hasEnded, tally.end) = (1, true, .userKill)
    #expect(tally.isToldButEnd)
    for change: (inout SessionTally) -> Void in [
      { $0.counts[0] += 1 }, { $0.memory.peak = 7 }, { $0.end = .crash }, { $0.revision = 0 }, { $0.isOver = true },
    ] {
      var other = tally
      change(&other)
      #expect(!other.isToldButEnd)
    }
  }

  @Test func `an app that drops summaries is asked once for each, not with every flush`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let harness = try SdkHarness(configure: {
      $0.endpoint = receiver.url
      $0.upload = .whenTriggered(UploadRules([]))
    })
    let sdk = harness.sdk
    let asked = Locked(0)
    sdk.addEventProcessor { event in
      guard event is SdkSessionSummaryEvent else { return event }
      asked.withLock { $0 += 1 }
      return nil
    }
    sdk.trackEvent(name: "one")
    sdk.flush()
    #expect(await eventually { asked.withLock { $0 } == 1 })
    sdk.runtime?.sessions.renew()
    sdk.trackEvent(name: "two")
    for _ in 0..<20 {
      sdk.flush()
      try await Task.sleep(for: .milliseconds(20))
    }
    // The first one going on, the first one ended, the second one going on.
    #expect(await eventually { asked.withLock { $0 } >= 3 })
    #expect(asked.withLock { $0 } <= 4)
    // What a processor drops is counted after it has been asked.
    #expect(await eventually { sdk.runtime?.journal.ledger.dropped["filtered"] == UInt64(asked.withLock { $0 }) })
  }
}
