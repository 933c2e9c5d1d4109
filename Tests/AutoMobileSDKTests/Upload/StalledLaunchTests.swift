import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Launches of which more waits than is marked at a time, or a part cannot be read.
@Suite struct StalledLaunchTests {
  private static let start = KeepingBench.start
  /// Each event is a mark of its own.
  private let errors = UploadRule(
    "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0, priority: 1))

  /// Every second one is an error.
  private func record(_ numbers: Range<Int>, in journal: Journal, context: Int = 1) {
    for number in numbers {
      journal.log(number, at: Double(number) / 10, level: number % 2 == 0 ? .error : .info, context: context)
    }
  }

  private func append(_ type: String, _ number: Int, in journal: Journal) {
    journal.appendSurely(
      #"{"eventType":"\#(type)","timestamp":\#(Self.start + Int64(number) * 100),"name":"event \#(number)","#
        + #""contextId":1}"#)
  }

  private func tell(_ launch: LaunchID, _ verdict: String, in journal: Journal) {
    journal.appendSurely(
      #"{"eventType":"lifecycle","timestamp":5,"state":"previous_launch_ended","#
        + #""details":{"launchId":"\#(launch)","verdict":"\#(verdict)"},"contextId":1}"#)
  }

  private func events(_ keeper: UploadKeeper, of launch: LaunchID) -> Int? {
    keeper.evaluations[launch].map { $0.note.sessions.reduce(0) { $0 + $1.events } }
  }

  @Test func `a used-up budget holds up what rules name, and neither failures nor what is told of sessions`()
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    let keeper = keeping.keeper(journal, [errors]) { $0.bytesPerDay = 0 }
    let worker = try keeping.worker(journal, to: receiver, keeper)
    record(0..<4000, in: journal)
    append("handled_exception", 4001, in: journal)
    await keeping.settle(worker)
    #expect(keeper.status.marks == UploadKeeper.mostMarks)
    #expect(receiver.store.numbers(of: journal.launch) == [4001])
    #expect(events(keeper, of: journal.launch) == 4001)
    // And so on, with what comes.
    record(4002..<4100, in: journal)
    append("crash", 4101, in: journal)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: journal.launch) == [4001, 4101])
    #expect(events(keeper, of: journal.launch) == 4100)
    // What rules have not seen is held against them when there is room, and counted no second time.
    worker.follow(.whenTriggered(UploadRules([errors])))
    for _ in 0..<6 { await keeping.settle(worker) }
    let named = Array(stride(from: 0, to: 4000, by: 2)) + stride(from: 4002, to: 4100, by: 2)
    #expect(
      Set(receiver.store.numbers(of: journal.launch)).symmetricDifference(named + [4001, 4101]).sorted() == [])
    #expect(events(keeper, of: journal.launch) == 4100)
    #expect(keeper.status.marks == 0 && keeper.evaluations[journal.launch]?.isStalled == false)
    worker.stop(within: 0)
  }

  @Test func `a launch that stalls is told, and its last minutes are those before its end, by the next one`()
    async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let end = UploadRule("end", when: .unexpectedEnd, send: UploadSpan(minutesBefore: 1, minutesAfter: 0, priority: 2))
    let first = try keeping.bench.journal()
    first.setContext(1)
    record(0..<3000, in: first)
    keeping.keeper(first, [errors]) { $0.bytesPerDay = 0 }.look([])
    first.setContext(2)
    for number in 3000..<4000 { first.log(number, at: Double(number) / 10, context: 2) }
    let launch = first.launch
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    tell(launch, "out_of_memory", in: journal)
    let keeper = keeping.keeper(journal, [errors, end]) { $0.bytesPerDay = 0 }
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    let sessions = try #require(keeper.evaluations[launch]?.note.sessions)
    #expect(sessions.map(\.session) == ["session 1", "session 2"])
    #expect(sessions.map(\.events) == [3000, 1000] && sessions.allSatisfy(\.hasEnded))
    #expect(sessions.map(\.end) == [nil, .outOfMemory])
    worker.follow(.whenTriggered(UploadRules([errors, end])))
    for _ in 0..<6 { await keeping.settle(worker) }
    let expected = Array(stride(from: 0, to: 3000, by: 2)) + Array(3399..<4000)
    #expect(Set(receiver.store.numbers(of: launch)).symmetricDifference(expected).sorted() == [])
    worker.stop(within: 0)
  }

  @Test func `shares of sessions hold for those that began while a launch stalled, by the next process as well`()
    async throws
  {
    for isNext in [false, true] {
      let keeping = try KeepingBench()
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      // "session 1" and two others, of which the first is in the share.
      func fraction(_ context: Int) -> Double { SessionSampling.fraction(of: "session \(context)") }
      let share = fraction(1)
      let inside = try #require((2..<100).first { fraction($0) < share })
      let outside = try #require((inside + 1..<200).first { fraction($0) > share })
      let rules = [errors, UploadRule("some", when: .sessions(fraction: share))]
      let first = try keeping.bench.journal()
      first.setContext(1)
      record(0..<3000, in: first)
      for (index, context) in [inside, outside].enumerated() {
        first.setContext(context)
        for number in 3000 + index * 10..<3010 + index * 10 {
          first.log(number, at: Double(number) / 10, context: context)
        }
      }
      let launch = first.launch
      let keeper = keeping.keeper(first, rules) { $0.bytesPerDay = 0 }
      keeper.look([])
      #expect(events(keeper, of: launch) == 3020 && keeper.evaluations[launch]?.isStalled == true)
      var journal = first
      var next = keeper
      if isNext {
        first.closeAndWait()
        journal = try await keeping.journal(after: launch)
        next = keeping.keeper(journal, rules)
      }
      defer { journal.closeAndWait() }
      let worker = try keeping.worker(journal, to: receiver, next)
      worker.follow(.whenTriggered(UploadRules(rules)))
      for _ in 0..<6 { await keeping.settle(worker) }
      let expected = Array(stride(from: 0, to: 3000, by: 2)) + Array(3000..<3010)
      #expect(Set(receiver.store.numbers(of: launch)).symmetricDifference(expected).sorted() == [], "\(isNext)")
      worker.stop(within: 0)
    }
  }

  @Test func `of rules for every event so many marks wait as may, and are written down`() throws {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    record(0..<500, in: journal)
    for number in 1000..<1400 { append(number % 2 == 0 ? "handled_exception" : "custom", number, in: journal) }
    let most = UploadKeeper.mostMarks + UploadRules.maximumRules
    for (letter, isWritten) in [("é", true), ("\u{1}", false)] {
      let rules = (0..<100).map { number in
        UploadRule(
          String(repeating: letter, count: 30) + "\(number)" + String(repeating: letter, count: 1000),
          when: .event(UploadEvent()), send: UploadSpan(minutesBefore: 0, minutesAfter: 0))
      }
      journal.setNote(nil, of: journal.launch)
      let keeper = keeping.keeper(journal, rules)
      keeper.look([])
      let evaluation = try #require(keeper.evaluations[journal.launch])
      let marks = evaluation.note.marks
      #expect((most..<UploadKeeper.mostMarksInAll + 1).contains(marks.count), "\(marks.count)")
      #expect(marks.filter { $0.name != UploadMark.everyones }.count < most)
      #expect(evaluation.isStalled && evaluation.note.sessions[0].events == 900)
      // What is too long is tried again.
      #expect(evaluation.isAdvanced != isWritten)
      let note = journal.note(of: journal.launch).flatMap { try? JSONDecoder().decode(LaunchNote.self, from: Data($0)) }
      #expect((note == evaluation.note) == isWritten)
    }
  }

  @Test func `what cannot be read for a moment ends no launch, and what was noted of it is not forgotten`() async throws
  {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let rule = UploadRule("errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 1))
    let first = try keeping.bench.journal(segmentSize: 16 * 1024)
    let launch = first.launch
    first.setContext(1)
    func record(_ seconds: Range<Int>) {
      for second in seconds {
        first.log(second, at: Double(second), level: second % 280 == 10 ? .error : .info, filling: 100)
      }
    }
    record(0..<300)
    let keeper = keeping.keeper(first, [rule])
    keeper.look([])
    keeper.evaluations[launch]?.changeSessions { $0[0].revision = 7 }
    keeper.save([launch])
    record(300..<400)
    first.closeAndWait()
    let directory = keeping.bench.directory.url
    let note = try BlockedFiles(directory) { $0.contains(launch.description) && $0.hasSuffix(".kept") }
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    tell(launch, "hang_kill", in: journal)
    let next = keeping.keeper(journal, [rule])
    next.look([launch])
    #expect(next.evaluations[launch] == nil)
    try note.restore()
    let segments = try BlockedFiles(directory) { $0.contains(launch.description) && $0.hasSuffix(".journal") }
    next.look([launch])
    let evaluation = try #require(next.evaluations[launch])
    #expect(evaluation.isStalled && evaluation.note.marks.last?.to == nil)
    #expect(evaluation.note.sessions.map(\.revision) == [7] && !evaluation.note.sessions[0].hasEnded)
    #expect(next.evaluations[journal.launch]?.foreign.isEmpty == false)
    try segments.restore()
    let worker = try keeping.worker(journal, to: receiver, next)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(10...70) + Array(290...350))
    #expect(evaluation.note.sessions.map(\.events) == [400] && evaluation.note.sessions[0].end == .hangKill)
    worker.stop(within: 0)
  }

  @Test func `an ask is not answered before all of a launch could be read`() async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let first = try keeping.bench.journal(segmentSize: 16 * 1024)
    let launch = first.launch
    first.setContext(1)
    for second in 0..<300 { first.log(second, at: Double(second), filling: 100) }
    keeping.keeper(first, []).look([])
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    let ask = UploadAsk(id: "1", subject: .session("session 1"), from: 0, to: .max, reason: nil, priority: 6)
    let keeper = keeping.keeper(journal, [], asks: [ask])
    let segments = try BlockedFiles(keeping.bench.directory.url) {
      $0.contains(launch.description) && $0.hasSuffix(".journal")
    }
    keeper.look([launch])
    #expect(keeper.evaluations[launch]?.note.asked == [])
    try segments.restore()
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    #expect(receiver.store.numbers(of: launch) == Array(0..<300))
    worker.stop(within: 0)
  }
}
