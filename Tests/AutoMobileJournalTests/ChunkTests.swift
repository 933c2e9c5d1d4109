import CAutoMobile
import Foundation
import TestTools
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
      #expect(journal.drain(journal.launch).count == kept)
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

  /// Appends from a thread that believes that others do so at the same time, and leaves room that it had reserved.
  ///
  /// - Returns: how many records were kept.
  private func crowd(_ journal: Journal) throws -> Int {
    #expect(am_journal_crowd(journal.store.ring.shared))
    let kept = (0..<5).filter { journal.append("record \($0)") != nil }.count
    try #require(openLanes(of: journal) == 1)
    return kept
  }

  private func openLanes(of journal: Journal) -> Int {
    // By its address: as a Swift variable it would be taken for changing, while the journal's own thread reads it.
    guard let start = MemoryLayout<am_journal>.offset(of: \.lanes) else { return 0 }
    let lanes = UnsafeRawPointer(journal.store.ring.shared) + start
    return (0..<Int(AM_JOURNAL_LANES)).filter {
      lanes.load(fromByteOffset: $0 * MemoryLayout<am_journal_lane>.stride, as: UInt64.self) >> 63 == 1
    }.count
  }
}
