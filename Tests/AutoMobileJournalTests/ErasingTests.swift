import Foundation
import Testing

@testable import AutoMobileJournal

@Suite struct `A journal that is erased` {
  /// All names in a directory, not only a journal's.
  private func names(_ directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
  }

  @Test func `has nothing left to read, of any launch, and goes on recording`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let earlier = try Journal(.small(directory))
    earlier.append("earlier")
    earlier.closeAndWait()
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    #expect(journal.launches().contains(earlier.launch))
    for number in 0..<500 { journal.append("before \(number)") }
    let flight = journal.read(journal.launch, maximumBytes: 1000, maximumRecords: 3)
    journal.erase()
    #expect(journal.launches() == [journal.launch])
    #expect(journal.lastRecords(of: [.event], limit: 1000).isEmpty)
    #expect(try names(directory).allSatisfy { $0.hasPrefix(journal.launch.description) })
    // An answer to what was on its way says nothing any more.
    if let flight { journal.acknowledge(journal.launch, upTo: flight.to) }
    journal.append("after")
    #expect(journal.drain(journal.launch) == ["after"])
    #expect(journal.ledger.recorded == 501 && journal.ledger.dropped == ["erased": 500])
  }

  @Test func `can be erased by a process that records nothing there: one owner's, or everybody's`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for owner in ["one", "two"] {
      var options = JournalOptions.small(directory)
      options.owner = owner
      let journal = try Journal(options)
      journal.append("earlier")
      journal.closeAndWait()
    }
    try Data("mine".utf8).write(to: directory.url.appendingPathComponent("notes.txt"))
    #expect(Journal.isLeft(by: "one", in: directory.url) && Journal.isLeft(by: "two", in: directory.url))
    Journal.eraseLeft(in: directory.url, by: "one")
    #expect(!Journal.isLeft(by: "one", in: directory.url) && Journal.isLeft(by: "two", in: directory.url))
    Journal.eraseLeft(in: directory.url, by: nil)
    #expect(try names(directory) == ["notes.txt"])
  }

  @Test func `counts what had arrived as delivered, and only the rest as erased`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    for number in 0..<10 { journal.append("before \(number)") }
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 1 << 20, maximumRecords: 4))
    journal.acknowledge(journal.launch, upTo: chunk.to)
    journal.erase()
    #expect(journal.ledger.dropped == ["erased": 6])
  }

  @Test func `leaves no file when nothing is to be kept, and keeps again when it is told to`() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    journal.setPreamble(.context, Array("who it was".utf8))
    for number in 0..<500 { journal.append("before \(number)") }
    journal.setPreamble(.context, Array("nobody".utf8))
    journal.erase(thenKeep: false)
    #expect(try names(directory).isEmpty)
    try await Task.sleep(nanoseconds: 50_000_000)
    #expect(try names(directory).isEmpty)
    journal.append("while it is parked")
    journal.resumeKeeping()
    #expect(eventually { journal.status == .durable })
    journal.append("after")
    journal.closeAndWait()
    let next = try Journal(.small(directory))
    defer { next.closeAndWait() }
    #expect(next.launches().contains(journal.launch))
    let contexts = next.lastRecords(of: [.context], limit: 10, launch: journal.launch)
    #expect(contexts.allSatisfy { $0.payload == Array("nobody".utf8) })
    #expect(next.drain(journal.launch).filter { $0 != "nobody" } == ["while it is parked", "after"])
    let ledger = try #require(next.ledger(of: journal.launch))
    #expect(ledger.recorded == 502 && ledger.dropped == ["erased": 500] && ledger.isExact(delivered: 2))
  }

  @Test func `that began in memory takes nothing from before over to the disk`() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.startsInMemory = true
    let journal = try Journal(options, isKept: false)
    journal.setPreamble(.context, Array("who it was".utf8))
    journal.append("before")
    journal.setPreamble(.context, Array("nobody".utf8))
    journal.erase(thenKeep: false)
    journal.startKeeping()
    try await Task.sleep(nanoseconds: 50_000_000)
    #expect(try names(directory).isEmpty)
    journal.resumeKeeping()
    journal.append("after")
    #expect(eventually { journal.status == .durable })
    journal.closeAndWait()
    let bytes = try names(directory).map { try Data(contentsOf: directory.url.appendingPathComponent($0)) }
    for text in ["who it was", "before"] { #expect(bytes.allSatisfy { $0.range(of: Data(text.utf8)) == nil }) }
    #expect(bytes.contains { $0.range(of: Data("after".utf8)) != nil })
  }

  @Test func `leaves what others record alone, unless it is told to take that as well`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.owner = "com.example.other"
    let other = try Journal(options)
    defer { other.closeAndWait() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    other.append("theirs")
    journal.erase()
    let theirs = try names(directory).filter { $0.hasPrefix(other.launch.description) }
    #expect(!theirs.isEmpty)
    journal.erase(everybodys: true)
    // Not of those that the other one's own thread may make at this moment.
    #expect(try Set(names(directory)).isDisjoint(with: theirs))
    // What the other process still holds is its own.
    other.append("more of theirs")
    #expect(other.drain(other.launch) == ["theirs", "more of theirs"])
  }

  @Test func `is erased whole while threads record, and the counts add up`() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<3 {
        group.addTask { for number in 0..<3000 { journal.append("\(thread) \(number)") } }
      }
      group.addTask { for round in 0..<20 { journal.erase(thenKeep: round % 2 == 0); journal.resumeKeeping() } }
    }
    journal.closeAndWait()
    let next = try Journal(.small(directory))
    defer { next.closeAndWait() }
    _ = next.launches()
    let left = next.drain(journal.launch).count
    let ledger = try #require(next.ledger(of: journal.launch))
    #expect(ledger.recorded == 9000 && ledger.isExact(delivered: left))
  }
}
