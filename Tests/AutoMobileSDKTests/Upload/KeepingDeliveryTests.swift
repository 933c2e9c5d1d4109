import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What leaves the device, where only what is named does.
@Suite struct KeepingDeliveryTests {
  private let errors = UploadRule(
    "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 1, minutesAfter: 0.5))

  @Test func `what is around an event that a rule names is sent, whole, and nothing else`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal(segmentSize: 16 * 1024)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    // One a second, for ten minutes, over several segments.
    for second in 0..<600 {
      journal.log(second, at: Double(second), level: second == 300 ? .error : .info, filling: 40)
    }
    let keeper = keeping.keeper(journal, [errors])
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(240...330))
    #expect(receiver.store.violations == [])
    #expect(receiver.store.duplicates == 0)
    #expect(journal.ledger.kept == 600 - 91)
    #expect(keeper.status.marks == 0)
    // What comes later is looked at as it comes.
    for second in 600..<660 { journal.log(second, at: Double(second), level: second == 630 ? .fault : .info) }
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(240...330) + Array(570..<660))
    for second in 660..<700 { journal.log(second, at: Double(second)) }
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(240...330) + Array(570...660))
    #expect(journal.ledger.kept == UInt64(700 - 91 - 91))
    worker.stop(within: 0)
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `a receiver is asked once which format it takes, before it gets anything, and whatever it answers`(
    dialect: TestReceiver.Dialect
  ) async throws {
    // Some refuse a batch without events.
    for refusal in [nil, 400, 422, 500] as [Int?] {
      let keeping = try KeepingBench()
      let receiver = try TestReceiver(dialect) { number in
        guard number == 0, let refusal else { return .take }
        return .instead(dialect.answer(refusal, #"{"ok":false}"#))
      }
      defer { receiver.stop() }
      let journal = try keeping.bench.journal()
      defer { journal.closeAndWait() }
      journal.setContext(1)
      for second in 0..<10 { journal.log(second, at: Double(second), level: second == 5 ? .error : .info) }
      let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [errors]))
      worker.wake()
      #expect(await eventually(keeping.clock) { receiver.store.numbers(of: journal.launch) == Array(0..<10) })
      let first = try #require(receiver.requests.first)
      #expect(first.headers["content-type"] == "application/json")
      let question = String(decoding: first.body, as: UTF8.self)
      // The counts come with what follows.
      #expect(!question.contains("eventType") && !question.contains("ledger"))
      #expect(receiver.requests.count == 2, "\(refusal ?? 200)")
      let asked = refusal == nil ? 1 : 0
      #expect(receiver.store.taken[.envelope, default: 0] == (dialect == .both ? asked : asked + 1))
      #expect(receiver.store.taken[.journal, default: 0] == (dialect == .both ? 1 : 0))
      #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
      worker.stop(within: 0)
    }
  }

  @Test func `crashes, handled failures, hangs and summaries go at once, whatever the rules say`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for number in 0..<40 {
      let type = number % 10 == 5 ? ["crash", "handled_exception", "session_summary", "hang"][number / 10] : "custom"
      journal.appendSurely(
        #"{"eventType":"\#(type)","timestamp":5,"name":"event \#(number)","contextId":1}"#)
    }
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, []))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == [5, 15, 25, 35])
    #expect(receiver.store.violations == [])
    #expect(journal.ledger.kept == 36)
    worker.stop(within: 0)
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `the next launch sends what was marked, or should have been, and ends the launch when nothing of it is kept`(
    dialect: TestReceiver.Dialect
  ) async throws {
    let keeping = try KeepingBench()
    let first = try keeping.bench.journal()
    first.setContext(1)
    for second in 0..<100 { first.log(second, at: Double(second), level: second == 50 ? .error : .info) }
    let launch = first.launch
    first.closeAndWait()
    let receiver = try TestReceiver(dialect)
    defer { receiver.stop() }
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    let keeper = keeping.keeper(journal, [errors])
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(0...80))
    #expect(receiver.store.violations == [])
    #expect(journal.ledger(of: launch)?.final == false)
    #expect(journal.ledger(of: launch)?.kept == 19)
    // Somebody asks for the rest.
    worker.follow(
      .whenTriggered(UploadRules([errors])),
      asks: [UploadAsk(id: "1", subject: .session("session 1"), from: 0, to: .max, reason: nil, priority: 6)])
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(0..<100))
    #expect(receiver.store.duplicates == 0)
    await keeping.settle(worker)
    if dialect == .both {
      #expect(receiver.store.ledgers[launch] == LaunchLedger(recorded: 100, final: true, kept: 0))
    }
    #expect(!journal.launches().contains(launch))
    worker.stop(within: 0)
  }

  @Test func `a crash that is told by the next launch sends the minutes before it`() async throws {
    let keeping = try KeepingBench()
    let first = try keeping.bench.journal()
    first.setContext(1)
    for second in 0..<1000 { first.log(second, at: Double(second)) }
    let launch = first.launch
    first.closeAndWait()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.appendSurely(
      #"{"eventType":"crash","timestamp":\#(KeepingBench.start + 999_500),"ofLaunch":"\#(launch)","sessionId":"s"}"#)
    let rule = UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 5, minutesAfter: 0))
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(700..<1000))
    #expect(receiver.store.events[journal.launch]?.count == 1)
    #expect(receiver.store.order.first == journal.launch)
    worker.stop(within: 0)
  }

  @Test func `an unexpected end sends what was before it, and an expected one nothing`() async throws {
    for (verdict, expected) in [("out_of_memory", 60), ("updated", 0)] {
      let keeping = try KeepingBench()
      let first = try keeping.bench.journal()
      first.setContext(1)
      for second in 0..<100 { first.log(second, at: Double(second)) }
      let launch = first.launch
      first.closeAndWait()
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      let journal = try await keeping.journal(after: launch)
      defer { journal.closeAndWait() }
      journal.setContext(1)
      journal.appendSurely(
        #"{"eventType":"lifecycle","timestamp":9999999999999,"state":"previous_launch_ended","#
          + #""details":{"launchId":"\#(launch)","verdict":"\#(verdict)"},"contextId":1}"#)
      let rule = UploadRule("end", when: .unexpectedEnd, send: UploadSpan(minutesBefore: 1, minutesAfter: 0))
      let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
      await keeping.settle(worker)
      #expect(receiver.store.numbers(of: launch).count == (expected == 0 ? 0 : expected + 1), "\(verdict)")
      worker.stop(within: 0)
    }
  }

  @Test func `a rule applies no more often a day than it may, also over launches, and again the day after`()
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let rule = UploadRule(
      "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0, perDay: 3))
    var expected = 0
    for (day, count) in [(0, 2), (0, 1), (0, 0), (1, 3)] {
      if day > 0 { keeping.clock.pass(milliseconds: 86_400_000) }
      let journal = try keeping.bench.journal()
      journal.setContext(1)
      for number in 0..<(count == 2 ? 2 : 5) {
        journal.log(number, at: Double(number) * 10, level: .error)
        journal.log(100 + number, at: Double(number) * 10 + 5)
      }
      let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
      await keeping.settle(worker)
      expected += count
      let sent = receiver.store.events.values.reduce(0) { $0 + $1.count }
      #expect(sent == expected, "day \(day)")
      worker.stop(within: 0)
      journal.closeAndWait()
    }
  }

  @Test func `what matters more goes first`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<1000 {
      let level: LogLevel = second == 200 ? .warning : second == 500 ? .fault : second == 800 ? .error : .info
      journal.log(second, at: Double(second), level: level)
    }
    func rule(_ name: String, _ level: LogLevel, _ priority: Int) -> UploadRule {
      UploadRule(
        name, when: .log(atLeast: level),
        send: UploadSpan(minutesBefore: 0.05, minutesAfter: 0.05, priority: priority))
    }
    let keeper = keeping.keeper(journal, [rule("w", .warning, 1), rule("f", .fault, 9), rule("e", .error, 5)])
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch).count == 21)
    var order: [Int] = []
    for request in receiver.requests {
      let body = try #require(plain(Array(request.body), coding: request.headers["content-encoding"]))
      var text = String(decoding: body, as: UTF8.self)
      // The first one is an envelope: nobody has said yet that there is another format.
      if request.headers["content-type"] == "application/json",
        let envelope = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      {
        let payloads = (envelope["events"] as? [[String: Any]] ?? []).compactMap { $0["payload"] as? String }
        text = payloads.compactMap { Data(base64Encoded: $0).map { String(decoding: $0, as: UTF8.self) } }.joined()
      }
      order += [203, 503, 803].filter { text.contains("\"event \($0)\"") }
    }
    #expect(order == [503, 803, 203])
    worker.stop(within: 0)
  }

  @Test func `a share of sessions is sent as a whole, by their ids alone`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for number in 0..<200 {
      journal.setContext(number / 10)
      journal.log(number, at: Double(number), context: number / 10)
    }
    let rule = UploadRule("share", when: .sessions(fraction: 0.3))
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
    await keeping.settle(worker)
    let sampled = (0..<20).filter { SessionSampling.isSampled("session \($0)", rate: 0.3) }
    #expect(!sampled.isEmpty && sampled.count < 20)
    let expected: [Int] = (0..<200).filter { sampled.contains($0 / 10) }
    #expect(receiver.store.numbers(of: journal.launch) == expected)
    #expect(receiver.store.violations == [])
    worker.stop(within: 0)
  }

  @Test(arguments: [nil, .crash, .sessions(fraction: 0.5)] as [UploadTrigger?])
  func `a share of sessions that is taken back ends with what had been looked at`(trigger: UploadTrigger?) async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for number in 0..<10 { journal.log(number, at: Double(number)) }
    let keeper = keeping.keeper(journal, [UploadRule("share", when: .sessions(fraction: 1))])
    let replay = ReplayStretches(url: nil, holding: .unknown, wall: { KeepingBench.start })
    keeper.replay = replay
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<10))
    // Another share is for sessions that begin after that.
    worker.follow(.whenTriggered(UploadRules(trigger.map { [UploadRule("share", when: $0)] } ?? [])))
    for number in 10..<20 { journal.log(number, at: Double(number)) }
    await keeping.settle(worker)
    let goesOn = trigger != nil && trigger != .crash
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<(goesOn ? 20 : 10)))
    #expect(keeper.status.marks == (goesOn ? 1 : 0))
    #expect(journal.ledger.kept == (goesOn ? 0 : 10))
    let end = goesOn ? Int64.max : KeepingBench.start + 9000
    #expect(replay.ranges(of: journal.launch.description) == [KeepingBench.start...end])
    worker.stop(within: 0)
  }

  @Test func `events whose contexts are far away are sent with these, also when there were many`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal(segmentSize: 16 * 1024)
    defer { journal.closeAndWait() }
    for number in 0..<800 {
      journal.setContext(number)
      journal.log(number, at: Double(number), level: number % 100 == 7 ? .error : .info, context: number)
    }
    let rule = UploadRule("e", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0))
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == [7, 107, 207, 307, 407, 507, 607, 707])
    let events = receiver.store.events[journal.launch, default: [:]].values
    #expect(events.allSatisfy { $0.contains(#""sessionId":"session "#) })
    #expect(receiver.store.violations == [])
    worker.stop(within: 0)
  }

  @Test func `where everything is sent again, what was kept comes, once`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<300 { journal.log(second, at: Double(second), level: second == 150 ? .error : .info) }
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [errors]))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch).count == 91)
    worker.follow(.everything)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<300))
    #expect(receiver.store.duplicates == 0)
    #expect(journal.ledger.kept == nil && journal.ledger.recorded == 300)
    // And back.
    worker.follow(.whenTriggered(UploadRules([errors])))
    for second in 300..<400 { journal.log(second, at: Double(second)) }
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<300))
    #expect(journal.ledger.kept == 100)
    worker.stop(within: 0)
  }

  @Test func `what a receiver refuses counts as rejected, and trouble loses nothing`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { traits in
      traits.rejects = { $0.contains("\"event 295\"") }
      traits.mood = { $0 % 3 == 0 ? .instead(.json(503, "{}")) : $0 % 3 == 1 ? .takeAndSay(.close) : .take }
    }
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<600 { journal.log(second, at: Double(second), level: second == 300 ? .error : .info) }
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [errors]))
    worker.wake()
    #expect(await eventually(keeping.clock) { journal.ledger.kept == 509 })
    #expect(receiver.store.numbers(of: journal.launch) == Array(240...330).filter { $0 != 295 })
    #expect(journal.ledger.dropped["rejected"] == 1)
    #expect(receiver.store.violations == [])
    worker.stop(within: 0)
  }

  @Test func `an app that records all the time is not sending all the time`() async throws {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    // While a request is under way, seven events are recorded.
    let receiver = try TestReceiver { number in
      for next in 0..<7 { journal.log(100 + number * 7 + next, at: Double(100 + number * 7 + next)) }
      return .take
    }
    defer { receiver.stop() }
    journal.setContext(1)
    for number in 0..<25 { journal.log(number, at: Double(number), level: number == 0 ? .error : .info) }
    let lasting = UploadRule(
      "lasting", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 60))
    let keeper = keeping.keeper(journal, [UploadRule("all", when: .sessions(fraction: 1)), lasting])
    let worker = try keeping.bench.worker(journal, to: receiver.url) {
      $0.keeper = keeper
      $0.pace = DeliveryPolicy()
      $0.maximumRecords = 10
    }
    func wake() {
      for _ in 0..<5 {
        worker.wake()
        worker.queue.sync {}
      }
    }
    worker.wake()
    #expect(await eventually { worker.status.waitsFor == .interval })
    wake()
    // The question for the format, and what there was by then.
    #expect(receiver.requests.count == 4)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<25))
    // Whoever asks for a delivery gets what there is by then, and is told when that has gone.
    let isDone = Locked(false)
    worker.deliverNow { isDone.withLock { $0 = true } }
    #expect(await eventually { isDone.withLock { $0 } })
    wake()
    #expect(receiver.requests.count == 7)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<25) + Array(100..<128))
    // The rest follows by itself.
    #expect(worker.status.waitsFor == .interval)
    keeping.clock.advance(milliseconds: 30_000)
    #expect(
      await eventually {
        receiver.requests.count == 10
          && receiver.store.numbers(of: journal.launch) == Array(0..<25) + Array(100..<149)
      })
    #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
    worker.stop(within: 0)
  }

  @Test func `whoever asks for a delivery while one goes on gets what has been recorded by then`() async throws {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    let (asking, isDone) = (Locked<DeliveryWorker?>(nil), Locked(false))
    let receiver = try TestReceiver { number in
      guard number == 1 else { return .take }
      journal.log(50, at: 50)
      asking.withLock { $0 }?.deliverNow { isDone.withLock { $0 = true } }
      journal.log(51, at: 51)
      return .take
    }
    defer { receiver.stop() }
    journal.setContext(1)
    for number in 0..<5 { journal.log(number, at: Double(number)) }
    let keeper = keeping.keeper(journal, [UploadRule("all", when: .sessions(fraction: 1))])
    let worker = try keeping.bench.worker(journal, to: receiver.url) {
      $0.keeper = keeper
      $0.pace = DeliveryPolicy()
    }
    asking.withLock { $0 = worker }
    worker.wake()
    #expect(await eventually { isDone.withLock { $0 } })
    #expect(receiver.store.numbers(of: journal.launch) == [0, 1, 2, 3, 4, 50, 51])
    #expect(receiver.requests.count == 3)
    asking.withLock { $0 = nil }
    worker.stop(within: 0)
  }
}
