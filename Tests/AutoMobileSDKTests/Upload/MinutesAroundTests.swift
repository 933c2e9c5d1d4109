import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Where the minutes around an event begin and end, whatever the times of the events between.
@Suite struct MinutesAroundTests {
  private static let start = KeepingBench.start

  private func lasting(_ journal: Journal, _ type: String, _ number: Int, from begin: Double, to end: Double) {
    journal.appendSurely(
      #"{"eventType":"\#(type)","timestamp":\#(Self.start + Int64(begin * 1000)),"name":"event \#(number)","#
        + #""durationMs":\#((end - begin) * 1000),"contextId":1}"#)
  }

  /// What arrives of a launch after `record` has recorded it.
  private func sent(_ rules: [UploadRule], _ record: (Journal) -> Void) async throws -> [Int] {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal(segmentSize: 16 * 1024)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    record(journal)
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, rules))
    await keeping.settle(worker)
    worker.stop(within: 0)
    #expect(receiver.store.violations == [])
    return receiver.store.numbers(of: journal.launch)
  }

  @Test(arguments: ["span", "network_request", "hang"])
  func `what began long before and is over just before the event cuts nothing off`(type: String) async throws {
    let rule = UploadRule("errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 2, minutesAfter: 0))
    let numbers = try await sent([rule]) { journal in
      for second in 0..<600 { journal.log(second, at: Double(second)) }
      lasting(journal, type, 1000, from: 1, to: 599.5)
      journal.log(600, at: 600, level: .error)
      journal.log(601, at: 601)
    }
    #expect(numbers == Array(480...600) + [1000])
  }

  @Test func `the minutes after a request begin when it is over, and those before it when it began`() async throws {
    let rule = UploadRule(
      "slow", when: .request(UploadRequest(atLeastMs: 30_000)), send: UploadSpan(minutesBefore: 0.5, minutesAfter: 0.5))
    let numbers = try await sent([rule]) { journal in
      for second in 0..<300 {
        journal.log(second, at: Double(second))
        if second == 160 { lasting(journal, "network_request", 1000, from: 100, to: 160) }
      }
    }
    #expect(numbers == Array(70...190) + [1000])
  }

  @Test func `many events of a rule without minutes after leave none of the minutes before out`() async throws {
    let rule = UploadRule("errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0.5, minutesAfter: 0))
    let numbers = try await sent([rule]) { journal in
      for number in 0..<4000 {
        journal.log(number, at: Double(number) / 2, level: number % 100 < 30 || number > 3900 ? .error : .info)
      }
    }
    // 30 errors, then 70 others: only what is longer than half a minute before the next one stays.
    let expected = (0..<4000).filter { number in
      (number...min(number + 60, 3999)).contains { $0 % 100 < 30 || $0 > 3900 }
    }
    #expect(Set(numbers).symmetricDifference(expected).sorted() == [])
  }

  @Test func `an unexpected end sends the minutes before the last event, also when a clock was ahead for a while`()
    async throws
  {
    let keeping = try KeepingBench()
    let first = try keeping.bench.journal()
    first.setContext(1)
    for second in 0..<200 { first.log(second, at: second == 50 ? 9e9 : Double(second)) }
    let launch = first.launch
    first.closeAndWait()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.appendSurely(
      #"{"eventType":"lifecycle","timestamp":5,"state":"previous_launch_ended","#
        + #""details":{"launchId":"\#(launch)","verdict":"out_of_memory"},"contextId":1}"#)
    let rule = UploadRule("end", when: .unexpectedEnd, send: UploadSpan(minutesBefore: 1, minutesAfter: 0))
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [rule]))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(139..<200))
    worker.stop(within: 0)
  }

  @Test func `a crash's minutes come, also when more waits of its launch than is marked at a time`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let first = try keeping.bench.journal()
    first.setContext(1)
    // Each error is a mark of its own.
    for number in 0..<4000 {
      first.log(number, at: Double(number) / 10, level: number % 2 == 0 && number < 3000 ? .error : .info)
    }
    let rules = [
      UploadRule(
        "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0, priority: 1)),
      UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 1, minutesAfter: 0, priority: 9)),
    ]
    let keeper = keeping.keeper(first, rules)
    let worker = try keeping.worker(first, to: receiver, keeper)
    worker.deliverNow()
    #expect(await eventually(keeping.clock) { keeper.status.marks >= UploadKeeper.mostMarks })
    worker.stop(within: 0)
    let launch = first.launch
    first.closeAndWait()
    try receiver.goUp()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.appendSurely(
      #"{"eventType":"crash","timestamp":\#(Self.start + 399_900),"ofLaunch":"\#(launch)","sessionId":"s"}"#)
    let next = try keeping.worker(journal, to: receiver, keeping.keeper(journal, rules))
    await keeping.settle(next)
    await keeping.settle(next)
    let numbers = receiver.store.numbers(of: launch)
    #expect(Array(numbers.filter { $0 >= 3000 }) == Array(3399..<4000))
    #expect(numbers.filter { $0 < 3000 } == Array(stride(from: 0, to: 3000, by: 2)))
    next.stop(within: 0)
  }

  @Test func `a crash's minutes come, also when the process that tells of it is killed before it has looked at them`()
    async throws
  {
    let keeping = try KeepingBench()
    let first = try keeping.bench.journal()
    first.setContext(1)
    for second in 0..<300 { first.log(second, at: Double(second)) }
    let launch = first.launch
    first.closeAndWait()
    let rule = UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 1, minutesAfter: 0))
    let second = try await keeping.journal(after: launch)
    second.setContext(1)
    second.appendSurely(
      #"{"eventType":"crash","timestamp":\#(Self.start + 299_500),"ofLaunch":"\#(launch)","sessionId":"s"}"#)
    // What goes first does not wait for earlier launches.
    keeping.keeper(second, [rule]).look(nil)
    let teller = second.launch
    second.closeAndWait()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let third = try await keeping.bench.journal(after: [launch, teller])
    defer { third.closeAndWait() }
    let worker = try keeping.worker(third, to: receiver, keeping.keeper(third, [rule]))
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(240..<300))
    worker.stop(within: 0)
  }

  @Test func `a rule with the name of what always goes is told apart from it, and so are two of one name`() async throws
  {
    func rule(_ name: String, _ level: LogLevel, _ perDay: Int) -> UploadRule {
      UploadRule(
        name, when: .log(atLeast: level), send: UploadSpan(minutesBefore: 0, minutesAfter: 0, perDay: perDay))
    }
    let numbers = try await sent([rule("always", .error, 1), rule("always", .fault, 2), rule("ask:1", .fault, 1)]) {
      for (number, level) in [LogLevel.error, .info, .error, .info, .fault, .info, .fault, .info].enumerated() {
        $0.log(number, at: Double(number), level: level)
      }
    }
    #expect(numbers == [0, 4, 6])
    #expect(UploadMark.name(of: rule("always", .error, 1)) != UploadMark.everyones)
    let ask = UploadAsk(id: "1", subject: .user("u"), from: 0, to: 0, reason: nil, priority: 5)
    #expect(UploadMark.name(of: rule("ask:1", .error, 1)) != UploadMark.name(of: ask))
    #expect(
      CompiledRules([rule("a", .error, 1), rule("a", .error, 1), rule("a 2", .error, 1)]).rules.map(\.name) == [
        "a", "a 2", "a 2 2",
      ])
  }
}
