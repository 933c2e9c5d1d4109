import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

@Suite struct BudgetTests {
  @Test func `the oldest records are evicted to stay within the budget, and each is counted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.budget = 128 * 1024
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    for number in 0..<10_000 { journal.appendSurely("record \(number)") }
    #expect(directory.names(suffix: ".journal").count <= 8)
    let texts = journal.drain(journal.launch)
    #expect(texts.last == "record 9999")
    #expect(texts.count < 4000)
    let ledger = journal.ledger
    #expect(ledger.isExact(delivered: texts.count), "\(ledger)")
    #expect(ledger.dropped["evicted"] == UInt64(10_000 - texts.count))
  }

  @Test func `what is on its way to the receiver is not evicted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.budget = 128 * 1024
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    journal.appendSurely("on its way")
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 100, maximumRecords: 1))
    for number in 0..<10_000 { journal.appendSurely("record \(number)") }
    journal.acknowledge(journal.launch, upTo: chunk.to)
    let texts = journal.drain(journal.launch)
    #expect(texts.first == "record 0", "the rest of that segment stayed, too")
    #expect(texts.last == "record 9999")
    #expect(journal.ledger.isExact(delivered: texts.count + 1), "\(journal.ledger)")
  }

  @Test func `earlier launches are evicted before this one`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.budget = 160 * 1024
    let first = try Journal(options)
    // So much that what this launch has recorded needs its room, and not only what it prepares for later, whenever that is.
    for number in 0..<4000 { first.appendSurely("old \(number)") }
    first.closeAndWait()
    let second = try Journal(options)
    defer { second.closeAndWait() }
    for number in 0..<4000 { second.appendSurely("new \(number)") }
    let old = second.drain(first.launch)
    #expect(old.count < 4000)
    #expect(second.ledger(of: first.launch)?.isExact(delivered: old.count) == true)
    #expect(second.drain(second.launch).count == 4000)
  }

  /// A launch of five segments that is over, and how many calls it counted.
  private func deadLaunch(_ directory: TemporaryDirectory) throws -> (launch: LaunchID, recorded: UInt64) {
    let journal = try Journal(.small(directory))
    for number in 0..<300 { journal.appendSurely("event \(number) " + String(repeating: "x", count: 200)) }
    let recorded = journal.ledger.recorded
    journal.closeAndWait()
    return (journal.launch, recorded)
  }

  /// A journal without a thread of its own, whose budget has room for one segment less than there is.
  private func crowded(_ directory: TemporaryDirectory) throws -> Journal {
    var options = JournalOptions.small(directory)
    options.budget = 6 * options.segmentSize
    return try Journal(options, isKept: false)
  }

  @Test func `a segment that is gone when its room is needed counts as evicted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (launch, recorded) = try deadLaunch(directory)
    let journal = try crowded(directory)
    defer { journal.closeAndWait() }
    #expect(journal.launches() == [launch, journal.launch])
    unlink(directory.url.appendingPathComponent("\(launch)-000000.journal").path)
    #expect(journal.store.lock.withLock { journal.store.makeRoom() })
    let delivered = journal.drain(launch).count
    #expect((150..<300).contains(delivered))
    let ledger = try #require(journal.ledger(of: launch))
    #expect(ledger.final && ledger.recorded == recorded && ledger.isExact(delivered: delivered), "\(ledger)")
    #expect(ledger.dropped["evicted"] == UInt64(300 - delivered))
  }

  @Test func `a segment that cannot be read now is not evicted: the next one goes`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (launch, recorded) = try deadLaunch(directory)
    let journal = try crowded(directory)
    defer { journal.closeAndWait() }
    #expect(journal.launches() == [launch, journal.launch])
    // What was read last is still known: that of another segment.
    #expect(journal.lastRecords(of: [.event], limit: 1, launch: launch).count == 1)
    let oldest = try BlockedFiles(directory.url) { $0 == "\(launch)-000000.journal" }
    #expect(journal.store.lock.withLock { journal.store.makeRoom() })
    try oldest.restore()
    let texts = journal.drain(launch)
    #expect(texts.first?.hasPrefix("event 0 ") == true)
    #expect(texts.last?.hasPrefix("event 299 ") == true)
    let ledger = try #require(journal.ledger(of: launch))
    #expect(ledger.final && ledger.recorded == recorded && ledger.isExact(delivered: texts.count), "\(ledger)")
    #expect(ledger.dropped["evicted"] == UInt64(300 - texts.count))
  }

  @Test func `what is too old is removed and counted, unless the clock was set back`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(.small(directory))
    for number in 0..<100 { first.append("record \(number)") }
    first.closeAndWait()

    var back = JournalOptions.small(directory)
    back.clock = { Int64(Date().timeIntervalSince1970 * 1000) - 400 * 86_400_000 }
    let second = try Journal(back)
    second.append("set back")
    #expect(second.launches().contains(first.launch))
    second.closeAndWait()
    #expect(second.ledger(of: first.launch)?.dropped == [:])

    var ahead = JournalOptions.small(directory)
    ahead.clock = { Int64(Date().timeIntervalSince1970 * 1000) + 8 * 86_400_000 }
    let third = try Journal(ahead)
    defer { third.closeAndWait() }
    #expect(eventually { third.ledger(of: first.launch)?.dropped["expired"] == 100 })
    let ledger = try #require(third.ledger(of: first.launch))
    #expect(ledger.final && ledger.isExact(delivered: 0))
    #expect(third.drain(first.launch).isEmpty)
    #expect(third.ledger(of: second.launch)?.dropped["expired"] == 1)
  }

  @Test func `rejected records count under their reason`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    let positions = (0..<10).compactMap { journal.append("record \($0)") }
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 9999, maximumRecords: 8))
    journal.reject(journal.launch, [positions[3]], reason: .rejected)
    journal.reject(journal.launch, positions[5...6], reason: .deliveryFailed)
    journal.acknowledge(journal.launch, upTo: positions[5])
    journal.acknowledge(journal.launch, upTo: chunk.to)
    #expect(journal.drain(journal.launch) == ["record 8", "record 9"])
    #expect(journal.ledger.dropped == ["rejected": 1, "deliveryFailed": 2])
    #expect(journal.ledger.recorded == 10)
  }

  @Test func `each reason for a loss has a count of its own`() {
    #expect(LossReason.allCases.map(\.index).sorted() == Array(0..<Losses.count))
  }

  @Test func `losses are counted with the calls that had them, and survive the launch`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(.small(directory))
    first.append("kept")
    for reason in LossReason.allCases { first.countLoss(reason, UInt64(reason.index + 1)) }
    first.close()
    #expect(first.append("too late") == nil)
    first.append("not counted", .context)
    first.closeAndWait()
    let second = try Journal(.small(directory))
    defer { second.closeAndWait() }
    _ = second.launches()
    #expect(second.drain(first.launch) == ["kept"])
    let ledger = try #require(second.ledger(of: first.launch))
    #expect(ledger.recorded == 107 && ledger.isExact(delivered: 1))
    #expect(
      ledger.dropped["shutdown"] == 3 && ledger.dropped["deliveryFailed"] == 11 && ledger.dropped["sampledOut"] == 12)
  }
}

@Suite struct RetentionTests {
  private func options(_ directory: TemporaryDirectory) -> JournalOptions {
    var options = JournalOptions.small(directory)
    options.retained = [RetainedRecords([.eventAndBreadcrumb, .breadcrumb], count: 50)]
    return options
  }

  @Test func `the last retained records stay readable after they were acknowledged`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(options(directory))
    defer { journal.closeAndWait() }
    for number in 0..<5000 {
      journal.appendSurely("record \(number)", number % 100 == 0 ? .breadcrumb : .event)
      if number % 500 == 0 { _ = journal.drain(journal.launch) }
    }
    _ = journal.drain(journal.launch)
    let crumbs = journal.lastRecords(of: [.breadcrumb], limit: 20)
    #expect(crumbs.map { String(decoding: $0.payload, as: UTF8.self) } == (30..<50).map { "record \($0 * 100)" })
    for number in 5000..<20_000 {
      journal.appendSurely("record \(number)", number % 10 == 0 ? .breadcrumb : .event)
      if number % 500 == 0 { _ = journal.drain(journal.launch) }
    }
    _ = journal.drain(journal.launch)
    #expect(journal.lastRecords(of: [.breadcrumb], limit: 50).count == 50)
    #expect(directory.names(suffix: ".journal").count < 8, "not more is kept than needed")
    #expect(journal.read(journal.launch, maximumBytes: 1000, maximumRecords: 10) == nil, "nor delivered again")
  }

  @Test func `a launch that is over keeps them until the launch after the one that finished it`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(options(directory))
    for number in 0..<100 { first.append("crumb \(number)", .eventAndBreadcrumb) }
    first.closeAndWait()

    let second = try Journal(options(directory))
    #expect(second.launches().count == 2)
    #expect(second.drain(first.launch).count == 100)
    #expect(second.ledger(of: first.launch)?.final == true)
    second.finish(first.launch)
    #expect(second.launches() == [second.launch])
    #expect(second.lastRecords(of: [.eventAndBreadcrumb], limit: 50, launch: first.launch).count == 50)
    second.append("second")
    second.closeAndWait()

    let third = try Journal(options(directory))
    defer { third.closeAndWait() }
    #expect(third.launches() == [second.launch, third.launch])
    #expect(third.lastRecords(of: [.eventAndBreadcrumb], limit: 50, launch: first.launch).isEmpty)
    #expect(!directory.names().contains { $0.hasPrefix(first.launch.description) })
  }

  @Test func `the preamble begins every segment`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array("context 1".utf8))
    for number in 0..<1000 { journal.appendSurely("record \(number)") }
    journal.setPreamble(.context, Array("context 2".utf8))
    for number in 0..<1000 { journal.appendSurely("record \(number)") }
    let contexts = journal.lastRecords(of: [.context], limit: 100)
    let capacity = UInt64(16 * 1024 - SegmentRing.header)
    let beginning = contexts.filter { $0.position % capacity == 0 }
    #expect(beginning.map { $0.position / capacity } == Array(0..<UInt64(beginning.count)))
    #expect(beginning.count >= 3)
    #expect(contexts.filter { $0.payload == Array("context 2".utf8) }.count >= 2)
    #expect(contexts.count == beginning.count + 1)
  }
}
