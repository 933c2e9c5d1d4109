import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What of replays rules and asks name.
@Suite struct `Stretches of replays` {
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

  /// In seconds since the beginning.
  private func seconds(_ stretches: ReplayStretches, of launch: LaunchID) -> [ClosedRange<Double>] {
    stretches.ranges(of: launch.description).map { range in
      func seconds(_ time: Int64) -> Double { time == .max ? .infinity : Double(time - Self.start) / 1000 }
      return seconds(range.lowerBound)...seconds(range.upperBound)
    }
  }

  private func errors(_ name: String = "errors", replay: Bool = true) -> UploadRule {
    UploadRule(
      name, when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0.5, minutesAfter: 1, replay: replay))
  }

  @Test func `are a rule's minutes, longer by what happens in the middle of them, and survive the process`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    for second in 0..<600 {
      journal.log(second, at: Double(second), level: [100, 130, 400].contains(second) ? .error : .info)
    }
    let looked = look(journal, [errors()])
    #expect(seconds(looked, of: journal.launch) == [70...190, 370...460])
    #expect(looked.holding == .named(keepDays: 5))
    #expect(seconds(stretches(), of: journal.launch) == [70...190, 370...460])
    #expect(stretches().ranges(of: "another launch").isEmpty)
  }

  @Test func `are not of a rule without replay, and not of what goes anyway`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.log(1, at: 1, level: .error)
    journal.appendSurely(#"{"eventType":"handled_exception","timestamp":\#(Self.start),"contextId":1}"#)
    journal.appendSurely(#"{"eventType":"crash","timestamp":\#(Self.start),"contextId":1}"#)
    #expect(seconds(look(journal, [errors(replay: false)]), of: journal.launch) == [])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `are on the disk before what was found is noted, and the same when it is found again`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for session in 1...3 {
      journal.setPreamble(.context, Array(#"{"contextId":\#(session),"sessionId":"s\#(session)"}"#.utf8))
      for second in 0..<10 {
        journal.log(
          second, at: Double(session * 10 + second), level: second == 5 ? .error : .info, context: session)
      }
    }
    let rules = [errors(), UploadRule("all", when: .sessions(fraction: 1))]
    let first = look(journal, rules)
    let known = first.ranges(of: journal.launch.description)
    #expect(known.last?.upperBound == .max, "the last session goes on")
    // The process was killed before it noted how far it had looked.
    journal.setNote(nil, of: journal.launch)
    let before = try Data(contentsOf: file)
    let second = look(journal, rules)
    #expect(second.ranges(of: journal.launch.description) == known)
    #expect(
      try JSONDecoder().decode(StretchBook.self, from: Data(contentsOf: file))
        == JSONDecoder().decode(StretchBook.self, from: before))
    let book = try JSONDecoder().decode(StretchBook.self, from: before)
    #expect(
      book.stretches.filter { $0.name == "rule:all" }.map { ($0.to == .max ? -1 : $0.to - Self.start) }
        == [19_999, 29_999, -1])
  }

  @Test func `that cannot be written down keep what was found from being noted`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.log(1, at: 100, level: .error)
    // No file can be put there.
    try FileManager.default.createDirectory(
      at: file.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    #expect(seconds(look(journal, [errors()]), of: journal.launch) == [70...160])
    #expect(journal.note(of: journal.launch) == nil)
    try FileManager.default.removeItem(at: file)
    // The process was killed; the next one finds it.
    #expect(seconds(look(journal, [errors()]), of: journal.launch) == [70...160])
    #expect(journal.note(of: journal.launch) != nil)
    #expect(seconds(stretches(), of: journal.launch) == [70...160])
  }

  @Test func `of a crash are the minutes of the launch that crashed, to its end`() async throws {
    let first = try keeping.bench.journal()
    first.setContext(1)
    for second in 0..<300 { first.log(second, at: Double(second)) }
    let launch = first.launch
    first.closeAndWait()
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    journal.setContext(1)
    journal.appendSurely(
      #"{"eventType":"crash","timestamp":\#(Self.start + 299_500),"ofLaunch":"\#(launch)","sessionId":"s"}"#)
    let rule = UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 1, minutesAfter: 0))
    let looked = look(journal, [rule], earlier: [launch])
    #expect(seconds(looked, of: launch) == [239.5...Double.infinity])
    #expect(seconds(looked, of: journal.launch) == [])
  }

  @Test func `of an ask are from its first event to its last, and between, but not what is another's`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for (context, user) in [(1, "eve"), (2, "adam"), (3, "eve")] {
      journal.setPreamble(
        .context, Array(#"{"contextId":\#(context),"sessionId":"s\#(context)","userId":"\#(user)"}"#.utf8))
      for event in 0..<3 { journal.log(event, at: Double(context * 100 + event * 30), context: context) }
    }
    let ask = UploadAsk(
      id: "1", subject: .user("eve"), from: 0, to: Self.start + 330_000, reason: nil, priority: 6)
    #expect(seconds(look(journal, [], asks: [ask]), of: journal.launch) == [100...160, 300...330])
    // Asked for after all of it had been looked at.
    let other = UploadAsk(id: "2", subject: .session("s2"), from: 0, to: .max, reason: nil, priority: 6)
    #expect(
      seconds(look(journal, [], asks: [ask, other]), of: journal.launch) == [100...160, 200...260, 300...330])
  }

  /// Recorded when it was over.
  private func request(from: Double, seconds: Double, context: Int, in journal: Journal) {
    journal.appendSurely(
      #"{"eventType":"network_request","timestamp":\#(Self.start + Int64(from * 1000)),"url":"u","method":"GET","#
        + #""durationMs":\#(seconds * 1000),"contextId":\#(context)}"#)
  }

  @Test func `of an ask are not those of whoever was there when something began that ended later`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for (context, user) in [(1, "adam"), (2, "eve")] {
      journal.setPreamble(
        .context, Array(#"{"contextId":\#(context),"sessionId":"s\#(context)","userId":"\#(user)"}"#.utf8))
      if user == "adam" { for second in [0, 50] { journal.log(second, at: Double(second), context: 1) } }
    }
    request(from: 10, seconds: 90, context: 2, in: journal)
    journal.log(3, at: 110, context: 2)
    let eve = UploadAsk(id: "1", subject: .user("eve"), from: 0, to: .max, reason: nil, priority: 6)
    #expect(seconds(look(journal, [], asks: [eve]), of: journal.launch) == [100...110])
  }

  @Test func `of an ask are within the time that it names`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    // Begun before that time, and over after it.
    request(from: 0, seconds: 300, context: 1, in: journal)
    request(from: 310, seconds: 80, context: 1, in: journal)
    let ask = UploadAsk(
      id: "1", subject: .session("session 1"), from: Self.start + 100_000, to: Self.start + 350_000, reason: nil,
      priority: 6)
    #expect(seconds(look(journal, [], asks: [ask]), of: journal.launch) == [300...350])
  }

  @Test func `of a share of sessions begin with a session, though its first event began in the one before`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    for session in 1...2 {
      journal.setPreamble(.context, Array(#"{"contextId":\#(session),"sessionId":"s\#(session)"}"#.utf8))
      if session == 1 { for second in 0...60 { journal.log(second, at: Double(second), context: 1) } }
    }
    request(from: 20, seconds: 50, context: 2, in: journal)
    _ = look(journal, [UploadRule("all", when: .sessions(fraction: 1))])
    let book = try StretchBook(contentsOf: file)
    #expect(book.stretches.map { $0.from - Self.start } == [0, 70_000])
    #expect(book.stretches.map { $0.to == .max ? -1 : $0.to - Self.start } == [69_999, -1])
  }

  @Test func `of a live ask grow with each event, also when the one before has been sent`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    let stretches = stretches()
    let ask = UploadAsk(id: "1", subject: .session("s1"), from: 0, to: .max, reason: nil, priority: 6)
    let keeper = keeping.keeper(journal, [], asks: [ask])
    keeper.replay = stretches
    let told = Locked(0)
    let observer = stretches.observe { told.withLock { $0 += 1 } }
    for second in [0, 40, 80] {
      journal.log(second, at: Double(second))
      keeper.look([])
      // As when it has been sent.
      keeper.evaluations[journal.launch]?.sent(priority: 6)
    }
    #expect(seconds(stretches, of: journal.launch) == [0...80])
    #expect(told.withLock { $0 } == 3)
    stretches.forget(observer: observer)
    stretches.follow(.everything)
    #expect(told.withLock { $0 } == 3)
  }

  @Test func `of an ask go on between two events, also by the next process, and where a session was told of`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array(#"{"contextId":1,"sessionId":"s1"}"#.utf8))
    let asks = ["1", "2"].map { id in
      UploadAsk(id: id, subject: .session("s1"), from: 0, to: .max, reason: nil, priority: 6)
    }
    journal.log(1, at: 100)
    #expect(seconds(look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...100])
    journal.log(2, at: 200)
    #expect(seconds(look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...200])
    journal.appendSurely(#"{"eventType":"session_summary","timestamp":\#(Self.start + 250_000),"contextId":1}"#)
    journal.log(3, at: 300)
    #expect(seconds(look(journal, [], asks: [asks[0]]), of: journal.launch) == [100...300])
    // Asked for after all of it had been looked at.
    _ = look(journal, [], asks: asks)
    let book = try StretchBook(contentsOf: file)
    let other = book.stretches.filter { $0.name == "ask:2" }
    #expect(other.map(\.from) == [Self.start + 100_000] && other.map(\.to) == [Self.start + 300_000])
  }

  @Test func `are known of earlier launches when these have been looked at`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    let stretches = stretches()
    let keeper = keeping.keeper(journal, [errors()])
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

  @Test func `are not written where there is no replay, and gone after an erasure`() throws {
    let stretches = ReplayStretches(url: file, holding: .everything, wall: { Self.start })
    stretches.add(.add(name: "rule:a", from: Self.start, to: Self.start + 1), in: "l")
    stretches.save()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(stretches.ranges(of: "l").count == 1)
    stretches.use()
    #expect(FileManager.default.fileExists(atPath: file.path))
    try FileManager.default.removeItem(at: file)
    stretches.forget()
    #expect(stretches.ranges(of: "l").isEmpty)
  }

  @Test func `of two processes that record at the same time are all written down`() {
    let (one, two) = (stretches(), stretches())
    #expect(one.ranges(of: "a").isEmpty && two.ranges(of: "b").isEmpty)
    for second in Int64(1)...3 {
      let time = Self.start + second * 1000
      one.add(.add(name: "rule:x", from: time, to: time), in: "a")
      #expect(one.save())
      two.add(.add(name: "rule:x", from: time, to: time), in: "b")
      #expect(two.save())
    }
    #expect(stretches().ranges(of: "a").count == 3)
    #expect(stretches().ranges(of: "b").count == 3)
    // One of them has ended, and the other one looks at the rest of what it recorded.
    two.add(.add(name: "rule:x", from: Self.start + 9000, to: .max), in: "a")
    #expect(two.save())
    #expect(stretches().ranges(of: "a").count == 4)
  }

  @Test func `of another process are not lost when one of this one's could not be written at first`() throws {
    let (one, two) = (stretches(), stretches())
    try FileManager.default.createDirectory(
      at: file.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    one.add(.add(name: "rule:x", from: Self.start, to: Self.start), in: "a")
    #expect(!one.save())
    try FileManager.default.removeItem(at: file)
    two.add(.add(name: "rule:x", from: Self.start, to: Self.start), in: "b")
    #expect(two.save())
    // Nothing new: it only tries again.
    #expect(one.save())
    #expect(stretches().ranges(of: "a").count == 1 && stretches().ranges(of: "b").count == 1)
  }

  @Test func `that cannot be read now are not overwritten`() throws {
    let earlier = stretches()
    earlier.add(.add(name: "rule:x", from: Self.start, to: Self.start), in: "earlier")
    #expect(earlier.save())
    // As before a device is unlocked for the first time: the file is there, and cannot be read.
    let hidden = file.appendingPathExtension("hidden")
    try FileManager.default.moveItem(at: file, to: hidden)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let stretches = stretches()
    stretches.add(.add(name: "rule:x", from: Self.start, to: Self.start), in: "now")
    #expect(!stretches.save())
    #expect(stretches.ranges(of: "now").count == 1)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: hidden, to: file)
    #expect(stretches.save())
    #expect(self.stretches().ranges(of: "earlier").count == 1 && self.stretches().ranges(of: "now").count == 1)
  }

  @Test func `are forgotten when nothing can have them any more, and bounded`() {
    var book = StretchBook()
    for number in 0..<StretchBook.most + 10 {
      book.apply(.add(name: "\(number)", from: Int64(number), to: Int64(number)), in: "l")
    }
    book.forget(before: 1000)
    #expect(book.stretches.count == StretchBook.most && book.stretches.first?.name == "10")
    book.forget(before: StretchBook.longest + 4000)
    #expect(book.stretches.count == 10)
  }

  @Test func `of one session do not end with the next one, when the clock is set back in between`() {
    var book = StretchBook()
    // The same again by whoever looks a second time.
    for _ in 0..<2 {
      book.apply(.add(name: "rule:all", from: 1000, to: .max), in: "l")
      book.apply(.close(name: "rule:all", from: 1000, before: 900, last: 5000), in: "l")
      book.apply(.add(name: "rule:all", from: 900, to: .max), in: "l")
      book.apply(.close(name: "rule:all", from: 900, before: 3000, last: 2900), in: "l")
      #expect(book.stretches.map(\.from) == [1000, 900])
      #expect(book.stretches.map(\.to) == [5000, 2999])
    }
    #expect(book.ranges(of: "l") == [900...5000])
  }

  @Test func `that began earlier than they are said to are closed all the same`() {
    var book = StretchBook()
    book.apply(.add(name: "rule:a", from: 5000, to: .max, clock: 0), in: "l")
    // One that is joined moves its beginning.
    book.apply(.add(name: "rule:a", from: 3000, to: 6000, clock: 0), in: "l")
    book.apply(.close(name: "rule:a", from: 5000, before: 9000, last: 8000, clock: 0), in: "l")
    #expect(book.stretches.map(\.to) == [8999])
    // And what has begun since, not.
    book.apply(.add(name: "rule:a", from: 9000, to: .max, clock: 0), in: "l")
    book.apply(.close(name: "rule:a", from: 5000, before: 9000, last: 8000, clock: 0), in: "l")
    #expect(book.stretches.map(\.to) == [8999, .max])
  }

  @Test func `of several rules for every event take no more room with each of them`() throws {
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    let evaluation = LaunchEvaluation(journal.launch, isOwn: true, note: LaunchNote())
    for time in Int64(0)..<1000 {
      for name in ["a", "b"] { evaluation.nameReplay(errors(name), from: time, to: time + 10) }
    }
    let named = ["rule:a", "rule:b"].map { ReplayStretch.Change.add(name: $0, from: 0, to: 1009, clock: 0) }
    #expect(evaluation.replay == named)
    // What comes after an end is not before it.
    evaluation.replay.append(.close(name: "rule:a", from: 1000, before: 2000, last: 1999))
    evaluation.nameReplay(errors("a"), from: 1000, to: 1500)
    #expect(evaluation.replay.last == .add(name: "rule:a", from: 1000, to: 1500, clock: 0))
  }

  @Test func `are never more than one reads again, however long their names are`() throws {
    var book = StretchBook()
    for number in 0..<StretchBook.most + 10 {
      let name = "\(number)" + String(repeating: "x", count: 800)
      book.apply(.add(name: name, from: Int64(number), to: Int64(number)), in: "l")
    }
    #expect(book.stretches.count == StretchBook.most)
    #expect(book.write(to: file))
    let known = try StretchBook(contentsOf: file)
    #expect(known.stretches.count > StretchBook.most / 4 && known.stretches.last == book.stretches.last)
  }

  @Test func `a file that is damaged counts as none`() throws {
    try Data(#"{"format":1,"stretches":[{"launch":"#.utf8).write(to: file)
    let stretches = stretches()
    #expect(stretches.ranges(of: nil).isEmpty)
    stretches.add(.add(name: "rule:a", from: 5, to: 3), in: "l")
    #expect(stretches.save())
  }
}
