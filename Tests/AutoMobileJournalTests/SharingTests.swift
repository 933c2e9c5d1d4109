import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

/// Several processes, several readers, one directory.
@Suite struct SharingTests {
  @Test func `two processes in one directory each write their own, and a third reads along`() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let witnesses = [try Witness(), try Witness()]
      defer { witnesses.forEach { $0.remove() } }
      let victims = try witnesses.map { try Victim(["record", directory.url.path, $0.path, "2"]) }
      #expect(eventually { witnesses.allSatisfy { $0.counts(threads: 2).allSatisfy { $0.kept > 1000 } } })

      // A reader in a third process sees whole records of both, while they write.
      let reader = JournalReader(directory: directory.url)
      let launches = reader.launches()
      #expect(launches.count == 2)
      for launch in launches {
        let page = reader.read(launch, from: 0, maximumRecords: 500)
        #expect(page.records.filter { $0.kind == .event }.count > 400)
        // Where the machine is slow, the oldest may have been evicted already.
        #expect(page.skipped.isEmpty || page.skipped == page.records.first.map { [0..<$0.position] })
        #expect(page.next > 0 && reader.ledger(of: launch)?.recorded ?? 0 > 0)
        let rest = reader.read(launch, from: page.next, maximumRecords: 50)
        #expect(rest.records.first.map { $0.position >= page.next } ?? true)
      }
      // A journal leaves the living alone.
      var options = JournalOptions(directory: directory.url, owner: "victim")
      options.freeDiskFloor = 0
      let journal = try Journal(options)
      #expect(journal.launches() == [journal.launch])
      journal.closeAndWait()

      victims[0].killAndWait()
      let heir = try Journal(options)
      #expect(heir.launches().count == 2)
      victims[1].killAndWait()
      #expect(eventually { heir.launches().count == 3 })
      for (launch, witness) in zip(launches, witnesses) {
        _ = heir.drain(launch, maximumBytes: 1 << 20, maximumRecords: 10_000)
        let ledger = heir.ledger(of: launch)
        let calls = witnesses.map { $0.counts(threads: 2).reduce(0) { $0 + $1.kept + $1.dropped } }
        #expect(calls.contains { ($0...$0 + 2).contains(ledger?.recorded ?? 0) }, "\(witness.path)")
      }
      heir.closeAndWait()
    }
  }

  @Test func `of two journals that find the same launch, one takes it over`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let dead = try Journal(.small(directory))
    dead.append("left")
    dead.closeAndWait()
    var options = JournalOptions.small(directory)
    options.singleInstance = false
    let first = try Journal(options)
    #expect(eventually { first.launches().contains(dead.launch) })
    let second = try Journal(options)
    #expect(second.launches() == [second.launch])
    first.closeAndWait()
    second.closeAndWait()
    // Whoever comes next takes over what the first did not finish.
    let third = try Journal(options)
    defer { third.closeAndWait() }
    #expect(third.launches().contains(dead.launch))
    #expect(third.drain(dead.launch) == ["left"])
  }

  @Test func `what another owner left is taken over after the age limit`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let other = try Journal(.small(directory, owner: "extension"))
    other.append("left")
    other.closeAndWait()
    let journal = try Journal(.small(directory, owner: "app"))
    #expect(journal.launches() == [journal.launch])
    journal.closeAndWait()
    var later = JournalOptions.small(directory, owner: "app")
    later.clock = { Int64(Date().timeIntervalSince1970 * 1000) + 2 * 86_400_000 }
    let heir = try Journal(later)
    defer { heir.closeAndWait() }
    #expect(heir.launches().contains(other.launch))
    #expect(heir.drain(other.launch) == ["left"])
  }

  @Test func `a launch whose files cannot be opened yet is left alone until they can be`() throws {
    for blocked in [[".ledger"], [".journal"], [".ledger", ".journal"]] {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let dead = try Journal(.small(directory))
      for number in 0..<300 { dead.appendSurely("event \(number) " + String(repeating: "x", count: 200)) }
      let recorded = dead.ledger.recorded
      dead.closeAndWait()
      let before = directory.names()
      let files = try BlockedFiles(directory.url) { name in blocked.contains { name.hasSuffix($0) } }
      let journal = try Journal(.small(directory), isKept: false)
      defer { journal.closeAndWait() }
      #expect(journal.launches() == [journal.launch], "\(blocked)")
      #expect(journal.hasOthers, "\(blocked)")
      try files.restore()
      #expect(Set(before).isSubset(of: directory.names()), "\(blocked)")
      journal.store.lock.withLock { journal.store.load() }
      #expect(journal.launches() == [dead.launch, journal.launch], "\(blocked)")
      let texts = journal.drain(dead.launch)
      #expect(texts.count == 300, "\(blocked)")
      let ledger = try #require(journal.ledger(of: dead.launch))
      #expect(ledger.final && ledger.recorded == recorded && ledger.isExact(delivered: 300), "\(blocked): \(ledger)")
    }
  }

  @Test func `a process id used again does not keep a launch alive`() {
    #expect(ProcessIdentity.current.isAlive)
    #expect(ProcessIdentity.current.isCurrent)
    var recycled = ProcessIdentity.current
    // Recorded before the process of that number was started.
    recycled.since = 1
    #expect(!recycled.isAlive)
    #expect(!recycled.isCurrent)
    var beforeReboot = ProcessIdentity.current
    beforeReboot.boot = UUID()
    #expect(!beforeReboot.isAlive)
    // Far beyond what a system hands out.
    #expect(!ProcessIdentity(pid: .max, since: 1, boot: ProcessIdentity.current.boot).isAlive)
    #expect(!ProcessIdentity(pid: -1, since: 0, boot: ProcessIdentity.current.boot).isAlive)
  }

  @Test func `a reader passes over what is not published, and says where to look again`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    for number in 0..<700 { journal.appendSurely("record \(number)") }
    let reader = JournalReader(directory: directory.url)
    // The second record's word becomes that of one being written.
    let path = directory.url.appendingPathComponent("\(journal.launch)-000000.journal").path
    let file = try FileDescriptor(path: path, flags: O_RDWR)
    let word = RecordHeader.word(.claimed, kind: .event, length: 8)
    try withUnsafeBytes(of: word) { try file.write($0, at: SegmentRing.header + 24) }
    file.close()
    let page = reader.read(journal.launch, from: 0)
    #expect(page.unpublished == [24])
    #expect(page.records.count == 699)
    #expect(reader.read(journal.launch, from: page.next).records.isEmpty)
    #expect(JournalReader(directory: directory.url.appendingPathComponent("none")).launches().isEmpty)
  }
}
