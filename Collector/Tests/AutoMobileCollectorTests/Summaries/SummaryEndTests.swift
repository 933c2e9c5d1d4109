import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// Summaries that say nothing but how a session ended, because one before has said the rest.
@Suite struct `How sessions ended` {
  /// Another launch, with a session of its own, tells of the one before.
  private func tell(_ ending: Summary, _ collector: RunningCollector, from user: String = "ada") async throws
    -> LaunchID
  {
    var batch = RawBatch()
    batch.addContext(1, session: "s-next", user: user)
    batch.add(Summary(session: "s-next", told: Summary.start + 700_000))
    batch.add(.event, ending.ending)
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: 2)
    return batch.launch
  }

  private static var ending: Summary {
    Summary(
      session: "s-1", revision: 2, end: "user_kill", kept: (events: 90, bytes: 1 << 19, until: 0),
      told: Summary.start + 600_000)
  }

  @Test func `what the revision before says stays, and how it ended is added`() async throws {
    try await RunningCollector.with { collector in
      try await collector.post(raw: .telling(Summary(session: "s-1", memoryPeak: 1 << 27)))
      let before = try await collector.told("s-1")
      #expect(before["summary"]["final"].bool == false && before["summary"]["end"] == .null)
      _ = try await tell(Self.ending, collector)
      let after = try await collector.told("s-1") { $0["summary"]["revision"].int == 2 }
      let (old, new) = (before["summary"], after["summary"])
      #expect(new["final"].bool == true && new["end"].string == "user_kill")
      for member in [
        "startedAt", "endedAt", "events", "counts", "screens", "screenVisits", "launchMs", "slowFrames", "requests",
        "errors", "memoryPeak", "memoryLeft", "place", "missing",
      ] {
        #expect(new[member] == old[member] && new[member] != .null, "\(member)")
      }
      #expect(new["until"].int == Summary.start + 600_000 + Summary.week)
      for member in ["first", "last", "userId", "launches", "events"] {
        #expect(after[member] == before[member] && after[member] != .null, "\(member)")
      }
      #expect(after["live"].bool == false)
      #expect(try await collector.json("/api/sessions")["sessions"].array.count == 2)
      // The one who told goes on.
      #expect(try await collector.told("s-next")["summary"]["final"].bool == false)
    }
  }

  @Test func `it leans on that revision only, and is not taken twice`() async throws {
    try await RunningCollector.with { collector in
      try await collector.post(raw: .telling(Summary(session: "s-1", revision: 3)))
      _ = try await collector.told("s-1")
      _ = try await tell(Self.ending, collector)
      let session = try await collector.told("s-1")
      #expect(session["summary"]["revision"].int == 3 && session["summary"]["final"].bool == false)
    }
  }

  @Test func `of a session of which nothing else is known it makes none`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-next", user: "ada")
      batch.add(.event, Self.ending.ending)
      batch.add(Summary(session: "s-next"))
      try await collector.post(raw: batch)
      _ = try await collector.told("s-next")
      let names = try await collector.json("/api/sessions")["sessions"].array.map { $0["sessionId"].string }
      #expect(names == ["s-next"])
    }
  }

  @Test(arguments: [
    #"{"revision":2,"sameAs":2,"isFinal":true}"#, #"{"revision":2,"sameAs":0,"isFinal":true}"#,
    #"{"revision":2,"sameAs":-9,"isFinal":true}"#, #"{"revision":2,"sameAs":1}"#, #"{"sameAs":1,"isFinal":true}"#,
    #"{"revision":"2","sameAs":1,"isFinal":true}"#, #"{"revision":2,"sameAs":1,"isFinal":true"#, "[]",
  ]) func `what cannot be is no end`(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { SummaryEnd($0) } == nil)
  }

  @Test func `numbers at the limits are passed over`() throws {
    let text =
      #"{"timestamp":99999999999999,"revision":9223372036854775807,"sameAs":1,"isFinal":true,"end":7,"keptEvents":5,"#
      + #""keptBytes":-1,"keptDays":9223372036854775807}"#
    let end = try #require(Array(text.utf8).withUnsafeBytes { SummaryEnd($0) })
    #expect(end.end == "ended" && end.kept.events == 5 && end.kept.bytes == 0 && end.kept.until == nil)
  }
}
