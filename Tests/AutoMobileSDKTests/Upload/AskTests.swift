import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What somebody at the collector asks for.
@Suite struct AskTests {
  private func ask(_ subject: UploadAsk.Subject, from: Int64 = 0, to: Int64 = .max, id: String = "1") -> UploadAsk {
    UploadAsk(id: id, subject: subject, from: from, to: to, reason: nil, priority: 6)
  }

  private func setContext(_ journal: Journal, _ id: Int, user: String) {
    journal.setPreamble(
      .context,
      Array(
        #"{"contextId":\#(id),"sessionId":"session \#(id)","userId":"\#(user)","anonymousId":"device","appVersion":"1.\#(id)"}"#
          .utf8))
  }

  @Test func `a user, a device, a session or a version is sent within its time, before and after it was asked for`()
    async throws
  {
    let start = KeepingBench.start
    let cases: [(UploadAsk, [Int])] = [
      (ask(.user("eve")), Array(20..<30) + Array(40..<50)), (ask(.device("device")), Array(0..<60)),
      (ask(.session("session 2")), Array(20..<30)), (ask(.appVersion("1.4")), Array(40..<50)),
      (ask(.device("device"), from: start + 15_000, to: start + 44_000), Array(15...44)), (ask(.user("nobody")), []),
      // Compared as given.
      (ask(.user("Eve")), []),
    ]
    for (ask, expected) in cases {
      let keeping = try KeepingBench()
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      let journal = try keeping.bench.journal(segmentSize: 16 * 1024)
      defer { journal.closeAndWait() }
      func record(_ contexts: Range<Int>) {
        for context in contexts {
          setContext(journal, context, user: context == 2 || context == 4 ? "eve" : "adam")
          for number in 0..<10 {
            journal.log(context * 10 + number, at: Double(context * 10 + number), context: context, filling: 300)
          }
        }
      }
      record(0..<4)
      let keeper = keeping.keeper(journal, [])
      let worker = try keeping.worker(journal, to: receiver, keeper)
      await keeping.settle(worker)
      #expect(receiver.store.events.isEmpty)
      worker.follow(.whenTriggered(UploadRules([])), asks: [ask])
      await keeping.settle(worker)
      record(4..<6)
      await keeping.settle(worker)
      #expect(receiver.store.numbers(of: journal.launch) == expected, "\(ask.subject)")
      #expect(receiver.store.violations == [])
      #expect(journal.ledger.kept == UInt64(60 - expected.count))
      worker.stop(within: 0)
    }
  }

  @Test func `the same ask, told again and by the next launch, sends nothing twice`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let first = try keeping.bench.journal()
    setContext(first, 1, user: "eve")
    for number in 0..<50 { first.log(number, at: Double(number)) }
    let asks = [ask(.user("eve"), to: KeepingBench.start + 20_000)]
    let worker = try keeping.worker(first, to: receiver, keeping.keeper(first, [], asks: asks))
    await keeping.settle(worker)
    worker.follow(.whenTriggered(UploadRules([])), asks: asks)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: first.launch) == Array(0...20))
    worker.stop(within: 0)
    let launch = first.launch
    first.closeAndWait()
    let second = try await keeping.journal(after: launch)
    defer { second.closeAndWait() }
    let next = try keeping.worker(second, to: receiver, keeping.keeper(second, [], asks: asks))
    await keeping.settle(next)
    #expect(receiver.store.numbers(of: launch) == Array(0...20))
    #expect(receiver.store.duplicates == 0)
    next.stop(within: 0)
  }

  @Test func `an ask that was corrected under its id is looked for again`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    setContext(journal, 1, user: "eve")
    for number in 0..<50 { journal.log(number, at: Double(number)) }
    let start = KeepingBench.start
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, []))
    worker.follow(.whenTriggered(UploadRules([])), asks: [ask(.user("eve"), to: start + 10_000)])
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0...10))
    worker.follow(.whenTriggered(UploadRules([])), asks: [ask(.user("eve"), to: start + 20_000)])
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0...20))
    #expect(receiver.store.duplicates == 0)
    worker.stop(within: 0)
  }

  @Test func `an ask that comes again is answered for what was recorded while it was away, by the next launch as well`()
    async throws
  {
    for isNextLaunch in [false, true] {
      let keeping = try KeepingBench()
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      let first = try keeping.bench.journal()
      setContext(first, 1, user: "eve")
      func record(_ numbers: Range<Int>) { for number in numbers { first.log(number, at: Double(number)) } }
      let asks = [ask(.user("eve"))]
      record(0..<10)
      let worker = try keeping.worker(first, to: receiver, keeping.keeper(first, [], asks: asks))
      await keeping.settle(worker)
      worker.follow(.whenTriggered(UploadRules([])), asks: [])
      record(10..<20)
      await keeping.settle(worker)
      #expect(receiver.store.numbers(of: first.launch) == Array(0..<10))
      let launch = first.launch
      if isNextLaunch {
        worker.stop(within: 0)
        first.closeAndWait()
        let second = try await keeping.journal(after: launch)
        defer { second.closeAndWait() }
        let next = try keeping.worker(second, to: receiver, keeping.keeper(second, [], asks: asks))
        await keeping.settle(next)
        next.stop(within: 0)
      } else {
        worker.follow(.whenTriggered(UploadRules([])), asks: asks)
        record(20..<30)
        await keeping.settle(worker)
        worker.stop(within: 0)
        first.closeAndWait()
      }
      #expect(receiver.store.numbers(of: launch) == Array(0..<(isNextLaunch ? 20 : 30)))
      #expect(receiver.store.duplicates == 0)
    }
  }

  @Test func `an ask that goes before it is answered begins at the beginning when it comes again`() {
    let evaluation = LaunchEvaluation(LaunchID(), isOwn: true, note: LaunchNote())
    let (one, other) = (ask(.user("eve")), ask(.user("adam"), id: "2"))
    #expect(evaluation.position(of: [one, other]) == 0)
    evaluation.answered(to: 4096)
    evaluation.forgetAnswered(but: [other, one])
    #expect(evaluation.position(of: [one, other]) == 4096)
    // One of them is gone, and here again.
    evaluation.isChanged = false
    evaluation.forgetAnswered(but: [one])
    #expect(evaluation.isChanged && evaluation.note.asking.isEmpty)
    #expect(evaluation.position(of: [one, other]) == 0)
  }

  @Test func `an ask that needs more marks than wait at a time is answered by and by, by the next launch as well`()
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let first = try keeping.bench.journal()
    for user in 1...2 { setContext(first, user, user: user == 1 ? "eve" : "adam") }
    // Each event of hers stands alone.
    for number in 0..<5000 { first.log(number, at: Double(number) / 10, context: number % 2 + 1) }
    let keeper = keeping.keeper(first, [])
    let worker = try keeping.worker(first, to: receiver, keeper)
    worker.deliverNow()
    #expect(await eventually(keeping.clock) { worker.status.lastStatusCode == 0 || keeper.status.marks == 0 })
    let asks = [ask(.user("eve"))]
    worker.follow(.whenTriggered(UploadRules([])), asks: asks)
    worker.deliverNow()
    #expect(await eventually(keeping.clock) { keeper.status.marks >= UploadKeeper.mostMarks })
    // Of one stride, more.
    #expect(keeper.status.marks < 2 * UploadKeeper.mostMarks)
    worker.stop(within: 0)
    let launch = first.launch
    first.closeAndWait()
    try receiver.goUp()
    let second = try await keeping.journal(after: launch)
    defer { second.closeAndWait() }
    let next = try keeping.worker(second, to: receiver, keeping.keeper(second, [], asks: asks))
    for _ in 0..<6 { await keeping.settle(next) }
    #expect(
      Set(receiver.store.numbers(of: launch)).symmetricDifference(stride(from: 0, to: 5000, by: 2)).sorted() == [])
    #expect(second.ledger(of: launch)?.kept == 2500)
    next.stop(within: 0)
  }
}
