#if os(macOS) || os(Linux)
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Processes whose rules and asks come from a collector, killed while a range is marked, while it is sent, while rules change, and while
/// somebody asks.
@Suite struct KilledFromAfarTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// A few in every run, 300 in a soak; or what `AUTOMOBILE_KILLS` says.
  private static let kills =
    environment["AUTOMOBILE_KILLS"].flatMap(Int.init) ?? (environment["AUTOMOBILE_SOAK"] == nil ? 10 : 300)
  /// What a run chooses comes from this number; how processes take turns does not.
  private static let seed = environment["AUTOMOBILE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...(.max))
  /// So many processes leave something in one directory before the last launch comes.
  private static let generation = 10

  /// What a process is doing when it is killed.
  private enum Moment: CaseIterable { case marking, sending, changing, asking, any }

  /// What became of all launches, so that nobody takes a test that tries nothing for one that finds nothing.
  private struct Sum {
    var (launches, events, named, arrived, kept, unsettled) = (0, 0, 0, 0, 0, 0)
  }

  @Test
  func
    `of processes killed while their rules come from afar, all that must go arrives, once, and nothing that none names`()
    async throws
  {
    print("seed \(Self.seed), \(Self.kills) kills")
    var random = SeededRandom(Self.seed)
    var sum = Sum()
    for first in stride(from: 0, to: Self.kills, by: Self.generation) {
      try await killSome(min(Self.generation, Self.kills - first), &random, &sum)
    }
    print("\(sum)")
    #expect(sum.launches >= Self.kills * 9 / 10)
    #expect(sum.named > 0 && sum.kept > 0 && sum.arrived > 0 && sum.unsettled > 0)
  }

  private func killSome(_ kills: Int, _ random: inout SeededRandom, _ sum: inout Sum) async throws {
    let bench = try DeliveryBench()
    let collector = try ChangingCollector(seed: random.next())
    defer { collector.stop() }
    let recordings = bench.directory.file("recordings")
    collector.set(Self.document(&random, asks: []))
    var witnesses: [Witness] = []
    for number in 0..<kills {
      let witness = try Witness(bench.directory.file("witness-\(number)"))
      witnesses.append(witness)
      let moment = Moment.allCases[(number + Int(random.next() % 2)) % Moment.allCases.count]
      let victim = try ProcessRun(
        "sdk-victim", [recordings.path, witness.url.path, collector.url.absoluteString, "remote", String(number)])
      #expect(await eventually(within: 60) { witness.total > 20 || !victim.isRunning })
      try await wait(for: moment, witness, collector, &random)
      victim.kill()
      #expect(await victim.status() == SIGKILL)
    }
    collector.calmDown()

    var options = JournalOptions(directory: recordings, owner: "com.example.victim")
    options.singleInstance = true
    options.freeDiskFloor = 0
    options.budget = 256 << 20
    let journal = try Journal(options)
    defer { journal.closeAndWait() }
    let launches = journal.launches().filter { !journal.isOwn($0) }
    let walked = launches.map { KilledLaunch.walk($0, journal) }
    let keeper = UploadKeeper(
      journal: journal, directory: recordings, owner: "com.example.victim", clock: bench.clock.clock)
    let ask = UploadAsk(id: "1", subject: .user("u-1"), from: 0, to: .max, reason: nil, priority: 5)
    keeper.follow(
      .whenTriggered(
        UploadRules([
          UploadRule(
            "a",
            when: .event(
              UploadEvent(type: .lifecycle, where: [UploadCondition("state", .equals(.string("trigger a")))])),
            send: UploadSpan(minutesBefore: 0.002, minutesAfter: 0.001))
        ])), asks: [ask])
    let worker = try bench.worker(journal, to: collector.url) { $0.keeper = keeper }
    let before = collector.store
    for _ in 0..<3 {
      let isSettled = Locked(false)
      worker.deliverNow { isSettled.withLock { $0 = true } }
      #expect(await eventually(bench.clock) { isSettled.withLock { $0 } })
    }
    let store = collector.store
    #expect(store.violations == [])
    for (launch, walked) in zip(launches, walked) {
      let arrived = store.events[launch, default: [:]]
      let all = KilledLaunch(walked: walked, arrived: arrived)
      expect(all, Set(arrived.keys), "seed \(Self.seed), \(launch)")
      // Of a launch of which nothing is left it has been told.
      let ledger = journal.ledger(of: launch) ?? store.ledgers[launch]
      expectLedger(all, Set(arrived.keys), ledger, witnesses, "seed \(Self.seed), \(launch)")
      sum.launches += all.events.isEmpty ? 0 : 1
      sum.events += all.events.count
      sum.named += all.mustGo(around: "trigger a").count
      sum.arrived += arrived.count
      sum.kept += Int(clamping: ledger?.kept ?? 0)
      sum.unsettled += arrived.count - before.events[launch, default: [:]].count
    }
    worker.stop(within: 0)
  }

  /// Waits until a process does what it is to be killed at, and a little longer.
  private func wait(
    for moment: Moment, _ witness: Witness, _ collector: ChangingCollector, _ random: inout SeededRandom
  ) async throws {
    var longest: UInt64 = 40_000_000
    switch moment {
    case .marking:
      let triggers = witness.returned(4)
      #expect(await eventually(within: 90) { witness.returned(4) > triggers })
    case .sending:
      let posts = collector.posts
      // After the answer that asks for patience there may be none for a while.
      _ = await eventually(within: 3) { collector.posts > posts }
    case .changing, .asking:
      let documents = collector.documents
      let users = moment == .asking ? [["u-1"], ["u-2"], ["u-1", "u-2"], ["u-2", "u-1"]] : [[], ["u-1"]]
      collector.set(Self.document(&random, asks: users.randomElement(using: &random) ?? []))
      _ = await eventually(within: 3) { collector.documents > documents }
    case .any: longest = 800_000_000
    }
    try await Task.sleep(nanoseconds: UInt64.random(in: 0..<longest, using: &random))
  }

  /// Rule `a` holds in all of them, in one place or another; what is called `b` is now this and now that, and sometimes is not there.
  private static func document(_ random: inout SeededRandom, asks: [String]) -> String {
    func rule(_ name: String, _ trigger: String, priority: Int) -> String {
      #"{"name":"\#(name)","when":{"event":{"type":"lifecycle","where":[{"field":"state","equals":"trigger \#(trigger)"}]}},"#
        + #""send":{"minutesBefore":0.002,"minutesAfter":0.001,"priority":\#(priority)}}"#
    }
    var rules = [rule("a", "a", priority: Int.random(in: 0...9, using: &random))]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: break
    case 1: rules.append(rule("b", "b", priority: 5))
    case 2: rules.append(rule("b", "c", priority: 5))
    case 3: rules = [rule("b", "b", priority: 9), rule("c", "c", priority: 1)] + rules
    case 4: rules.insert(#"{"name":"odd","when":{"regex":".*"}}"#, at: 0)
    // The app's own configuration, which has `a` only.
    default: rules = []
    }
    let asked = asks.enumerated().map { #"{"id":"\#($0 + 1)","user":"\#($1)"}"# }.joined(separator: ",")
    let mode = rules.isEmpty ? "" : #""mode":"whenTriggered","rules":[\#(rules.joined(separator: ","))],"#
    return #""upload":{"schema":1,\#(mode)"asks":[\#(asked)]}"#
  }

  private func expect(_ all: KilledLaunch, _ arrived: Set<UInt64>, _ launch: String) {
    let asked = all.events.filter { $0.user == "u-1" }.map(\.position)
    let must = all.mustGo(around: "trigger a").union(asked)
    let lost = must.subtracting(arrived)
    #expect(lost.isEmpty, "\(launch): \(lost.count) of \(must.count) lost, \(lost.sorted().prefix(3))")
    let may = ["trigger a", "trigger b", "trigger c"].reduce(into: Set<UInt64>()) {
      $0.formUnion(all.mayGo(around: $1))
    }
    let unnamed = all.events.filter {
      arrived.contains($0.position) && !may.contains($0.position) && !$0.isSummary && $0.user != "u-1"
        && $0.user != "u-2"
    }
    #expect(
      unnamed.isEmpty, "\(launch): \(unnamed.count) of \(arrived.count) sent that none names: \(unnamed.prefix(3))")
  }

  private func expectLedger(
    _ all: KilledLaunch, _ arrived: Set<UInt64>, _ ledger: LaunchLedger?, _ witnesses: [Witness], _ launch: String
  ) {
    guard let ledger else {
      Issue.record("no ledger of \(launch)")
      return
    }
    #expect(ledger.recorded == UInt64(arrived.count) + ledger.lost + (ledger.kept ?? 0), "\(launch): \(ledger)")
    let kept = UInt64(all.events.filter { !arrived.contains($0.position) }.count)
    // Of each of the threads, an event may be there whose call had not counted it.
    #expect(kept <= (ledger.kept ?? 0) + 6 && (ledger.kept ?? 0) <= kept + 6, "\(launch): \(ledger), kept \(kept)")
    // Whatever the journal says: a call that had returned has left its event, here or there, once.
    guard let victim = all.events.lazy.compactMap(\.victim).first, witnesses.indices.contains(victim) else { return }
    for thread in 0..<4 {
      let numbers = all.events.filter { $0.victim == victim && $0.thread == thread }.map(\.number)
      #expect(Set(numbers).count == numbers.count, "\(launch): thread \(thread) has something twice")
      let missing = Set(0..<witnesses[victim].returned(thread)).subtracting(numbers)
      #expect(
        missing.count <= Int(clamping: ledger.lost), "\(launch): thread \(thread) misses \(missing.sorted().prefix(3))")
    }
  }
}
#endif
