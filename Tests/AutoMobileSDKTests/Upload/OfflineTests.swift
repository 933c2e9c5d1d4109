import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// A phone that is out of reach for longer than what nobody wants is kept.
@Suite struct OfflineTests {
  @Test func `after nine days without a network, what rules name is sent, and the rest has expired`() async throws {
    let keeping = try KeepingBench()
    let errors = UploadRule(
      "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0.1, minutesAfter: 0.1))
    let days = Locked<Int64>(0)
    func journal() throws -> Journal {
      var options = JournalOptions(directory: keeping.bench.directory.url, owner: "test")
      options.singleInstance = true
      options.segmentSize = 16 * 1024
      options.freeDiskFloor = 0
      options.clock = { Int64(Date().timeIntervalSince1970 * 1000) + days.withLock { $0 } * 86_400_000 }
      return try Journal(options, isKept: false)
    }
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    // A launch a day; each records for ten minutes, with a fault in the middle.
    var launches: [LaunchID] = []
    for day in 0..<9 {
      days.withLock { $0 = Int64(day) }
      let journal = try journal()
      let keeper = keeping.keeper(journal, [errors]) { $0.keepDays = 3 }
      journal.startKeeping()
      journal.setContext(1)
      for second in 0..<600 {
        journal.log(second, at: Double(second), level: second == 300 ? .error : .info, filling: 100)
      }
      let worker = try keeping.worker(journal, to: receiver, keeper)
      worker.deliverNow()
      #expect(await eventually(keeping.clock) { keeper.status.marks > 0 && worker.status.lastStatusCode == 0 })
      worker.stop(within: 0)
      launches.append(journal.launch)
      journal.closeAndWait()
    }
    try receiver.goUp()
    days.withLock { $0 = 9 }
    let last = try journal()
    defer { last.closeAndWait() }
    let keeper = keeping.keeper(last, [errors]) { $0.keepDays = 3 }
    last.startKeeping()
    let worker = try keeping.worker(last, to: receiver, keeper)
    await keeping.settle(worker)
    for (day, launch) in launches.enumerated() {
      #expect(receiver.store.numbers(of: launch) == Array(294...306), "day \(day)")
      // Once nothing is left of a launch, its ledger is told, and lies where it was told.
      func ledger() -> LaunchLedger? { last.ledger(of: launch) ?? receiver.store.ledgers[launch] }
      func expired() -> UInt64 { ledger()?.dropped["expired", default: 0] ?? 0 }
      // Segments in which something is wanted stay whole until it has been sent.
      #expect(await eventually { day < 7 ? expired() > 300 : expired() == 0 }, "day \(day): \(expired())")
      let told = ledger()
      #expect(told?.recorded == 13 + (told?.lost ?? 0) + (told?.kept ?? 0), "\(String(describing: told))")
    }
    #expect(receiver.store.violations == [])
    worker.stop(within: 0)
  }
}
