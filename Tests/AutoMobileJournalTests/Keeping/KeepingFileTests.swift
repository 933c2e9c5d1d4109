import Foundation
import Testing

@testable import AutoMobileJournal

/// The file beside a launch's segments that says what was sent out of order.
@Suite struct KeepingFileTests {
  private let launch = LaunchID()

  private func file(_ directory: TemporaryDirectory) -> KeepingFile {
    let identity = FileIdentity(role: .ledger, launch: launch, segmentSize: 16 * 1024, created: 1, owner: 1)
    return KeepingFile(of: launch, identity: identity, in: JournalDirectory(directory.url))
  }

  private func path(_ directory: TemporaryDirectory) -> String { directory.url.path + "/\(launch).kept" }

  @Test func `what was written is there for the next process, and nothing is written before there is something`() throws
  {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.load()
    #expect(directory.names() == [])
    for number in 0..<UInt64(100) {
      first.add(
        SentRecord(counts: AheadCounts(delivered: 2, rejected: 1), ranges: [number * 100..<number * 100 + 50]),
        acknowledged: 0, isKept: true)
    }
    #expect(first.setNote([1, 2, 3], acknowledged: 0, isKept: true))
    let second = file(directory)
    second.load()
    #expect(second.counts == AheadCounts(delivered: 200, rejected: 100))
    #expect(second.sent == first.sent)
    #expect(second.note == [1, 2, 3])
    #expect(!second.sent.contains(50))
    second.remove()
    #expect(directory.names() == [])
  }

  @Test func `a record that was cut off anywhere is none, and those before it and after it count`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.add(SentRecord(counts: AheadCounts(delivered: 1), ranges: [0..<8]), acknowledged: 0, isKept: true)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path(directory))).count
    first.add(SentRecord(counts: AheadCounts(delivered: 10), ranges: [80..<88]), acknowledged: 0, isKept: true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path(directory)))
    for cut in whole..<bytes.count {
      try bytes[..<cut].write(to: URL(fileURLWithPath: path(directory)))
      let next = file(directory)
      next.load()
      #expect(next.counts.delivered == 1)
      next.add(SentRecord(counts: AheadCounts(delivered: 100), ranges: [160..<168]), acknowledged: 0, isKept: true)
      let last = file(directory)
      last.load()
      #expect(last.counts.delivered == 101, "cut at \(cut)")
      #expect(last.sent.ranges == [0..<8, 160..<168])
    }
  }

  @Test func `bytes that somebody changed say nothing, and a huge file is not read`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.add(SentRecord(counts: AheadCounts(delivered: 5), ranges: [0..<8]), acknowledged: 0, isKept: true)
    let url = URL(fileURLWithPath: path(directory))
    let bytes = try Data(contentsOf: url)
    for index in FileIdentity.size..<bytes.count {
      var changed = bytes
      changed[index] ^= 0x40
      try changed.write(to: url)
      let next = file(directory)
      next.load()
      #expect(next.counts.delivered == 0 && next.sent.isEmpty, "byte \(index)")
    }
    try Data(count: 5 << 20).write(to: url)
    let next = file(directory)
    next.load()
    #expect(next.sent.isEmpty)
  }

  @Test func `the file stays small however much is sent, and the counts stay`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let kept = file(directory)
    for number in 0..<UInt64(20_000) {
      kept.add(
        SentRecord(counts: AheadCounts(delivered: 1), ranges: [number * 64..<number * 64 + 64]), acknowledged: 0,
        isKept: true)
      if number % 100 == 0 {
        kept.setNote([UInt8](repeating: UInt8(number / 100 % 250), count: 900), acknowledged: 0, isKept: true)
      }
    }
    let size = try Data(contentsOf: URL(fileURLWithPath: path(directory))).count
    #expect(size < 300 * 1024)
    let next = file(directory)
    next.load()
    #expect(next.counts.delivered == 20_000)
    #expect(next.sent.ranges == [0..<20_000 * 64])
    #expect(next.note?.count == 900)
    #expect(!next.setNote([UInt8](repeating: 0, count: KeepingFile.maximumNote + 1), acknowledged: 0, isKept: true))
  }

  @Test func `a file that cannot be read now is not taken for none, and joins what came meanwhile`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.add(SentRecord(counts: AheadCounts(delivered: 3), ranges: [0..<8]), acknowledged: 0, isKept: true)
    first.setNote([7], acknowledged: 0, isKept: true)
    let second = file(directory)
    try withoutFiles {
      second.load()
      #expect(!second.readAgain())
      second.add(SentRecord(counts: AheadCounts(delivered: 2), ranges: [16..<24]), acknowledged: 0, isKept: true)
      #expect(!second.setNote([8], acknowledged: 0, isKept: true))
    }
    second.add(SentRecord(counts: AheadCounts(delivered: 1), ranges: [32..<40]), acknowledged: 0, isKept: true)
    let third = file(directory)
    third.load()
    #expect(third.counts.delivered == 6)
    #expect(third.sent.ranges == [0..<8, 16..<24, 32..<40])
    #expect(third.note == [8])
  }

  @Test func `a note survives a record that was cut off behind it`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.setNote([1, 2, 3], acknowledged: 0, isKept: true)
    first.add(SentRecord(counts: AheadCounts(delivered: 10), ranges: [80..<88]), acknowledged: 0, isKept: true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path(directory)))
    try bytes.dropLast(5).write(to: URL(fileURLWithPath: path(directory)))
    let next = file(directory)
    next.load()
    next.add(SentRecord(counts: AheadCounts(delivered: 1), ranges: [0..<8]), acknowledged: 0, isKept: true)
    let last = file(directory)
    last.load()
    #expect(last.note == [1, 2, 3] && last.counts.delivered == 1)
  }

  @Test func `what was sent is written down again when something may be kept again`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = file(directory)
    first.add(SentRecord(counts: AheadCounts(delivered: 3), ranges: [0..<8]), acknowledged: 0, isKept: true)
    first.setNote([7], acknowledged: 0, isKept: true)
    first.remove()
    // The same note again has to be written as well.
    #expect(first.setNote([7], acknowledged: 0, isKept: true))
    first.remove()
    first.restore(acknowledged: 0)
    let second = file(directory)
    second.load()
    #expect(second.counts.delivered == 3 && second.note == [7] && second.sent.ranges == [0..<8])
  }
}
