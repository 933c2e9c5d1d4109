import AllocationCounter
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

@Suite struct AppendTests {
  @Test func `many threads append at once and every record arrives once, in each thread's order`() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      var options = JournalOptions.small(directory)
      options.budget = 8 << 20
      let journal = try Journal(options)
      defer { journal.closeAndWait() }
      let threads = 4
      let deadline = DispatchTime.now() + 1.5
      let running = DispatchGroup()
      let results = Counts()
      for thread in 0..<threads {
        running.enter()
        Thread.detachNewThread {
          var kept: UInt64 = 0
          var dropped: UInt64 = 0
          while DispatchTime.now() < deadline {
            if journal.append("\(thread):\(kept)") != nil {
              kept += 1
            } else {
              dropped += 1
              usleep(50)
            }
          }
          results.note(thread, kept, dropped)
          running.leave()
        }
      }
      var next = [UInt64](repeating: 0, count: threads)
      var last: UInt64?
      var delivered = 0
      var evicted: UInt64 = 0
      while true {
        let isOver = running.wait(timeout: .now() + 0.001) == .success
        while let chunk = journal.read(journal.launch, maximumBytes: 1 << 16, maximumRecords: 1000) {
          for record in chunk.records {
            let text = String(decoding: chunk.bytes[record.payload], as: UTF8.self).split(separator: ":")
            let (thread, index) = (Int(text[0]) ?? -1, UInt64(text[1]) ?? 0)
            // Records that were evicted because this loop is slow leave gaps, and nothing else does.
            #expect(index >= next[thread])
            evicted += index - next[thread]
            next[thread] = index + 1
            #expect(last.map { $0 < record.position } ?? true, "positions increase")
            last = record.position
            delivered += 1
          }
          journal.acknowledge(journal.launch, upTo: chunk.to)
        }
        if isOver { break }
      }
      let counts = results.all
      #expect(counts.count == threads)
      for (thread, count) in counts { #expect(next[thread] == count.kept) }
      #expect(journal.ledger.dropped["evicted"] ?? 0 == evicted)
      #expect(journal.ledger.recorded == counts.values.reduce(0) { $0 + $1.kept + $1.dropped })
      #expect(journal.ledger.isExact(delivered: delivered))
    }
  }

  @Test func `a thread that sleeps in an append while the journal goes on loses nothing`() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let victim = try Victim(["sleep", directory.url.path, "-"])
    #expect(await onThread { victim.wait() } == 0, "the program said so")
  }

  @Test(.enabled(if: allocation_counter_available(), "allocations are counted on Linux, without a sanitizer"))
  func `appending allocates nothing, not even where a segment ends`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    journal.setPreamble(.context, Array("context".utf8))
    let payload = [UInt8](repeating: 120, count: 128)
    payload.withUnsafeBytes { bytes in
      journal.append(.event, bytes)
      let before = allocation_counter_thread_count()
      for _ in 0..<5000 { journal.append(.event, bytes) }
      journal.countLoss(.disabled)
      #expect(allocation_counter_thread_count() - before == 0)
    }
    #expect(journal.ledger.recorded == 5002)
  }

  @Test func `a payload that no segment can take is rejected, and one that just fits is kept`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    let capacity = 16 * 1024 - SegmentRing.header
    #expect(journal.append(String(repeating: "x", count: capacity - RecordHeader.size + 1)) == nil)
    #expect(journal.append(String(repeating: "x", count: 2 << 20)) == nil)
    journal.append("")
    let longest = String(repeating: "y", count: capacity - RecordHeader.size)
    journal.appendSurely(longest)
    journal.appendSurely(longest)
    journal.appendSurely("end")
    #expect(journal.drain(journal.launch) == ["", longest, longest, "end"])
    #expect(journal.ledger.dropped["rejected"] == 2)
    #expect(journal.ledger.isExact(delivered: 4))
  }

  @Test func `every way in which a record can meet the end of a segment is read back`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.segmentSize = 4096
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    var expected: [String] = []
    for length in 0..<400 {
      let text = String(repeating: "z", count: length)
      journal.appendSurely(text)
      expected.append(text)
      if length % 10 == 0 { #expect(journal.drain(journal.launch) == expected.suffix(length == 0 ? 1 : 10)) }
    }
    #expect(journal.drain(journal.launch) == expected.suffix(9))
  }

  @Test func `where the disk has no room, a launch begins in a spare that an earlier one left`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(.small(directory))
    first.append("one")
    #expect(eventually { directory.names(suffix: ".journal").count == 3 })
    first.closeAndWait()
    let before = Set(directory.names(suffix: ".journal"))
    var options = JournalOptions.small(directory)
    options.freeDiskFloor = .max
    let store = try JournalStore(options)
    #expect(store.published.status == .durable)
    let after = Set(directory.names(suffix: ".journal"))
    #expect(after.count == before.count, "renamed, not made")
    #expect(after.contains("\(store.own.id)-000000.journal"))
    #expect(after.contains("\(first.launch)-000000.journal"), "what holds records stays where it is")
  }

  @Test func `the child of a fork does not record`() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let victim = try Victim(["fork", directory.url.path, "-"])
    let code = await onThread { victim.wait() }
    #expect(code == 0, "the child said so")
    let journal = try Journal(JournalOptions(directory: directory.url, owner: "victim"))
    defer { journal.closeAndWait() }
    let launches = journal.launches()
    #expect(launches.count == 2)
    #expect(launches.dropLast().map { journal.drain($0) } == [["parent"]])
  }
}

/// What each thread has counted.
private final class Counts: @unchecked Sendable {
  // Unchecked: the counts are used under the lock only.
  private let lock = NSLock()
  private var counts: [Int: (kept: UInt64, dropped: UInt64)] = [:]

  func note(_ thread: Int, _ kept: UInt64, _ dropped: UInt64) { lock.withLock { counts[thread] = (kept, dropped) } }
  var all: [Int: (kept: UInt64, dropped: UInt64)] { lock.withLock { counts } }
}
