import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What of replays rules name.
@Suite struct `Stretches of replays` {
  private let bench: StretchBench

  init() throws { bench = try StretchBench() }

  @Test func `are a rule's minutes, longer by what happens in the middle of them, and survive the process`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<600 {
      journal.log(second, at: Double(second), level: [100, 130, 400].contains(second) ? .error : .info)
    }
    let looked = bench.look(journal, [bench.errors()])
    #expect(bench.seconds(looked, of: journal.launch) == [70...190, 370...460])
    #expect(looked.holding == .named(keepDays: 5))
    #expect(bench.seconds(bench.stretches(), of: journal.launch) == [70...190, 370...460])
    #expect(bench.stretches().ranges(of: "another launch").isEmpty)
  }

  @Test func `are not of a rule without replay, and not of what goes anyway`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.log(1, at: 1, level: .error)
    journal.appendSurely(#"{"eventType":"handled_exception","timestamp":\#(StretchBench.start),"contextId":1}"#)
    journal.appendSurely(#"{"eventType":"crash","timestamp":\#(StretchBench.start),"contextId":1}"#)
    #expect(bench.seconds(bench.look(journal, [bench.errors(replay: false)]), of: journal.launch) == [])
    #expect(!FileManager.default.fileExists(atPath: bench.file.path))
  }

  @Test func `are on the disk before what was found is noted, and the same when it is found again`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    for session in 1...3 {
      journal.setPreamble(.context, Array(#"{"contextId":\#(session),"sessionId":"s\#(session)"}"#.utf8))
      for second in 0..<10 {
        journal.log(
          second, at: Double(session * 10 + second), level: second == 5 ? .error : .info, context: session)
      }
    }
    let rules = [bench.errors(), UploadRule("all", when: .sessions(fraction: 1))]
    let first = bench.look(journal, rules)
    let known = first.ranges(of: journal.launch.description)
    #expect(known.last?.upperBound == .max, "the last session goes on")
    // The process was killed before it noted how far it had looked.
    journal.setNote(nil, of: journal.launch)
    let before = try Data(contentsOf: bench.file)
    let second = bench.look(journal, rules)
    #expect(second.ranges(of: journal.launch.description) == known)
    #expect(
      try JSONDecoder().decode(StretchBook.self, from: Data(contentsOf: bench.file))
        == JSONDecoder().decode(StretchBook.self, from: before))
    let book = try JSONDecoder().decode(StretchBook.self, from: before)
    #expect(
      book.stretches.filter { $0.name == "rule:all" }.map { ($0.to == .max ? -1 : $0.to - StretchBench.start) }
        == [19_999, 29_999, -1])
  }

  @Test func `that cannot be written down keep what was found from being noted`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.log(1, at: 100, level: .error)
    // No file can be put there.
    try FileManager.default.createDirectory(
      at: bench.file.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    #expect(bench.seconds(bench.look(journal, [bench.errors()]), of: journal.launch) == [70...160])
    #expect(journal.note(of: journal.launch) == nil)
    try FileManager.default.removeItem(at: bench.file)
    // The process was killed; the next one finds it.
    #expect(bench.seconds(bench.look(journal, [bench.errors()]), of: journal.launch) == [70...160])
    #expect(journal.note(of: journal.launch) != nil)
    #expect(bench.seconds(bench.stretches(), of: journal.launch) == [70...160])
  }

  @Test func `of a crash are the minutes of the launch that crashed, to its end`() async throws {
    let first = try bench.journal()
    first.setContext(1)
    for second in 0..<300 { first.log(second, at: Double(second)) }
    let launch = first.launch
    first.closeAndWait()
    let journal = try await bench.keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.appendSurely(
      #"{"eventType":"crash","timestamp":\#(StretchBench.start + 299_500),"ofLaunch":"\#(launch)","sessionId":"s"}"#)
    let rule = UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 1, minutesAfter: 0))
    let looked = bench.look(journal, [rule], earlier: [launch])
    #expect(bench.seconds(looked, of: launch) == [239.5...Double.infinity])
    #expect(bench.seconds(looked, of: journal.launch) == [])
  }

  @Test func `of a share of sessions begin with a session, though its first event began in the one before`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    for session in 1...2 {
      journal.setPreamble(.context, Array(#"{"contextId":\#(session),"sessionId":"s\#(session)"}"#.utf8))
      if session == 1 { for second in 0...60 { journal.log(second, at: Double(second), context: 1) } }
    }
    bench.request(from: 20, seconds: 50, context: 2, in: journal)
    _ = bench.look(journal, [UploadRule("all", when: .sessions(fraction: 1))])
    let book = try StretchBook(contentsOf: bench.file)
    #expect(book.stretches.map { $0.from - StretchBench.start } == [0, 70_000])
    #expect(book.stretches.map { $0.to == .max ? -1 : $0.to - StretchBench.start } == [69_999, -1])
  }

  @Test func `are known of earlier launches when these have been looked at`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    let stretches = bench.stretches()
    let keeper = bench.keeping.keeper(journal, [bench.errors()])
    keeper.replay = stretches
    stretches.awaitLook()
    let told = Locked(0)
    let observer = stretches.observe { told.withLock { $0 += 1 } }
    keeper.look(nil)
    #expect(!stretches.hasLooked && told.withLock { $0 } == 0)
    keeper.look([])
    keeper.look([])
    #expect(stretches.hasLooked && told.withLock { $0 } == 1)
    stretches.forget(observer: observer)
  }

  @Test func `of several rules for every event take no more room with each of them`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    let evaluation = LaunchEvaluation(journal.launch, isOwn: true, note: LaunchNote())
    for time in Int64(0)..<1000 {
      for name in ["a", "b"] { evaluation.nameReplay(bench.errors(name), from: time, to: time + 10) }
    }
    let named = ["rule:a", "rule:b"].map { ReplayStretch.Change.add(name: $0, from: 0, to: 1009, clock: 0) }
    #expect(evaluation.replay == named)
    // What comes after an end is not before it.
    evaluation.replay.append(.close(name: "rule:a", from: 1000, before: 2000, last: 1999))
    evaluation.nameReplay(bench.errors("a"), from: 1000, to: 1500)
    #expect(evaluation.replay.last == .add(name: "rule:a", from: 1000, to: 1500, clock: 0))
  }
}
