import Foundation
import Testing

@testable import AutoMobileJournal

@Suite struct JournalTests {
  @Test func `what is appended is read, acknowledged and counted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    #expect(journal.append("one") == 0)
    #expect(journal.append("two") == 24)
    journal.append("a context", .context)

    let chunk = try #require(journal.read(journal.launch, maximumBytes: 1000, maximumRecords: 10))
    #expect(chunk.records.map(\.kind) == [.event, .event, .context])
    #expect(chunk.eventCount == 2)
    #expect(chunk.from == 0 && chunk.to == 80)
    #expect(journal.read(journal.launch, maximumBytes: 1000, maximumRecords: 10)?.from == 0, "not acknowledged yet")
    journal.acknowledge(journal.launch, upTo: chunk.to)
    #expect(journal.read(journal.launch, maximumBytes: 1000, maximumRecords: 10) == nil)
    #expect(journal.ledger.recorded == 2)
    #expect(journal.ledger.final == false)
  }

  @Test func `records roll over many segments, and segments that are done are removed`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    var texts: [String] = []
    for number in 0..<5000 {
      let text = "record \(number) " + String(repeating: "x", count: number % 90)
      journal.appendSurely(text)
      if number % 100 == 0 { texts += journal.drain(journal.launch) }
    }
    texts += journal.drain(journal.launch)
    #expect(texts.count == 5000)
    #expect(texts.enumerated().allSatisfy { $1.hasPrefix("record \($0) ") })
    #expect(directory.names(suffix: ".journal").count <= 4)
    #expect(journal.ledger.recorded == 5000 + (journal.ledger.dropped["bufferOverflow"] ?? 0))
  }

  @Test func `the next launch delivers what the last one left, and its ledger is final`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var first: Journal? = try Journal(.small(directory))
    let earlier = try #require(first?.launch)
    for number in 0..<1000 { first?.appendSurely("record \(number)") }
    let recorded = first?.ledger.recorded
    first?.closeAndWait()
    first = nil

    let second = try Journal(.small(directory))
    defer { second.closeAndWait() }
    #expect(eventually { second.launches() == [earlier, second.launch] })
    #expect(second.ledger(of: earlier)?.final == false)
    let texts = second.drain(earlier)
    #expect(texts == (0..<1000).map { "record \($0)" })
    let ledger = try #require(second.ledger(of: earlier))
    #expect(ledger.final && ledger.recorded == recorded && ledger.isExact(delivered: 1000) && ledger.torn == 0)
    second.finish(earlier)
    #expect(second.launches() == [second.launch])
    #expect(directory.names().allSatisfy { $0.hasPrefix(second.launch.description) })
  }
}
