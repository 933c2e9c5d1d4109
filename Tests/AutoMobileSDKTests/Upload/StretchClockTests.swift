import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Stretches of sessions that go on, by the clock of their events.
@Suite struct `Stretches of replays where clocks are set` {
  private static let start = KeepingBench.start
  private let keeping: KeepingBench
  private let file: URL

  init() throws {
    keeping = try KeepingBench()
    file = keeping.bench.directory.file("stretches-test.json")
  }

  private func stretches() -> ReplayStretches {
    let stretches = ReplayStretches(url: file, holding: .unknown, wall: { Self.start })
    stretches.use()
    return stretches
  }

  /// Looks at a journal once, by a process that is then killed.
  private func look(
    _ journal: Journal, _ rules: [UploadRule], asks: [UploadAsk] = [], earlier: [LaunchID] = []
  ) -> ReplayStretches {
    let stretches = stretches()
    let keeper = keeping.keeper(journal, rules, asks: asks)
    keeper.replay = stretches
    keeper.follow(.whenTriggered(UploadRules(rules, keepDays: 5)), asks: asks)
    keeper.look(earlier)
    return stretches
  }

  private func errors(_ name: String = "errors", replay: Bool = true) -> UploadRule {
    UploadRule(
      name, when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0.5, minutesAfter: 1, replay: replay))
  }

  private func book(_ journal: Journal, _ rules: [UploadRule]) throws -> [String] {
    _ = look(journal, rules)
    // The same again by whoever looks a second time.
    journal.setNote(nil, of: journal.launch)
    _ = look(journal, rules)
    return try StretchBook(contentsOf: file).stretches.filter { $0.from != $0.to }.map { stretch in
      let to = stretch.to == .max ? "on" : "\((stretch.to - Self.start) / 1000)"
      return "\((stretch.from - Self.start) / 1000)-\(to) by \(stretch.clock ?? -1)"
    }
  }

  @Test func `of a session that goes on begin anew where the clock is set back, by the next number`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    for second in 4000..<4040 { journal.log(second, at: Double(second)) }
    for second in 440..<480 { journal.log(second, at: Double(second), level: second == 470 ? .error : .info) }
    let found = try book(journal, [UploadRule("all", when: .sessions(fraction: 1)), errors()])
    #expect(found == ["4000-4039 by 0", "440-on by 1", "440-530 by 1"])
    #expect(try StretchBook(contentsOf: file).clock(of: journal.launch.description) == 1)
  }

  @Test func `of a session that goes on do so after events with times of their own`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    for second in [4000, 4001, 100, 101, 4002, 4003] { journal.log(second, at: Double(second)) }
    let found = try book(journal, [UploadRule("all", when: .sessions(fraction: 1))])
    #expect(found.first == "4000-4001 by 0" && found.last == "4002-on by 0", "\(found)")
    #expect(!found.contains { $0.hasSuffix("by 1") })
  }

  @Test(arguments: ["", #""timestamp":1700000060,"#])
  func `of a session whose first event has no time, or one in seconds, name nothing of the one before`(
    _ time: String
  ) throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for session in 1...2 {
      journal.setPreamble(.context, Array(#"{"contextId":\#(session),"sessionId":"s\#(session)"}"#.utf8))
    }
    for second in 0...60 { journal.log(second, at: Double(second), context: 1) }
    journal.appendSurely(#"{"eventType":"log",\#(time)"level":200,"name":"n","contextId":2}"#)
    for second in 61...70 { journal.log(second, at: Double(second), context: 2) }
    let rate = try #require(
      stride(from: 0.01, to: 1, by: 0.01).first {
        SessionSampling.isSampled("s2", rate: $0) && !SessionSampling.isSampled("s1", rate: $0)
      } ?? (SessionSampling.isSampled("s2", rate: 1) ? 1 : nil))
    _ = look(journal, [UploadRule("some", when: .sessions(fraction: rate))])
    let open = try #require(try StretchBook(contentsOf: file).stretches.last)
    #expect(open.to == .max && open.clock == 0)
    #expect(open.from >= Self.start + 60_000, "\(open.from - Self.start)")
  }
}
