#if os(macOS) || os(Linux)
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Processes that send what rules name, and are killed at random points: while something is marked, while it is sent, while the rules
/// change.
@Suite struct KeepingKilledTests {
  /// 20 in every run, 300 in a soak; or what `AUTOMOBILE_KILLS` says.
  private static let kills =
    ProcessInfo.processInfo.environment["AUTOMOBILE_KILLS"].flatMap(Int.init)
    ?? (ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 20 : 300)
  /// So many processes leave something in one directory before it is looked at.
  private static let generation = 10
  /// What the victim's rules say, in milliseconds.
  private static let (before, after): (Int64, Int64) = (600, 300)
  /// Threads record in another order than that of their events' times, by so many milliseconds.
  private static let tolerance: Int64 = 150

  private struct Event {
    var position: UInt64
    var time: Int64
    var json: String
    func isTrigger(_ name: String) -> Bool { json.contains(#""state":"trigger \#(name)""#) }
    var isSummary: Bool { json.hasPrefix(#"{"eventType":"session_summary""#) }

    init(_ position: UInt64, _ json: String) {
      (self.position, self.json) = (position, json)
      time = Array(json.utf8).withUnsafeBytes { EventHead(EventBytes($0)).timestamp ?? 0 }
    }
  }

  @Test func `of processes killed while they mark and send, all that rules name arrives, once, and nothing else`()
    async throws
  {
    for _ in stride(from: 0, to: Self.kills, by: Self.generation) { try await killSome() }
  }

  private func killSome() async throws {
    let bench = try DeliveryBench()
    let random = Locked(SeededRandom(UInt64.random(in: 0...(.max))))
    let receiver = try TestReceiver { _ in
      random.withLock { Int.random(in: 0..<6, using: &$0) } == 0 ? .takeAndSay(.close) : .take
    }
    defer { receiver.stop() }
    let recordings = bench.directory.file("recordings")
    for number in 0..<Self.generation {
      let witness = bench.directory.file("witness-\(number)")
      try Data(count: 64).write(to: witness)
      let victim = try ProcessRun("sdk-victim", [recordings.path, witness.path, receiver.url.absoluteString, "keep"])
      #expect(await eventually(within: 60) { (try? Self.returned(witness)) ?? 0 > 100 || !victim.isRunning })
      try await Task.sleep(nanoseconds: random.withLock { UInt64.random(in: 0..<1_500_000_000, using: &$0) })
      victim.kill()
      #expect(await victim.status() == SIGKILL)
    }

    var options = JournalOptions(directory: recordings, owner: "com.example.victim")
    options.singleInstance = true
    options.freeDiskFloor = 0
    options.budget = 256 << 20
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    let keeper = UploadKeeper(
      journal: journal, directory: recordings, owner: "com.example.victim", clock: bench.clock.clock)
    keeper.follow(.whenTriggered(UploadRules([Self.rule("trigger a")])))
    let worker = try bench.worker(journal, to: receiver.url) { $0.keeper = keeper }
    for _ in 0..<3 {
      let isSettled = Locked(false)
      worker.deliverNow { isSettled.withLock { $0 = true } }
      #expect(await eventually(bench.clock) { isSettled.withLock { $0 } })
    }
    let store = receiver.store
    #expect(store.violations == [])
    for launch in journal.launches() where !journal.isOwn(launch) {
      expect(all(of: launch, in: journal), store.events[launch, default: [:]].map { Event($0, $1) }, launch, journal)
    }
    worker.stop(within: 0)
  }

  private func expect(_ all: [Event], _ sent: [Event], _ launch: LaunchID, _ journal: Journal) {
    let arrived = Set(sent.map(\.position))
    let (before, after, tolerance) = (Self.before, Self.after, Self.tolerance)
    for trigger in all where trigger.isTrigger("a") {
      let window = all.filter {
        $0.time >= trigger.time - before + tolerance && $0.time <= trigger.time + after - tolerance
      }
      let lost = window.filter { !arrived.contains($0.position) }
      #expect(lost.isEmpty, "\(launch): \(lost.count) of \(window.count) around \(trigger.position)")
    }
    let triggers = all.filter { $0.isTrigger("a") || $0.isTrigger("b") }
    let unnamed = sent.filter { event in
      !event.isSummary
        && !triggers.contains {
          event.time >= $0.time - before - tolerance && event.time <= $0.time + after + tolerance
        }
    }
    #expect(unnamed.isEmpty, "\(launch): \(unnamed.count) of \(sent.count) sent without a rule")
    guard let ledger = journal.ledger(of: launch) else {
      Issue.record("no ledger of \(launch)")
      return
    }
    #expect(ledger.recorded == UInt64(arrived.count) + ledger.lost + (ledger.kept ?? 0), "\(launch): \(ledger)")
    let kept = UInt64(all.filter { !arrived.contains($0.position) }.count)
    // Of each of five threads, an event may be there whose call had not counted it.
    #expect(kept <= (ledger.kept ?? 0) + 5 && (ledger.kept ?? 0) <= kept + 5, "\(launch): \(ledger), kept \(kept)")
  }

  private func all(of launch: LaunchID, in journal: Journal) -> [Event] {
    var events: [Event] = []
    var position: UInt64 = 0
    while true {
      let walked = journal.walk(launch, from: position, maximumBytes: 1 << 20) { kind, at, _, payload in
        guard kind == .event || kind == .eventAndBreadcrumb else { return }
        events.append(Event(at, String(decoding: payload, as: UTF8.self)))
      }
      position = walked.next
      if walked.isEnd { return events }
    }
  }

  private static func rule(_ trigger: String) -> UploadRule {
    UploadRule(
      trigger,
      when: .event(UploadEvent(type: .lifecycle, where: [UploadCondition("state", .equals(.string(trigger)))])),
      send: UploadSpan(minutesBefore: 0.01, minutesAfter: 0.005))
  }

  private static func returned(_ witness: URL) throws -> UInt64 {
    try Data(contentsOf: witness).withUnsafeBytes { bytes in
      (0..<4).reduce(0) { $0 + bytes.loadUnaligned(fromByteOffset: $1 * 8, as: UInt64.self) }
    }
  }
}
#endif
