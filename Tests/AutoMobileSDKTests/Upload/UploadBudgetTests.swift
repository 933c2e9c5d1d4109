import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What counts against a day's budgets.
@Suite struct UploadBudgetTests {
  private let errors = UploadRule(
    "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 1, minutesAfter: 0.5))

  @Test func `a day's budget holds what rules name, and not crashes`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<900 { journal.log(second, at: Double(second), level: second % 300 == 150 ? .error : .info) }
    let keeper = keeping.keeper(journal, [errors]) { $0.bytesPerDay = 1 }
    let worker = try keeping.bench.worker(journal, to: receiver.url) {
      $0.keeper = keeper
      $0.maximumRecords = 20
    }
    await keeping.settle(worker)
    // What goes over the limit is the last that goes.
    let first = receiver.store.numbers(of: journal.launch).count
    #expect((1...20).contains(first))
    #expect(keeper.status.bytesToday > 0)
    journal.appendSurely(#"{"eventType":"crash","timestamp":5,"name":"event 5000","contextId":1}"#)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch).count == first + 1)
    keeping.clock.pass(milliseconds: 86_400_000)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch).count > first + 1)
    worker.follow(.whenTriggered(UploadRules([errors])))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch).count == 3 * 91 + 1)
    worker.stop(within: 0)
  }

  @Test func `tries without an answer, and such that were refused, leave the day's budget alone`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { $0.mood = { $0 < 12 ? .instead(.json(503, "{}")) : .take } }
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<600 { journal.log(second, at: Double(second), level: second == 300 ? .error : .info) }
    let keeper = keeping.keeper(journal, [errors]) { $0.bytesPerDay = 1000 }
    let worker = try keeping.worker(journal, to: receiver, keeper)
    for _ in 0..<12 {
      #expect(keeper.status.bytesToday == 0)
      worker.deliverNow()
      keeping.clock.pass(milliseconds: 120_000)
    }
    #expect(await eventually(keeping.clock) { !receiver.store.numbers(of: journal.launch).isEmpty })
    #expect(await eventually(keeping.clock) { keeper.status.bytesToday > 0 })
    #expect(receiver.requests.count > 12)
    worker.stop(within: 0)
  }

  @Test func `what went out over a network that costs counts for that, whatever became of it`() throws {
    let directory = try TemporaryDirectory()
    let ledger = DayLedger(url: directory.url.appendingPathComponent("day.json"), wall: { 86_400_000 * 20_000 })
    ledger.sent(0, cost: 500)
    #expect(ledger.hasRoom(1) && !ledger.hasCostlyRoom(500) && ledger.hasCostlyRoom(501))
    ledger.sent(300, cost: 0)
    #expect(!ledger.hasRoom(300) && ledger.hasCostlyRoom(501))
  }

  @Test func `a clock that is set back begins no new day, and one that was far ahead none of those for which it was`()
    throws
  {
    let directory = try TemporaryDirectory()
    let day = Locked<Int64>(20_000)
    let ledger = DayLedger(
      url: directory.url.appendingPathComponent("day.json"), wall: { day.withLock { $0 } * 86_400_000 })
    ledger.sent(100, cost: 0)
    for (now, isUsedUp) in [(20_000, true), (19_999, true), (20_000, true), (20_001, false)] as [(Int64, Bool)] {
      day.withLock { $0 = now }
      #expect(ledger.hasRoom(100) == !isUsedUp, "day \(now)")
    }
    day.withLock { $0 = 30_000 }
    ledger.sent(100, cost: 0)
    let rule = UploadRule("r", when: .crash, send: UploadSpan(perDay: 1))
    #expect(!ledger.hasRoom(100) && ledger.allows(rule, LaunchID(), 1))
    day.withLock { $0 = 20_001 }
    #expect(!ledger.hasRoom(100) && !ledger.allows(rule, LaunchID(), 2))
    day.withLock { $0 = 20_002 }
    #expect(ledger.hasRoom(100) && ledger.allows(rule, LaunchID(), 3))
  }

  @Test(arguments: [20_000, 19_999] as [Int64])
  func `a day that cannot be read for a while does not begin anew`(written: Int64) throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("day.json")
    let rule = UploadRule("r", when: .crash, send: UploadSpan(perDay: 2))
    let launch = LaunchID()
    let before = DayLedger(url: url, wall: { 86_400_000 * written })
    before.sent(100, cost: 10)
    #expect(before.allows(rule, launch, 1))
    before.save()
    let blocked = try BlockedFiles(directory.url) { $0 == "day.json" }
    let ledger = DayLedger(url: url, wall: { 86_400_000 * 20_000 })
    ledger.sent(30, cost: 3)
    #expect(ledger.allows(rule, launch, 2))
    ledger.save()
    #expect(open(url.path, O_RDONLY) < 0)
    try blocked.restore()
    // What was written the day before counts no more.
    let isSameDay = written == 20_000
    #expect(ledger.bytes == (isSameDay ? 130 : 30))
    #expect(ledger.hasCostlyRoom(14) && ledger.hasCostlyRoom(13) == !isSameDay)
    #expect(ledger.allows(rule, launch, 2))
    #expect(ledger.allows(rule, launch, 3) == !isSameDay)
    ledger.save()
    #expect(DayLedger(url: url, wall: { 86_400_000 * 20_000 }).bytes == (isSameDay ? 130 : 30))
  }

  @Test func `however many rules there are in a day, what is counted of them can be read again`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("day.json")
    let ledger = DayLedger(url: url, wall: { 86_400_000 * 20_000 })
    ledger.sent(100, cost: 0)
    let launch = LaunchID()
    var allowed = 0
    for number in 0..<200 {
      let rule = UploadRule("\(number)", when: .crash, send: UploadSpan(perDay: 1000))
      for position in 0..<UInt64(10) where ledger.allows(rule, launch, position) { allowed += 1 }
    }
    #expect(allowed == DayLedger.mostNames * 10)
    // Twenty digits and a comma for each, and names in which every byte takes six.
    #expect(DayLedger.mostNames * (1000 * 21 + UploadRule.longestName * 6 + 8) < DayLedger.maximumSize - 1000)
    ledger.save()
    #expect(!DayLedger(url: url, wall: { 86_400_000 * 20_000 }).hasRoom(100))
  }

  /// - Parameter hasNote: what was marked is on the disk as well as what was counted; else the process was killed between the two.
  @Test(arguments: [true, false])
  func `a rule counts an event once, also when the process was killed and the next one looks at it again`(hasNote: Bool)
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let rule = UploadRule(
      "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0, perDay: 2))
    let first = try keeping.bench.journal()
    first.setContext(1)
    for number in 0..<3 { first.log(number, at: Double(number), level: .error) }
    let keeper = keeping.keeper(first, [rule])
    let worker = try keeping.worker(first, to: receiver, keeper)
    worker.deliverNow()
    #expect(await eventually(keeping.clock) { keeper.status.marks == 2 })
    await withCheckedContinuation { done in worker.stop(within: 0) { done.resume() } }
    let launch = first.launch
    if !hasNote { first.setNote(nil, of: launch) }
    first.closeAndWait()
    try receiver.goUp()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    #expect((journal.note(of: launch) != nil) == hasNote)
    journal.setContext(1)
    journal.log(10, at: 10, level: .error)
    let next = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
    await keeping.settle(next)
    #expect(receiver.store.numbers(of: launch) == [0, 1])
    // Today it has applied as often as it may.
    #expect(receiver.store.numbers(of: journal.launch) == [])
    next.stop(within: 0)
  }
}
