#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import TestTools
import Testing

/// Processes that record and deliver, and are killed in the middle of both, one after the other in the same directory.
@Suite struct KilledDeliveryTests {
  /// 20, or what `AUTOMOBILE_KILLS` says.
  private static let kills = ProcessInfo.processInfo.environment["AUTOMOBILE_KILLS"].flatMap(Int.init) ?? 20

  @Test func `of processes killed while they deliver, everything is stored once or counted as lost`() async throws {
    let bench = try DeliveryBench()
    let random = Locked(SeededRandom(99))
    let receiver = try TestReceiver { number in
      random.withLock { Int.random(in: 0..<8, using: &$0) } == 0 ? .takeAndSay(.close) : .take
    }
    defer { receiver.stop() }
    var witnesses: [URL] = []
    for number in 0..<Self.kills {
      let witness = bench.directory.file("witness-\(number)")
      witnesses.append(witness)
      try Data(count: 64).write(to: witness)
      let before = receiver.requests.count
      let victim = try ProcessRun(
        "sdk-victim", [bench.directory.file("recordings").path, witness.path, receiver.url.absoluteString])
      #expect(await eventually(within: 60) { receiver.requests.count > before || !victim.isRunning })
      let pause = random.withLock { UInt64.random(in: 0..<50_000_000, using: &$0) }
      try await Task.sleep(nanoseconds: pause)
      victim.kill()
      #expect(await victim.status() == SIGKILL)
    }

    var options = JournalOptions(directory: bench.directory.file("recordings"), owner: "com.example.victim")
    options.singleInstance = true
    options.freeDiskFloor = 0
    // So little that launches are evicted before they are delivered.
    options.budget = 6 << 20
    let journal = try Journal(options)
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    // Nothing is recorded here, so the launches are done when only this one is left.
    let finished = await eventually(within: 90, bench.clock) { journal.launches() == [journal.launch] }
    #expect(finished)
    worker.stop(within: 10_000)

    let store = receiver.store
    #expect(store.violations == [])
    #expect(store.ledgers.count == Self.kills)
    for (launch, ledger) in store.ledgers {
      #expect(ledger.final)
      #expect(ledger.recorded == UInt64(store.events[launch, default: [:]].count) + ledger.lost)
    }
    // Against what the processes themselves have seen to return: no call is missing, none was made up.
    let returned = try witnesses.reduce(0) { try $0 + Self.returned($1) }
    let recorded = store.ledgers.values.reduce(0) { $0 + $1.recorded }
    #expect((returned...returned + UInt64(4 * Self.kills)).contains(recorded))
    for events in store.events.values {
      let identities = events.values.compactMap(Self.identity)
      #expect(identities.count == events.count)
      #expect(Set(identities).count == identities.count)
    }
  }

  /// How many calls have returned.
  private static func returned(_ witness: URL) throws -> UInt64 {
    try Data(contentsOf: witness).withUnsafeBytes { bytes in
      (0..<4).reduce(0) { $0 + bytes.loadUnaligned(fromByteOffset: $1 * 8, as: UInt64.self) }
    }
  }

  /// Thread and number of one of the victim's events.
  private static func identity(_ json: String) -> String? {
    guard let event = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else { return nil }
    let maps = ["properties", "metadata", "details", "arguments"].compactMap { event[$0] as? [String: String] }
    guard let thread = maps.compactMap({ $0["thread"] }).first else { return nil }
    guard let n = maps.compactMap({ $0["n"] }).first ?? event["destination"] ?? event["state"] else { return nil }
    return "\(thread) \(n)"
  }
}
#endif
