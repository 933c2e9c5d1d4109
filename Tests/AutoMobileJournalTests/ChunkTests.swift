import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileJournal

/// Threads that record at the same time reserve room ahead of their records.
@Suite struct ChunkTests {
  @Test func `what threads have reserved and not used holds nobody up`() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let journal = try Journal(.small(directory))
      defer { journal.closeAndWait() }
      let kept = try crowd(journal)
      #expect(journal.drain(journal.launch).count + evicted(journal) == kept)
      #expect(openLanes(of: journal) == 0)
      #expect(journal.ledger.torn == 0)
    }
  }

  @Test func `room that a dead process had reserved is no lost record`() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let journal = try Journal(.small(directory))
      defer { journal.closeAndWait() }
      _ = try crowd(journal)
      // What a reader of a launch that is over sees.
      let index = journal.store.ring.current
      let bytes = try #require(journal.store.ring.records(index))
      var walker = SegmentWalker(
        codec: RecordCodec(launch: journal.launch), bytes: bytes, base: journal.store.own.base(of: index), from: 0,
        writers: .gone)
      var records = 0
      while true {
        let step = walker.next()
        if step == .end { break }
        guard case .record = step else {
          Issue.record("\(step)")
          break
        }
        records += 1
      }
      #expect(records > 0)
    }
  }

  @Test func `records that follow a new preamble stand after it`() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let journal = try Journal(.small(directory))
      defer { journal.closeAndWait() }
      _ = try crowd(journal)
      let end = journal.end
      journal.setPreamble(.context, Array("new".utf8))
      #expect(openLanes(of: journal) == 0)
      for thread in 0..<4 {
        let position = DispatchQueue(label: "appender \(thread)").sync { journal.append("after") }
        #expect(try #require(position) >= end)
      }
    }
  }

  /// Lets two threads append until one of them has left room that it had reserved.
  ///
  /// - Returns: how many records were kept.
  private func crowd(_ journal: Journal) throws -> Int {
    var kept = 0
    let deadline = Date() + 60
    repeat {
      let running = DispatchGroup()
      let counts = Published(0)
      for thread in 0..<2 {
        running.enter()
        Thread.detachNewThread {
          var count = 0
          for n in 0..<500 where journal.append("\(thread):\(n)") != nil { count += 1 }
          counts.update { $0 += count }
          running.leave()
        }
      }
      running.wait()
      kept += counts.get()
      if openLanes(of: journal) > 0 { return kept }
    } while Date() < deadline
    throw NeverCrowded()
  }

  private struct NeverCrowded: Error {}

  private func evicted(_ journal: Journal) -> Int {
    Int(clamping: journal.ledger.dropped["evicted"] ?? 0)
  }

  private func openLanes(of journal: Journal) -> Int {
    withUnsafeBytes(of: &journal.store.ring.shared.pointee.lanes) { lanes in
      stride(from: 0, to: lanes.count, by: MemoryLayout<am_journal_lane>.size).filter {
        lanes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) >> 63 == 1
      }.count
    }
  }
}
