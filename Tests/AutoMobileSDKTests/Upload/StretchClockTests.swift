import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Stretches of sessions that go on, by the clock of their events.
@Suite struct `Stretches of replays where clocks are set` {
  private let bench: StretchBench

  init() throws { bench = try StretchBench() }

  private func book(_ journal: Journal, _ rules: [UploadRule]) throws -> [String] {
    _ = bench.look(journal, rules)
    // The same again by whoever looks a second time.
    journal.setNote(nil, of: journal.launch)
    _ = bench.look(journal, rules)
    return try StretchBook(contentsOf: bench.file).stretches.filter { $0.from != $0.to }.map { stretch in
      let to = stretch.to == .max ? "on" : "\((stretch.to - StretchBench.start) / 1000)"
      return "\((stretch.from - StretchBench.start) / 1000)-\(to) by \(stretch.clock ?? -1)"
    }
  }

  @Test func `of a session that goes on begin anew where the clock is set back, by the next number`() throws {
    let journal = try bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    for second in 4000..<4040 { journal.log(second, at: Double(second)) }
    for second in 440..<480 { journal.log(second, at: Double(second), level: second == 470 ? .error : .info) }
    let found = try book(journal, [UploadRule("all", when: .sessions(fraction: 1)), bench.errors()])
    #expect(found == ["4000-4039 by 0", "440-on by 1", "440-530 by 1"])
    #expect(try StretchBook(contentsOf: bench.file).clock(of: journal.launch.description) == 1)
  }

  @Test func `of a session that goes on do so after events with times of their own`() throws {
    let journal = try bench.journal()
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
    let journal = try bench.journal()
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
    _ = bench.look(journal, [UploadRule("some", when: .sessions(fraction: rate))])
    let open = try #require(try StretchBook(contentsOf: bench.file).stretches.last)
    #expect(open.to == .max && open.clock == 0)
    #expect(open.from >= StretchBench.start + 60_000, "\(open.from - StretchBench.start)")
  }
}
