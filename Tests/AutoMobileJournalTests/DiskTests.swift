import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

#if os(Linux)
extension SmallDisk {
  fileprivate func options() -> JournalOptions {
    var options = JournalOptions(directory: URL(fileURLWithPath: path), owner: "test")
    options.segmentSize = 64 * 1024
    options.freeDiskFloor = 0
    options.singleInstance = true
    return options
  }
}

@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root")) struct DiskTests {
  @Test func `a full disk is counted, and recording goes on when there is room again`() async throws {
    try await onThread {
      let disk = try SmallDisk(kilobytes: 512)
      defer { disk.remove() }
      let journal = try Journal(disk.options())
      defer { journal.closeAndWait() }
      var kept = 0
      // More than the disk takes.
      let text = String(repeating: "x", count: 1000)
      #expect(
        eventually {
          kept += journal.append(text) == nil ? 0 : 1
          return journal.ledger.dropped["diskFull"] ?? 0 > 10
        })
      #expect(kept > 200)
      if case .stalled(let reason) = journal.status { #expect(reason.contains("No space left")) }
      #expect(journal.drain(journal.launch).count == kept)
      #expect(
        eventually {
          guard journal.append("after") != nil else { return false }
          kept += 1
          return true
        }, "\(journal.status)")
      #expect(journal.ledger.isExact(delivered: kept))
    }
  }

  @Test func `a full disk at the start is counted until there is room`() async throws {
    try await onThread {
      let disk = try SmallDisk(kilobytes: 512)
      defer { disk.remove() }
      let filler = disk.path + "/filler"
      try Data(count: 480 * 1024).write(to: URL(fileURLWithPath: filler))
      let journal = try Journal(disk.options())
      defer { journal.closeAndWait() }
      var kept = 0
      let text = String(repeating: "x", count: 1000)
      // Memory takes some, then nothing does.
      #expect(
        eventually {
          kept += journal.append(text) == nil ? 0 : 1
          return journal.ledger.dropped.values.reduce(0, +) > 10
        })
      unlink(filler)
      #expect(
        eventually {
          kept += journal.append("after") == nil ? 0 : 1
          return journal.status == .durable
        })
      let delivered = journal.drain(journal.launch).count
      #expect(journal.ledger.isExact(delivered: delivered))
    }
  }

  @Test func `a read-only directory is recorded into memory, and moved over when it can be written`() async throws {
    try await onThread {
      let disk = try SmallDisk(kilobytes: 2048)
      defer { disk.remove() }
      #expect(disk.remountReadOnly())
      let journal = try Journal(disk.options())
      for number in 0..<500 { journal.appendSurely("record \(number)") }
      guard case .memory(let reason) = journal.status else {
        Issue.record("\(journal.status)")
        return
      }
      #expect(reason.contains("Read-only"))
      #expect(disk.remountWritable())
      #expect(eventually { journal.status == .durable })
      let launch = journal.launch
      journal.append("last")
      let ledger = journal.ledger
      journal.closeAndWait()

      let next = try Journal(disk.options())
      defer { next.closeAndWait() }
      #expect(next.launches() == [launch, next.launch])
      let texts = next.drain(launch)
      #expect(texts == (0..<500).map { "record \($0)" } + ["last"])
      #expect(next.ledger(of: launch)?.recorded == ledger.recorded)
      #expect(next.ledger(of: launch)?.isExact(delivered: 501) == true)
    }
  }
}
#endif

@Suite struct LostDirectoryTests {
  @Test func `a directory that cannot be made is recorded into bounded memory`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.url.appendingPathComponent("file")
    try Data().write(to: file)
    var options = JournalOptions.small(directory)
    options.directory = file.appendingPathComponent("journal")
    options.memoryBudget = 64 * 1024
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    journal.append("first")
    #expect(journal.drain(journal.launch) == ["first"])
    for number in 0..<5000 { journal.appendSurely("record \(number)") }
    let rest = journal.drain(journal.launch)
    #expect(rest.last == "record 4999")
    #expect(rest.count < 3000, "older ones had to go")
    guard case .memory = journal.status else {
      Issue.record("\(journal.status)")
      return
    }
    #expect(journal.ledger.isExact(delivered: rest.count + 1))
    #expect(journal.ledger.dropped["evicted"] ?? 0 > 0)
  }

  @Test func `a directory deleted while recording is made again, and nothing in memory is lost`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    let launch = journal.launch
    for number in 0..<100 { journal.appendSurely("before \(number)") }
    #expect(eventually { directory.names(suffix: ".journal").count == 3 })
    directory.remove()
    for number in 0..<1000 { journal.appendSurely("after \(number)") }
    #expect(eventually { directory.names(suffix: ".ledger").count == 1 })
    let read = journal.drain(launch)
    #expect(read.first == "before 0")
    #expect(read.count == 1100)
    for number in 0..<100 { journal.appendSurely("end \(number)") }
    let recorded = journal.ledger.recorded
    journal.closeAndWait()

    let next = try Journal(.small(directory))
    defer { next.closeAndWait() }
    let rest = next.drain(launch)
    let ledger = try #require(next.ledger(of: launch))
    #expect(ledger.final && ledger.recorded == recorded, "\(ledger), \(recorded)")
    #expect(ledger.isExact(delivered: 1100 + rest.count), "\(ledger)")
  }

  @Test func `what was sent ahead is written down once more when the directory was deleted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    let launch = journal.launch
    journal.setKeeping(days: 7)
    for number in 0..<100 { journal.appendSurely("before \(number)") }
    #expect(eventually { directory.names(suffix: ".journal").count == 3 })
    let chunk = try #require(
      journal.readAhead(launch, in: [0..<UInt64.max], maximumBytes: 1 << 20, maximumRecords: 40).chunk)
    journal.acknowledgeAhead(launch, upTo: chunk.to)
    #expect(journal.setNote([7], of: launch))
    #expect(directory.names(suffix: ".kept").count == 1)
    directory.remove()
    for number in 0..<1000 { journal.appendSurely("after \(number)") }
    #expect(eventually { directory.names(suffix: ".kept").count == 1 })
    journal.setKeeping(days: nil)
    let read = journal.drain(launch)
    #expect(read.count == 1060)
    for number in 0..<100 { journal.appendSurely("end \(number)") }
    let recorded = journal.ledger.recorded
    journal.closeAndWait()

    let next = try Journal(.small(directory))
    defer { next.closeAndWait() }
    #expect(next.launches().contains(launch))
    #expect(next.note(of: launch) == [7])
    let rest = next.drain(launch)
    let ledger = try #require(next.ledger(of: launch))
    #expect(ledger.final && ledger.recorded == recorded, "\(ledger), \(recorded)")
    #expect(ledger.isExact(delivered: 1100 + rest.count), "\(ledger)")
  }

  @Test func `segments that are gone are counted as evicted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(.small(directory))
    for number in 0..<2000 { first.appendSurely("record \(number)") }
    let recorded = first.ledger.recorded
    first.closeAndWait()
    unlink(directory.url.appendingPathComponent("\(first.launch)-000001.journal").path)

    let second = try Journal(.small(directory))
    defer { second.closeAndWait() }
    _ = second.launches()
    let delivered = second.drain(first.launch).count
    let ledger = try #require(second.ledger(of: first.launch))
    #expect(delivered < 2000 && delivered > 1000)
    #expect(ledger.recorded == recorded && ledger.isExact(delivered: delivered), "\(ledger)")
    #expect(ledger.dropped["evicted"] ?? 0 == UInt64(2000 - delivered))
  }
}
