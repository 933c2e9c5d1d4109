import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `How asks end` {
  /// Of a session of which one event of 109 came.
  private func session(_ name: String, _ summary: Summary, device: String = "d") -> RawBatch {
    var batch = RunningCollector.session(name, device: device, user: "u")
    batch.addLog("a")
    batch.add(summary)
    return batch
  }

  /// What the page of a session says of it, and what asking for it is answered with, must be one thing.
  private func expect(
    _ name: String, _ place: String, _ collector: RunningCollector, _ comment: Comment? = nil
  ) async throws {
    try await collector.told(name) { $0["summary"]["place"].string == place }
    let answer = try await collector.askDevices(#"{"session":"\#(name)","reason":"r"}"#)
    #expect(answer.errorCode == (place == "device" ? nil : "nothing_kept"), "\(comment ?? ""): \(name): \(answer.text)")
  }

  @Test func `what a device says that it does not keep is not asked for`() async throws {
    try await RunningCollector.with { collector in
      let now = Int(WallClock.now)
      for (name, kept, place) in [
        ("nothing", nil, "gone"), ("none", (0, 0, now + 60_000), "gone"), ("late", (5, 100, now - 60_000), "gone"),
        ("there", (5, 100, now + 600_000), "device"),
      ] as [(String, (events: Int, bytes: Int, until: Int)?, String)] {
        let batch = session(name, Summary(session: name, end: "ended", kept: kept))
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 2)
        try await expect(name, place, collector)
      }
      // All that was recorded is here.
      let whole = session("whole", Summary(session: "whole", end: "ended", events: ["log": 1]))
      try await collector.post(raw: whole)
      try await expect("whole", "here", collector)
    }
  }

  @Test func `of a session in two launches, the one that keeps something is asked for`() async throws {
    try await RunningCollector.with { collector in
      let first = session("s", Summary(session: "s", end: "crash"))
      try await collector.post(raw: first)
      let later = Summary(
        session: "s", startedAt: Summary.start + 100_000, endedAt: Summary.start + 200_000, end: "ended",
        events: ["log": 1], kept: nil, told: Summary.start + 300_000)
      try await collector.post(raw: session("s", later))
      try await collector.told("s") { $0["summary"]["events"].int == 110 }
      try await expect("s", "device", collector)
    }
  }

  @Test func `a ledger says later what is kept, less or more`() async throws {
    try await RunningCollector.with { collector in
      var less = session("less", Summary(session: "less"))
      less.ledger = LaunchLedger(recorded: 110, kept: 108)
      less.sentAt = Int(WallClock.now)
      try await collector.post(raw: less)
      try await collector.told("less") { $0["summary"]["place"].string == "device" }
      var evicted = RawBatch(launch: less.launch, from: less.position)
      evicted.ledger = LaunchLedger(recorded: 110, dropped: ["evicted": 108], kept: 0)
      evicted.sentAt = Int(WallClock.now)
      try await collector.post(raw: evicted)
      try await expect("less", "gone", collector)

      var more = session("more", Summary(session: "more", kept: nil))
      more.ledger = LaunchLedger(recorded: 110, kept: 108)
      more.sentAt = Int(WallClock.now)
      try await collector.post(raw: more)
      try await expect("more", "device", collector)
    }
  }

  /// It was told to send everything, and what had been sent was removed before it was told to keep the rest, and counted that.
  @Test func `what a device kept after it had sent more than it counted is asked for`() async throws {
    try await RunningCollector.with { collector in
      func flipped(_ name: String, kept: UInt64, dropped: [String: UInt64] = [:]) async throws -> RawBatch {
        var batch = RunningCollector.session(name, device: "d", user: "u")
        for index in 0..<12 { batch.addLog("sent \(index)", at: Summary.start + index) }
        let summary = Summary(
          session: name, end: "ended", events: ["log": 7], kept: (5, 4096, Summary.start + Summary.week))
        batch.add(summary)
        // Twelve and the summary are here, five are not.
        batch.ledger = LaunchLedger(recorded: 18, dropped: dropped, kept: kept)
        batch.sentAt = Int(WallClock.now)
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 13)
        return batch
      }
      let batch = try await flipped("flipped", kept: 18)
      let told = try await collector.told("flipped") { $0["events"].int == 12 }["summary"]
      #expect(told["missing"].int == 5 && told["events"].int == 17)
      #expect(told["until"].int == Summary.start + Summary.week)
      try await expect("flipped", "device", collector)
      // They come, and there is nothing more to ask for, whatever the last ledger counted before that.
      var rest = RawBatch(launch: batch.launch, from: batch.position)
      for index in 0..<5 { rest.addLog("kept \(index)", at: Summary.start + 20 + index) }
      rest.ledger = LaunchLedger(recorded: 18, kept: 5)
      try await collector.post(raw: rest)
      try await collector.waitForLaunch(batch.launch, stored: 18)
      try await expect("flipped", "here", collector)
      // What went there for its age is not kept.
      _ = try await flipped("aged", kept: 0, dropped: ["expired": 5])
      try await expect("aged", "here", collector)
    }
  }

  @Test func `a session's own time is over before that of the launch it was in`() async throws {
    try await RunningCollector.with { collector in
      let now = Int(WallClock.now)
      let batch = session("early", Summary(session: "early", end: "ended", kept: (108, 100, now - 60_000)))
      try await collector.post(raw: batch)
      var later = RawBatch(launch: batch.launch, from: batch.position)
      later.addContext(2, session: "next")
      later.add(Summary(session: "next", revision: 1, kept: (200, 4096, now + Summary.week)), context: 2)
      try await collector.post(raw: later)
      try await collector.told("next")
      try await expect("early", "gone", collector)
    }
  }

  @Test func `an ask is gone when its device keeps nothing of it, or when it has stood for long enough`() async throws {
    let directory = try TemporaryDirectory()
    let started = WallClock.now
    try await RunningCollector.with(directory: directory.url) { collector in
      for name in ["expires", "stays"] {
        let until = Int(name == "expires" ? started + 3_600_000 : started + 30 * 86_400_000)
        let batch = session(name, Summary(session: name, end: "ended", kept: (108, 100, until)), device: "d-\(name)")
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 2)
        _ = try await collector.asked(#"{"session":"\#(name)","reason":"r"}"#)
      }
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let time = Kept(started)
    let asks = try Asks(
      store: store, configuration: ConfigurationStore(store.state, logger: RunningCollector.quiet),
      logger: RunningCollector.quiet, now: { time.value })
    defer { asks.stop() }
    let wakes = Kept(0)
    asks.onChange { wakes.set(wakes.value + 1) }
    func settle(_ isDone: ([Ask]) -> Bool) async throws -> [Ask] {
      let deadline = ContinuousClock.now + .seconds(90)
      while true {
        asks.worker.wake()
        let all = try await store.state.read { try AskTables.page(AskTables.Filter(), in: $0) }
        if isDone(all) { return all }
        try #require(ContinuousClock.now < deadline, "\(all)")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    func tell(_ device: String) -> [Int64] {
      let app = DeliveringApp(owner: .app(RunningCollector.shop), bundleId: RunningCollector.shop)
      return asks.effective(of: app, asker: Asker(device: device)).told
    }
    _ = try await settle { _ in tell("d-expires") == [1] && tell("d-stays") == [2] }
    time.set(started + 7_200_000)
    // Each time apps are told after it was written down.
    var all = try await settle { $0.contains { $0.state == .gone } && tell("d-expires") == [] && wakes.value >= 1 }
    #expect(all.map(\.end) == [nil, .expired] && all.map(\.state) == [.asked, .gone])
    #expect(tell("d-expires") == [] && tell("d-stays") == [2] && wakes.value >= 1)
    // It was asked for some time after the test had started, on a machine that is busy.
    time.set(started + AskRules.lifetime + 60_000)
    all = try await settle { $0.allSatisfy { $0.state == .gone } && tell("d-stays") == [] }
    #expect(all.map(\.end) == [.over, .expired])
    #expect(tell("d-stays") == [])
    // And is forgotten some day.
    time.set(started + AskRules.lifetime + AskRules.remembered + 120_000)
    all = try await settle(\.isEmpty)
    #expect(all.isEmpty)
  }

  @Test func `questions are held in as many places as there are, and each launch has one`() async throws {
    var limits = CollectorLimits()
    limits.connections = 16
    limits.idleSeconds = 20
    let held = HeldQuestions(limits)
    #expect(held.most == 4 && held.mostOfApp == 3 && held.longest == 10)
    func offer(_ app: String) -> String? { held.offer(to: .app(app)) }
    func address(_ app: String, _ launch: String) -> CommandExchange.Address {
      CommandExchange.Address(owner: .app(app), launch: launch)
    }
    func hold(_ app: String, _ launch: String, news: @escaping @Sendable () -> Bool = { false }) -> Task<Void, Never> {
      Task { await held.hold(address(app, launch), for: 60, hasNews: news) }
    }
    func wait(for count: Int) async throws {
      let deadline = ContinuousClock.now + .seconds(90)
      while held.count != count {
        try #require(ContinuousClock.now < deadline, "\(held.count) are held")
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    let hasNews = Kept(false)
    let first = hold("a", "1") { hasNews.value }
    _ = (hold("a", "2"), hold("a", "3"))
    try await wait(for: 3)
    // Of this app, no more, and it is told to ask for none; another one has room.
    #expect(await held.hold(address("a", "4"), for: 60) { false } == false)
    #expect(held.count == 3 && offer("a") == nil && offer("b") == "10")
    let other = hold("b", "1")
    try await wait(for: 4)
    #expect(offer("b") == nil && offer("c") == nil)
    #expect(await held.hold(address("c", "1"), for: 60) { false } == false)
    // The same launch again: the question before is of a connection that is gone.
    let again = hold("b", "1")
    await other.value
    try await wait(for: 4)
    // Who has news already does not wait, and news wakes whom they are for.
    hasNews.set(true)
    held.wake()
    await first.value
    #expect(held.count == 3)
    #expect(await held.hold(address("a", "1"), for: 60) { true })
    let short = ContinuousClock.now
    await held.hold(address("d", "1"), for: 0.05) { false }
    #expect(ContinuousClock.now - short >= .milliseconds(45) && held.count == 3)
    // Who is not there any more has no place.
    let client = ClientPresence()
    let left = Task { await held.hold(address("d", "1"), for: 60, client: client) { false } }
    try await wait(for: 4)
    client.leave()
    _ = await left.value
    #expect(held.count == 3)
    await held.hold(address("d", "1"), for: 60, client: client) { false }
    // At the end nobody waits, and all may ask the next collector.
    held.finish()
    await again.value
    #expect(held.count == 0 && offer("b") == "10")
    #expect(await held.hold(address("a", "1"), for: 60) { false })
  }
}
