#if os(macOS) || os(Linux)
import AutoMobileHTTP
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

/// Processes that die while they write, and a reader in another process that pages all the while.
@Suite struct NetworkLogKillTests {
  static let rounds = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 25 : 1000

  /// The numbers of an owner's exchanges, newest first. Fails when they are not each one less than the one before.
  private static func numbers(_ entries: [NetworkLogEntry], of owner: String, _ comment: Comment) -> [Int] {
    let numbers = entries.compactMap { entry -> Int? in
      let parts = entry.exchange.id.split(separator: ":")
      return parts.first.map(String.init) == owner ? parts.last.flatMap { Int($0) } : nil
    }
    let isDense = zip(numbers, numbers.dropFirst()).allSatisfy { $0 == $1 + 1 }
    #expect(isDense, "\(comment): \(numbers.prefix(20))")
    return numbers
  }

  @Test func `a writer killed at any moment loses nothing, while a reader pages`() async throws {
    try await onThread {
      for round in 0..<Self.rounds {
        let log = try TemporaryLog()
        defer { log.remove() }
        let victim = try Victim(log, owner: "app", budget: 1 << 30)
        let reader = NetworkLog(log.directory)
        #expect(eventually { victim.count > 0 })
        let goal = Int.random(in: 1...400)
        var seen = 0
        repeat {
          let known = victim.count
          let numbers = Self.numbers(reader.all(pageSize: Int.random(in: 1...400)), of: "app", "round \(round)")
          // What had returned before is there, and everything before it.
          #expect(numbers.count >= known && numbers.last == 0, "round \(round)")
          seen = numbers.count
        } while seen < goal
        victim.killAndWait()
        let kept = victim.count
        for reader in [reader, NetworkLog(log.directory)] {
          let numbers = Self.numbers(reader.all(), of: "app", "round \(round)")
          // The record of a call that was about to return may be there, too.
          #expect(kept...kept + 1 ~= numbers.count && numbers.last == 0, "round \(round): \(numbers.count), \(kept)")
        }
      }
    }
  }

  @Test func `a writer killed while requests are under way leaves them marked, and each request once`() async throws {
    try await onThread {
      for round in 0..<max(5, Self.rounds / 5) {
        let log = try TemporaryLog()
        defer { log.remove() }
        let victim = try Victim(log, owner: "app", budget: 1 << 30, way: "begin")
        let reader = NetworkLog(log.directory)
        let goal = Int.random(in: 10...300)
        var seen = 0
        while seen < goal {
          let entries = reader.all(pageSize: Int.random(in: 1...200))
          seen = Self.numbers(entries, of: "app", "round \(round)").count
          #expect(entries.allSatisfy { $0.isUnderWay == $0.isUnfinished })
        }
        victim.killAndWait()
        let kept = victim.count
        for reader in [reader, NetworkLog(log.directory)] {
          let entries = reader.all()
          let numbers = Self.numbers(entries, of: "app", "round \(round)")
          #expect(kept...kept + 1 ~= numbers.count && numbers.last == 0, "round \(round): \(numbers.count), \(kept)")
          let unfinished = zip(numbers, entries).filter { $1.isUnfinished }.map(\.0)
          // What was about to be recorded may have begun only.
          #expect(unfinished.filter { $0 < kept } == numbers.filter { $0 % 7 == 6 && $0 < kept }, "round \(round)")
          #expect(entries.allSatisfy { !$0.isUnderWay }, "the process is gone")
        }
      }
    }
  }

  @Test func `two processes write into one directory, and their exchanges are told apart and sorted by time`()
    async throws
  {
    try await onThread {
      let log = try TemporaryLog()
      defer { log.remove() }
      let victims = try ["app", "extension"].map { try Victim(log, owner: $0, budget: 1 << 30) }
      let reader = NetworkLog(log.directory)
      #expect(eventually { victims.allSatisfy { $0.count > 500 } })
      let meanwhile = reader.all(pageSize: 50)
      #expect(Self.numbers(meanwhile, of: "app", "meanwhile").count > 300)
      #expect(Self.numbers(meanwhile, of: "extension", "meanwhile").count > 300)
      victims.forEach { $0.killAndWait() }
      // The next launch of the app takes over what the last one left, and nothing is lost by that.
      let next = try log.writer(owner: "app")
      defer { next.closeAndWait() }
      next.record(.numbered(1))
      let entries = reader.all()
      #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.id > $1.id })
      for (victim, owner) in zip(victims, ["app", "extension"]) {
        let count = Self.numbers(entries, of: owner, "at the end").count
        #expect(victim.count...victim.count + 1 ~= count, "\(owner)")
      }
      #expect(entries.contains { $0.exchange.id == "1" })
    }
  }

  @Test func `what is evicted while a reader pages goes from the old end, and nothing else goes`() async throws {
    try await onThread {
      let log = try TemporaryLog()
      defer { log.remove() }
      let victim = try Victim(log, owner: "app", budget: 512 << 10)
      let reader = NetworkLog(log.directory)
      var oldest = 0
      let deadline = Date() + 60
      while oldest < 1000, Date() < deadline {
        let entries = reader.all(pageSize: 97)
        let numbers = Self.numbers(entries, of: "app", "paging")
        oldest = max(oldest, numbers.last ?? 0)
      }
      #expect(oldest >= 1000)
      victim.killAndWait()
      #expect(Self.numbers(reader.all(), of: "app", "at the end").first ?? 0 >= victim.count - 1)
      #expect(reader.refreshedTotals().removed > 0)
      let size = log.names.reduce(0) { sum, name in
        let path = log.directory.records.appendingPathComponent(name).path
        return sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
      }
      #expect(size <= (512 + 16) << 10, "the budget, and ledgers")
    }
  }
}
#endif
