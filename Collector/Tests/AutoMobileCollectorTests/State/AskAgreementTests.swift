import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

/// Two collectors over one state and one index, each write run twice.
@Suite struct `Two collectors that ask devices` {
  private struct Collectors {
    let state: any StateStore
    /// What somebody has asked for.
    let first: Int64
    let time = Kept(WallClock.now)
    let one: Asks
    let other: Asks

    init(_ index: EventStore, _ state: any StateStore, _ first: Int64, _ preparation: StateSQL?) throws {
      if let preparation { try state.writeNow { _ = try $0.execute(preparation) } }
      let time = self.time
      func asks() throws -> Asks {
        try Asks(
          store: index, rows: state, configuration: ConfigurationStore(state, logger: RunningCollector.quiet),
          logger: RunningCollector.quiet, now: { time.value })
      }
      (self.state, self.first) = (state, first)
      (one, other) = (try asks(), try asks())
    }

    func row(_ id: Int64) async throws -> Ask? { try await state.read { try AskTables.one(id, in: $0) } }

    /// What an app that comes to one of them is told.
    func told(_ asker: Asker, by asks: Asks) -> [Int64] {
      let app = DeliveringApp(owner: .app(RunningCollector.shop), bundleId: RunningCollector.shop)
      return asks.effective(of: app, asker: asker).told
    }
  }

  /// Over an index in which somebody has asked for eve, and something has come from her.
  private static func with(
    _ preparation: StateSQL? = nil, _ body: (Collectors) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#)
      try await collector.know("s-1", device: "d-1", user: "eve")
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let asked = try #require(try await store.own.read { try AskTables.one(1, in: $0) })
    try await SharedState.withEach(store) { state in
      let isThere = try await state.read { try AskTables.one(1, in: $0) } != nil
      let first = isThere ? 1 : try await state.write { try AskTables.insert(asked, in: $0) }.id
      let collectors = try Collectors(store, state, first, preparation)
      try await body(collectors)
      collectors.one.stop()
      collectors.other.stop()
    }
    try store.close()
  }

  private static func ask(user: String, in state: any StateStore, at now: Int64) async throws -> Int64 {
    try await state.write {
      try AskTables.insert(
        Ask(
          id: 0, bundle: RunningCollector.shop, kind: .user, subject: user, session: nil, from: nil, to: nil,
          reason: "r", askedBy: "ada", askedAt: now, endsAt: now + AskRules.lifetime, state: .asked, end: nil,
          changedAt: now, changedBy: "ada", toldAt: nil, cameAt: nil, events: 0, seen: 0), in: $0)
    }.id
  }

  @Test func `tell apps the same, whichever of them they come to`() async throws {
    try await Self.with { both in
      #expect(
        both.told(Asker(user: "eve"), by: both.one) == [both.first]
          && both.told(Asker(user: "eve"), by: both.other) == [both.first])
      let wakes = Kept(0)
      both.other.onChange { wakes.set(wakes.value + 1) }
      let id = try await Self.ask(user: "adam", in: both.state, at: both.time.value)
      for asks in [both.one, both.other] {
        try await eventually("both tell it") { both.told(Asker(user: "adam"), by: asks) == [id] }
      }
      try await eventually("who waits is woken") { wakes.value > 0 }
      // Each finds the devices for itself.
      let device = try await Self.ask(user: "eve", in: both.state, at: both.time.value)
      for asks in [both.one, both.other] {
        try await eventually("both know her device") {
          both.told(Asker(device: "d-1"), by: asks) == [both.first, device]
        }
      }
      _ = try await both.state.write { try AskTables.end(id, .withdrawn, at: 7, by: "bob", in: $0) }
      for asks in [both.one, both.other] {
        try await eventually("it is gone for both") { both.told(Asker(user: "adam"), by: asks).isEmpty }
      }
    }
  }

  @Test func `write down what each of them told, once`() async throws {
    try await Self.with { both in
      let first = both.time.value
      both.one.noteTold([both.first])
      try await eventually("it was written down") { try await both.row(both.first)?.toldAt == first }
      // By then the other one knows, too, or writes it once more: the first time stays.
      both.time.set(first + 5_000)
      both.other.noteTold([both.first])
      both.other.worker.wake()
      try await eventually("both know it") { both.other.all.first?.ask.toldAt == first }
      let row = try await both.row(both.first)
      #expect(row?.state == .onItsWay && row?.toldAt == first && row?.changedAt == first && row?.changedBy == nil)
    }
  }

  @Test func `count what came once`() async throws {
    // Told before anything came, and not looked at since.
    try await Self.with("UPDATE ask SET state = 'on_its_way', toldAt = 0, seen = 0") { both in
      try await eventually("it came") { try await both.row(both.first)?.state == .came }
      for _ in 0..<3 {
        for asks in [both.one, both.other] { asks.worker.wake() }
        try await Task.sleep(for: .milliseconds(300))
      }
      #expect(try await both.row(both.first)?.events == 1)
      // As from one that has lost its turn to another one meanwhile.
      try await both.state.write { try AskTables.noteCame(both.first, 1, upTo: 1, at: 7, in: $0) }
      #expect(try await both.row(both.first)?.events == 1)
      let changes = try await both.state.read { try $0.rows("SELECT ask, state FROM ask_change") }
      #expect(try changes.map { try $0[1] as String } == ["came"])
    }
  }

  @Test func `one of them follows, and the other one after it`() async throws {
    try await Self.with { both in
      func follows(_ asks: Asks) -> Bool { asks.following.isOurs }
      try await eventually("one of them follows") { follows(both.one) != follows(both.other) }
      let (first, second) = follows(both.one) ? (both.one, both.other) : (both.other, both.one)
      first.stop()
      both.time.set(both.time.value + AskRules.lifetime + 60_000)
      try await eventually("the other one ends what is over") {
        second.worker.wake()
        return try await both.row(both.first)?.end == .over
      }
      #expect(follows(second))
      let changes = try await both.state.read { try $0.rows("SELECT ask, state FROM ask_change") }
      #expect(try changes.map { try $0[1] as String } == ["gone"])
    }
  }
}
