#if os(macOS) || os(Linux)
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

/// Processes that keep what they record, send some of it out of order, and are killed while they do.
@Suite struct KeepingKillTests {
  /// 25 in every run, 300 in a soak.
  private static let rounds = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 25 : 300

  /// What the receiver has, as the victims wrote it down.
  private struct Received {
    var positions: [LaunchID: Set<UInt64>] = [:]
    var refused: [LaunchID: Set<UInt64>] = [:]

    init(_ text: String) {
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        // The last line may have been cut off with its process.
        guard words.count == 4, words[3] == ".", let launch = LaunchID(words[1]), let position = UInt64(words[2]) else {
          continue
        }
        if words[0] == "R" { positions[launch, default: []].insert(position) }
        if words[0] == "X" { refused[launch, default: []].insert(position) }
      }
    }
  }

  @Test
  func `after every kill, what was recorded is delivered, lost, torn or kept, and nothing is sent that is not wanted`()
    async throws
  {
    try await onThread {
      let records = try TemporaryDirectory()
      defer { records.remove() }
      let log = try TemporaryDirectory()
      defer { log.remove() }
      let path = log.url.appendingPathComponent("receiver").path
      for round in 0..<Self.rounds {
        let before = (try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0
        let victim = try Victim(["keep", records.url.path, path])
        #expect(eventually { ((try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0) > before })
        usleep(UInt32.random(in: 0...30_000))
        #expect(victim.killAndWait() == SIGKILL)
        try Self.check(records, path, "round \(round)")
      }
    }
  }

  private static func check(_ directory: TemporaryDirectory, _ path: String, _ comment: Comment) throws {
    var options = JournalOptions(directory: directory.url, owner: "victim")
    options.segmentSize = 64 * 1024
    options.budget = 512 * 1024
    options.freeDiskFloor = 0
    let journal = try Journal(options, isKept: false)
    defer { journal.closeAndWait() }
    journal.setKeeping(days: 7)
    for launch in journal.launches() where !journal.isOwn(launch) {
      var received = Received((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
      var wanted: [Range<UInt64>] = []
      var readable: Set<UInt64> = []
      var position: UInt64 = 0
      while true {
        let (next, isEnd, _) = journal.walk(launch, from: position, maximumBytes: 1 << 20) { kind, at, next, _ in
          guard kind == .event else { return }
          readable.insert(at)
          if at / 4096 % 4 == 0 { wanted.append(at..<next) }
        }
        position = next
        if isEnd { break }
      }
      for position in received.positions[launch, default: []] { #expect(position / 4096 % 4 == 0, comment) }
      // What was under way when the process died is sent again, and is known by its name.
      while let chunk = journal.readAhead(launch, in: wanted, maximumBytes: 16 * 1024, maximumRecords: 100).chunk {
        let refused = chunk.records.map(\.position).filter { $0 % 800 == 0 }
        journal.reject(launch, refused, reason: .rejected)
        received.positions[launch, default: []].formUnion(chunk.records.map(\.position))
        received.refused[launch, default: []].formUnion(refused)
        let lines = chunk.records.map { "R \(launch) \($0.position) .\n" } + refused.map { "X \(launch) \($0) .\n" }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(("\n" + lines.joined()).utf8))
        try file.close()
        journal.acknowledgeAhead(launch, upTo: chunk.to)
      }
      let has = received.positions[launch, default: []]
      let taken = UInt64(has.subtracting(received.refused[launch, default: []]).count)
      let ledger = try #require(journal.ledger(of: launch), comment)
      let kept = UInt64(readable.subtracting(has).count)
      let lost = ledger.dropped.values.reduce(0, +)
      // The process may have died between publishing an event and counting the call, in each of its two threads.
      #expect(
        ledger.final || ledger.kept.map { kept...kept + 2 ~= $0 || $0...$0 + 2 ~= kept } == true,
        "\(comment): \(ledger), kept \(kept)")
      #expect(
        ledger.recorded == taken + lost + (ledger.kept ?? 0), "\(comment): \(ledger), taken \(taken), kept \(kept)")
    }
    // Everything is sent now: the final ledgers are exact.
    guard comment.rawValue.hasSuffix("9") else { return }
    journal.setKeeping(days: nil)
    for launch in journal.launches() where !journal.isOwn(launch) {
      var received = Received((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
      while let chunk = journal.read(launch, maximumBytes: 64 * 1024, maximumRecords: 1000) {
        for record in chunk.records where record.kind == .event {
          #expect(received.positions[launch, default: []].insert(record.position).inserted, "\(comment): sent twice")
        }
        journal.acknowledge(launch, upTo: chunk.to)
      }
      let ledger = try #require(journal.ledger(of: launch), comment)
      let taken = received.positions[launch, default: []].subtracting(received.refused[launch, default: []])
      #expect(ledger.final && ledger.isExact(delivered: taken.count), "\(comment): \(ledger), taken \(taken.count)")
      journal.finish(launch)
    }
  }
}
#endif
