import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What of replays asks name.
@Suite struct `Stretches of replays that are asked for` {
  private let bench: StretchBench

  init() throws { bench = try StretchBench() }

  @Test(arguments: [1, 2]) func `do not go on over a segment that is missing`(segment: UInt64) {
    let capacity: UInt64 = 4096
    func context(_ number: Int) -> String { #"{"contextId":\#(number),"sessionId":"s1"}"# }
    func log(_ seconds: Int64) -> String {
      #"{"eventType":"log","timestamp":\#(StretchBench.start + seconds * 1000),"level":2,"contextId":1}"#
    }
    let records: [(RecordKind, UInt64, String)] = [
      (.context, 0, context(1)), (.event, 64, log(10)), (.context, segment * capacity, context(1)),
      (.event, segment * capacity + 64, log(20)),
    ]
    let ask = UploadAsk(id: "1", subject: .session("s1"), from: 0, to: .max, reason: nil, priority: 6)
    for isAgain in [false, true] {
      let evaluation = LaunchEvaluation(LaunchID(), isOwn: true, note: LaunchNote())
      evaluation.capacity = capacity
      if isAgain { evaluation.rewind(to: 0) }
      let rules = LaunchEvaluation.Rules(compiled: CompiledRules([]), asks: [ask], allows: { _, _, _ in true })
      for (kind, position, json) in records {
        Array(json.utf8).withUnsafeBytes {
          if isAgain {
            evaluation.lookAgain(at: kind, position, next: position + 64, $0, asks: [ask])
          } else {
            evaluation.look(at: kind, position, next: position + 64, $0, rules: rules)
          }
        }
      }
      // Of the next segment it is known that nothing is missing.
      #expect(evaluation.replay.count == Int(segment) && evaluation.note.marks.count == Int(segment), "\(isAgain)")
    }
  }

  @Test func `of an ask are from its first event to its last, and between, but not what is another's`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    for (context, user) in [(1, "eve"), (2, "adam"), (3, "eve")] {
      journal.setPreamble(
        .context, Array(#"{"contextId":\#(context),"sessionId":"s\#(context)","userId":"\#(user)"}"#.utf8))
      for event in 0..<3 { journal.log(event, at: Double(context * 100 + event * 30), context: context) }
    }
    let ask = UploadAsk(
      id: "1", subject: .user("eve"), from: 0, to: StretchBench.start + 330_000, reason: nil, priority: 6)
    #expect(bench.seconds(bench.look(journal, [], asks: [ask]), of: journal.launch) == [100...160, 300...330])
    // Asked for after all of it had been looked at.
    let other = UploadAsk(id: "2", subject: .session("s2"), from: 0, to: .max, reason: nil, priority: 6)
    #expect(
      bench.seconds(bench.look(journal, [], asks: [ask, other]), of: journal.launch) == [
        100...160, 200...260, 300...330,
      ])
  }

  @Test func `of an ask are not those of whoever was there when something began that ended later`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    for (context, user) in [(1, "adam"), (2, "eve")] {
      journal.setPreamble(
        .context, Array(#"{"contextId":\#(context),"sessionId":"s\#(context)","userId":"\#(user)"}"#.utf8))
      if user == "adam" { for second in [0, 50] { journal.log(second, at: Double(second), context: 1) } }
    }
    bench.request(from: 10, seconds: 90, context: 2, in: journal)
    journal.log(3, at: 110, context: 2)
    let eve = UploadAsk(id: "1", subject: .user("eve"), from: 0, to: .max, reason: nil, priority: 6)
    #expect(bench.seconds(bench.look(journal, [], asks: [eve]), of: journal.launch) == [100...110])
  }

  @Test func `of an ask are within the time that it names`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    // Begun before that time, and over after it.
    bench.request(from: 0, seconds: 300, context: 1, in: journal)
    bench.request(from: 310, seconds: 80, context: 1, in: journal)
    let ask = UploadAsk(
      id: "1", subject: .session("session 1"), from: StretchBench.start + 100_000, to: StretchBench.start + 350_000,
      reason: nil,
      priority: 6)
    #expect(bench.seconds(bench.look(journal, [], asks: [ask]), of: journal.launch) == [300...350])
  }

  @Test func `of a live ask grow with each event, also when the one before has been sent`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    let stretches = bench.stretches()
    let ask = UploadAsk(id: "1", subject: .session("s1"), from: 0, to: .max, reason: nil, priority: 6)
    let keeper = bench.keeping.keeper(journal, [], asks: [ask])
    keeper.replay = stretches
    let told = Locked(0)
    let observer = stretches.observe { told.withLock { $0 += 1 } }
    for second in [0, 40, 80] {
      journal.log(second, at: Double(second))
      keeper.look([])
      // As when it has been sent.
      keeper.evaluations[journal.launch]?.sent(priority: 6)
    }
    #expect(bench.seconds(stretches, of: journal.launch) == [0...80])
    #expect(told.withLock { $0 } == 3)
    stretches.forget(observer: observer)
    stretches.follow(.everything)
    #expect(told.withLock { $0 } == 3)
  }

  @Test func `of an ask go on between two events, also by the next process, and where a session was told of`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    let asks = ["1", "2"].map { id in
      UploadAsk(id: id, subject: .session("s1"), from: 0, to: .max, reason: nil, priority: 6)
    }
    journal.log(1, at: 100)
    #expect(bench.seconds(bench.look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...100])
    journal.log(2, at: 200)
    #expect(bench.seconds(bench.look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...200])
    journal.appendSurely(#"{"eventType":"session_summary","timestamp":\#(StretchBench.start + 250_000),"contextId":1}"#)
    journal.log(3, at: 300)
    #expect(bench.seconds(bench.look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...300])
    // Asked for after all of it had been looked at.
    _ = bench.look(journal, [], asks: asks)
    let book = try StretchBook(contentsOf: bench.file)
    let other = book.stretches.filter { $0.name == "ask:2" }
    #expect(other.map(\.from) == [StretchBench.start + 100_000] && other.map(\.to) == [StretchBench.start + 300_000])
  }
}
