import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

/// Processes that die while they record. What they did is known from a witness that is no part of the journal.
@Suite struct KillTests {
  /// 100 in every run, 2 000 in a soak.
  static let rounds = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 100 : 2000

  @Test func `a process killed at any moment loses no record whose call returned`() async throws {
    try await onThread {
      let records = try TemporaryDirectory()
      defer { records.remove() }
      let witness = try Witness()
      defer { witness.remove() }
      for round in 0..<Self.rounds {
        try witness.reset()
        let victim = try Victim(["record", records.url.path, witness.path, "4"])
        #expect(eventually { witness.counts(threads: 4).contains { $0.kept > 0 } })
        usleep(UInt32.random(in: 0...4000))
        #expect(victim.killAndWait() == SIGKILL)
        try Self.check(records, witness, threads: 4, "round \(round)")
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4], [1, 2, 500, 3000])
  func `a process that dies after a step of an append loses nothing else`(stage: Int, count: Int) async throws {
    try await onThread {
      let records = try TemporaryDirectory()
      defer { records.remove() }
      let witness = try Witness()
      defer { witness.remove() }
      let victim = try Victim(["record", records.url.path, witness.path, "4", "\(stage)", "\(count)"])
      #expect(victim.wait() == SIGKILL)
      try Self.check(records, witness, threads: 4, "stage \(stage), count \(count)")
    }
  }

  /// What the victim's thread recorded.
  private static func payload(thread: Int, index: UInt64) -> [UInt8] {
    Array("\(thread):\(index):".utf8) + [UInt8](repeating: UInt8(97 + index % 26), count: Int(index &* 31 % 300))
  }

  /// Reads what the victim left, as its next launch, and holds it against the witness.
  static func check(_ directory: TemporaryDirectory, _ witness: Witness, threads: Int, _ comment: Comment) throws {
    var options = JournalOptions(directory: directory.url, owner: "victim")
    options.segmentSize = 64 * 1024
    options.budget = 64 << 20
    options.freeDiskFloor = 0
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    let launches = journal.launches().filter { $0 != journal.launch }
    #expect(launches.count == 1, comment)
    let launch = try #require(launches.first, comment)
    var next = [UInt64](repeating: 0, count: threads)
    var delivered = 0
    while let chunk = journal.read(launch, maximumBytes: 256 * 1024, maximumRecords: 10_000) {
      for record in chunk.records where record.kind == .event {
        let payload = chunk.bytes[record.payload]
        let thread = Int(payload[payload.startIndex] - 48)
        #expect(payload.elementsEqual(Self.payload(thread: thread, index: next[thread])), comment)
        next[thread] += 1
        delivered += 1
      }
      journal.acknowledge(launch, upTo: chunk.to)
    }
    let counts = witness.counts(threads: threads)
    var calls: UInt64 = 0
    for thread in 0..<threads {
      // The record of a call that was about to return may be there, too.
      #expect(counts[thread].kept...counts[thread].kept + 1 ~= next[thread], "\(comment): thread \(thread)")
      calls += counts[thread].kept + counts[thread].dropped
    }
    let ledger = try #require(journal.ledger(of: launch), comment)
    #expect(ledger.final, comment)
    #expect(ledger.isExact(delivered: delivered), "\(comment): \(ledger), delivered \(delivered)")
    #expect(calls...calls + UInt64(threads) ~= ledger.recorded, "\(comment): \(ledger), \(calls) calls")
    #expect(ledger.dropped.keys.allSatisfy { $0 == "bufferOverflow" }, "\(comment): \(ledger)")
    journal.finish(launch)
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  @Test func `a delivery killed again and again counts every record of every launch exactly once`() async throws {
    try await onThread {
      let records = try TemporaryDirectory()
      defer { records.remove() }
      let other = try TemporaryDirectory()
      defer { other.remove() }
      let receiver = other.url.appendingPathComponent("received").path
      for _ in 0..<Self.rounds / 4 {
        let victim = try Victim(["relay", records.url.path, receiver])
        // Killed while it delivers, some time after it has begun to.
        let goal = Self.size(receiver) + Int.random(in: 1...30_000)
        #expect(eventually { Self.size(receiver) >= goal })
        usleep(UInt32.random(in: 0...2000))
        victim.killAndWait()
      }
      // The last one is given the time to deliver all the others.
      let victim = try Victim(["relay", records.url.path, receiver])
      #expect(eventually { records.names(suffix: ".ledger").count == 1 })
      victim.killAndWait()

      var received: [Substring: Set<Substring>] = [:]
      var refused: [Substring: Set<Substring>] = [:]
      var ledgers: [Substring: [UInt64]] = [:]
      let text = try String(contentsOfFile: receiver, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let fields = line.split(separator: " ")
        switch fields.first {
        case "R" where fields.count == 3: received[fields[1], default: []].insert(fields[2])
        case "X" where fields.count == 3: refused[fields[1], default: []].insert(fields[2])
        case "L" where fields.count == 5: ledgers[fields[1]] = fields[2...].compactMap { UInt64($0) }
        default: break
        }
      }
      // Only the last launch has not been told the end of. One that was killed before it recorded has none, either.
      #expect(Set(received.keys).subtracting(ledgers.keys).count <= 1)
      #expect(!ledgers.isEmpty)
      for (launch, ledger) in ledgers {
        let stored = (received[launch] ?? []).subtracting(refused[launch] ?? []).count
        #expect(ledger[0] == UInt64(stored) + ledger[1], "launch \(launch): \(ledger), stored \(stored)")
      }
    }
  }
}
