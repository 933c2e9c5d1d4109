import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `The list of batches` {
  private func position(_ offset: Int) -> LogPosition { LogPosition(segment: 1, offset: offset) }

  private let answers = [
    ContextQuestion.numbered(project: "app a", launch: "l", number: 3): ContextAnswer(context: nil),
    .current(project: "app a", launch: "l", before: 9): ContextAnswer(
      context: KnownContext(number: 1, session: "s", bundle: "a", version: nil)),
  ]

  @Test func `What began and was not confirmed is there again, with what it depends on`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    var journal = try BatchJournal(directory: log)
    #expect(journal.position == LogPosition(segment: 0, offset: 0))
    let first = try journal.begin(to: position(10), answers: [:])
    let second = try journal.begin(to: position(20), answers: answers)
    let third = try journal.begin(to: position(30), answers: [:])
    // The second waits for a shard, and the third does not.
    try journal.confirm(first.number)
    try journal.confirm(third.number)
    for _ in 0..<3 {
      journal = try BatchJournal(directory: log)
      #expect(journal.position == position(10))
      #expect(journal.end == position(30))
      #expect(journal.open.map(\.to) == [second.to])
      #expect(Set(journal.open[0].answers.map(\.question)) == Set(answers.keys))
    }
    try journal.confirm(second.number)
    #expect(try BatchJournal(directory: log).position == position(30))
    let fourth = try journal.begin(to: position(40), answers: [:])
    #expect(fourth.from == position(30))
    #expect(fourth.number > third.number)
  }

  @Test func `A file that is torn anywhere says what was written before, and can be written to`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    let file = directory.url.appending(path: "clickhouse")
    var journal = try BatchJournal(directory: log)
    for offset in [10, 20, 30] {
      let batch = try journal.begin(to: position(offset), answers: offset == 20 ? answers : [:])
      if offset < 30 { try journal.confirm(batch.number) }
    }
    let whole = try Data(contentsOf: file)
    var last = LogPosition(segment: 0, offset: 0)
    // Every few bytes, and around each border.
    for length in 0...whole.count where length % 7 == 0 || length > whole.count - 20 {
      try whole.prefix(length).write(to: file)
      var torn = try BatchJournal(directory: log)
      #expect(torn.position >= last)
      #expect(torn.end <= position(30))
      last = torn.position
      let end = torn.end
      let next = try torn.begin(to: position(99), answers: [:])
      #expect(next.from == end)
      #expect(try BatchJournal(directory: log).open.last?.to == position(99))
    }
    #expect(last == position(20))
    // Noise in the place of it.
    try Data((0..<4096).map { _ in UInt8.random(in: 0...255) }).write(to: file)
    #expect(try BatchJournal(directory: log).position == LogPosition(segment: 0, offset: 0))
  }

  @Test func `What was left out is remembered, and its file of the log is needed, until it is confirmed`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    var journal = try BatchJournal(directory: log)
    let left = LogPosition(segment: 1, offset: 5)
    let first = try journal.begin(to: LogPosition(segment: 3, offset: 0), answers: [:], left: [left])
    try journal.confirm(first.number)
    journal = try BatchJournal(directory: log)
    #expect(journal.waiting == [left])
    #expect(journal.needed == left)
    let second = try journal.begin(to: LogPosition(segment: 4, offset: 0), answers: [:], late: [left])
    journal = try BatchJournal(directory: log)
    #expect(journal.waiting == [])
    #expect(journal.needed == left)
    try journal.confirm(second.number)
    journal = try BatchJournal(directory: log)
    #expect(journal.needed == LogPosition(segment: 4, offset: 0))
  }

  @Test func `Nothing of what is over stays in it once it was tidied, and what is not over does`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    let file = directory.url.appending(path: "clickhouse")
    func answers(_ session: String) -> [ContextQuestion: ContextAnswer] {
      let context = KnownContext(number: 1, session: session, bundle: nil, version: nil)
      return [.numbered(project: "app a", launch: "l", number: 1): ContextAnswer(context: context)]
    }
    func says(_ text: String) throws -> Bool { try Data(contentsOf: file).range(of: Data(text.utf8)) != nil }
    var journal = try BatchJournal(directory: log)
    let first = try journal.begin(to: position(10), answers: answers("adaq-1"))
    let second = try journal.begin(to: position(20), answers: answers("bobx-1"))
    try journal.confirm(first.number)
    #expect(try says("adaq") && says("bobx"))
    try journal.tidy()
    #expect(try !says("adaq") && says("bobx"))
    journal = try BatchJournal(directory: log)
    #expect(journal.position == position(10) && journal.open == [second])
    try journal.confirm(second.number)
    try journal.tidy()
    #expect(try !says("bobx"))
    let size = try Data(contentsOf: file).count
    try journal.tidy()
    #expect(try Data(contentsOf: file).count == size)
    #expect(try BatchJournal(directory: log).position == position(20))
  }

  @Test func `It does not grow for ever`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    var journal = try BatchJournal(directory: log)
    var many: [ContextQuestion: ContextAnswer] = [:]
    for number in 0..<1000 { many[.numbered(project: "app a", launch: "l", number: Int64(number))] = ContextAnswer() }
    for offset in 1...60 {
      let batch = try journal.begin(to: position(offset), answers: many)
      try journal.confirm(batch.number)
    }
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: directory.url.path + "/clickhouse")[.size] as? Int)
    #expect(size < 2 << 20)
    #expect(try BatchJournal(directory: log).position == position(60))
  }

  @Test func `A batch that was written down twice takes along what the second time says, and nothing else`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    let file = directory.url.appending(path: "clickhouse")
    let (left, other) = (position(5), position(15))
    var journal = try BatchJournal(directory: log)
    let first = try journal.begin(to: position(10), answers: [:], left: [left])
    try journal.confirm(first.number)
    // What is written behind it by one attempt.
    func attempt(_ begin: (inout BatchJournal) throws -> BatchJournal.Batch) throws -> (before: Data, entry: Data) {
      var journal = try BatchJournal(directory: log)
      let before = try Data(contentsOf: file)
      _ = try begin(&journal)
      let entry = try Data(contentsOf: file).dropFirst(before.count)
      try before.write(to: file)
      return (before, entry)
    }
    let failed = try attempt { try $0.begin(to: position(20), answers: [:], left: [other], late: [left]) }
    let second = try attempt { try $0.begin(to: position(30), answers: [:]) }
    try (second.before + failed.entry + second.entry).write(to: file)
    journal = try BatchJournal(directory: log)
    #expect(journal.open.map(\.to) == [position(30)] && journal.open[0].from == position(10))
    #expect(journal.waiting == [left] && journal.needed == left)
    withExtendedLifetime(directory) {}
  }
}
