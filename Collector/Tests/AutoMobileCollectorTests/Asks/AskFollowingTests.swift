import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `What becomes of asks` {
  /// An index in which some users of the shop are asked for, by number.
  private static func directory(
    asking users: [String], then body: @Sendable (RunningCollector) async throws -> Void = { _ in }
  ) async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      for user in users {
        _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"\#(user)","reason":"r"}"#)
      }
      try await body(collector)
    }
    return directory
  }

  @Test func `an ask that has no row any more is told to nobody`() async throws {
    let directory = try await Self.directory(asking: ["eve", "adam"])
    let lone = try LoneAsks(directory.url)
    defer { lone.asks.stop() }
    try await lone.settle { lone.told(Asker(user: "eve")) == [1] }
    // As an ask that was written down and withdrawn before it was in memory.
    try await lone.store.pool.write { try $0.execute(sql: "DELETE FROM ask WHERE id = 1") }
    lone.time.set(lone.time.value + 60_000)
    try await lone.settle { lone.told(Asker(user: "eve")).isEmpty }
    #expect(lone.told(Asker(user: "adam")) == [2])
  }

  /// Cannot say on which devices one user was seen.
  private struct TroubledReading: AskReading {
    struct Trouble: Error {}

    let asks: SQLiteAsks
    let user: String

    func look(for ask: Ask, after first: Int64) throws -> AskAudience.Look {
      guard ask.subject != user else { throw Trouble() }
      return try asks.look(for: ask, after: first)
    }

    func session(_ scope: ReadScope, _ name: String, at now: Int64) async throws -> AskedSession? {
      try await asks.session(scope, name, at: now)
    }
    func begin(_ ask: Ask) async throws -> (look: AskAudience.Look, newest: Int64) { try await asks.begin(ask) }
    func newestContext() throws -> Int64 { try asks.newestContext() }
    func empty(_ asks: [Ask], at now: Int64) throws -> Set<Int64> { try self.asks.empty(asks, at: now) }
    func arrived(
      after first: Int64, most: Int, _ open: @escaping @Sendable () -> [OpenAsk]
    ) throws -> ArrivedEvents {
      try asks.arrived(after: first, most: most, open)
    }
  }

  @Test func `an ask whose devices cannot be found holds up no other, and ends`() async throws {
    let directory = try await Self.directory(asking: ["eve", "adam"]) { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      try await collector.know("s-2", device: "d-2", user: "adam")
    }
    let lone = try LoneAsks(directory.url) { TroubledReading(asks: $0, user: "eve") }
    defer { lone.asks.stop() }
    try await lone.settle { lone.told(Asker(device: "d-2")) == [2] }
    #expect(lone.told(Asker(device: "d-1")).isEmpty)
    lone.time.set(lone.time.value + 365 * HealthFilter.day)
    try await lone.settle { try lone.row(1)?.state == .gone && lone.row(2)?.state == .gone }
  }

  @Test func `an ask that goes before it is in memory is told to nobody`() async throws {
    try await RunningCollector.with { collector in
      let asks = collector.collector.asks
      // The writer's next turn after each ask's: whoever withdraws it there may find nothing in memory.
      async let watch: Void = { () async throws -> Void in
        for _ in 1...60 {
          while true {
            let gone = try await collector.collector.store.pool.write { database in
              let rows = try Int64.fetchAll(database, sql: "SELECT id FROM ask")
              try database.execute(sql: "DELETE FROM ask")
              return rows
            }
            asks.forget(Set(gone))
            if !gone.isEmpty { break }
          }
        }
      }()
      for number in 1...60 {
        let body = #"{"bundleId":"dev.example.shop","user":"u\#(number)","reason":"r"}"#
        #expect(try await collector.askDevices(body).status == 200)
      }
      try await watch
      try await eventually("nothing is left of them") { asks.all.isEmpty }
    }
  }

  @Test func `devices of a user are looked for among what is new only, and after a start beside deliveries`()
    async throws
  {
    let directory = try await Self.directory(asking: ["eve"]) { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      try await collector.know("s-2", device: "d-2", user: "eve", bundle: "dev.example.other")
    }
    let lone = try LoneAsks(directory.url)
    defer { lone.asks.stop() }
    let ask = try #require(try lone.row(1))
    let (first, second, plan) = try await lone.store.pool.write { database in
      let first = try AskAudience.look(for: ask, after: -1, in: database)
      try database.execute(
        sql: """
          INSERT INTO context(launch, contextId, session, json)
            SELECT launch, 77, session, CAST(replace(CAST(json AS TEXT), 'd-1', 'd-3') AS BLOB) FROM context
            WHERE instr(CAST(json AS TEXT), 'd-1') > 0
          """)
      let second = try AskAudience.look(for: ask, after: first.last, in: database)
      let plan = try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(AskAudience.ofUser)", arguments: ["eve", first.last, ask.bundle])
      return (first, second, plan.map { $0["detail"] as String })
    }
    #expect(first.devices == ["d-1"] && second.devices == ["d-3"] && second.last == first.last + 1)
    #expect(plan.contains { $0.contains("context_user (<expr>=? AND rowid>?)") }, "\(plan)")
    try await lone.settle { lone.told(Asker(device: "d-1")) == [1] }
    lone.time.set(lone.time.value + 60_000)
    try await lone.settle { lone.told(Asker(device: "d-3")) == [1] }
    #expect(lone.told(Asker(device: "d-1")) == [1] && lone.told(Asker(device: "d-2")).isEmpty)
    // What is erased meanwhile is known no more.
    try await lone.store.pool.write {
      try $0.execute(sql: "DELETE FROM context WHERE instr(CAST(json AS TEXT), 'd-3') > 0")
    }
    lone.asks.reload()
    try await lone.settle { lone.told(Asker(device: "d-3")).isEmpty }
    #expect(lone.told(Asker(device: "d-1")) == [1])
  }

  @Test func `who used an app before somebody else in the same session is found, and what they did is counted`()
    async throws
  {
    try await RunningCollector.with { collector in
      func context(_ id: Int, _ user: String) -> String {
        """
        {"contextId":\(id),"sessionId":"s-1","userId":"\(user)","anonymousId":"d-1","appVersion":"2.1",\
        "bundleId":"\(RunningCollector.shop)"}
        """
      }
      var batch = RawBatch(launch: LaunchID(), bundleId: RunningCollector.shop)
      batch.add(.context, context(1, "ada"))
      batch.addLog("of ada", context: 1)
      batch.add(.context, context(2, "bob"))
      batch.addLog("of bob", context: 2)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      let base = try await collector.tag(nil)
      let ada = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"ada","reason":"r"}"#)
      let bob = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"bob","reason":"r"}"#)
      #expect(try await collector.tag("device=d-1&user=bob") != base)
      let told = try await collector.tell("device=d-1&user=bob").json()["upload"]["asks"].array
      #expect(told.map(\.["user"].string) == ["ada", "bob"])
      for id in [ada, bob] {
        try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "on_its_way" }
      }
      batch.addLog("kept of ada", context: 1)
      batch.addLog("kept of ada, too", context: 1)
      batch.addLog("kept of bob", context: 2)
      try await collector.post(raw: batch)
      try await collector.wait(for: "/api/asks/\(ada)") { $0["events"].int == 2 }
      try await collector.wait(for: "/api/asks/\(bob)") { $0["events"].int == 1 }
    }
  }

  @Test func `while much arrives, what was told is written down, and what ends ends`() async throws {
    let directory = try await Self.directory(asking: ["eve", "adam"]) { collector in
      var batch = RunningCollector.session("s-1", device: "d-1", user: "eve")
      for number in 0..<400 { batch.addLog("number \(number)") }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 400)
    }
    // One by one it would look at them for minutes.
    let lone = try LoneAsks(directory.url, stride: 1)
    defer { lone.asks.stop() }
    lone.asks.noteTold([1])
    try await lone.settle(within: 60) { try lone.row(1)?.state == .onItsWay }
    try await lone.settle(within: 60) { lone.asks.all.first?.ask.toldAt == lone.time.value }
    lone.time.set(lone.time.value + AskRules.lifetime + 60_000)
    try await lone.settle(within: 60) { try lone.row(2)?.end == .over }
  }

  @Test func `an ask that is told while events are read counts those that came of it`() async throws {
    let directory = try await Self.directory(asking: ["eve"]) { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
    }
    let lone = try LoneAsks(directory.url)
    defer { lone.asks.stop() }
    var ask = try #require(try lone.row(1))
    let found = try await lone.store.pool.read { [ask] database in
      try ArrivedEvents(
        after: 0, most: 10,
        {
          var told = ask
          told.toldAt = 0
          return [OpenAsk(ask: told)]
        }, in: database)
    }
    #expect(found.counts == [1: 1] && found.asks.first?.ask.toldAt == 0)
    // What is written from a copy that was made before does not take it back.
    try await lone.settle { lone.asks.all.first?.looked ?? -1 >= 0 }
    lone.asks.noteTold([1])
    ask.toldAt = nil
    try lone.asks.write([], inMemory: [ask])
    #expect(lone.asks.all.first?.ask.toldAt != nil)
  }

  @Test func `a document with asks is put together once, whoever asks for it how often`() async throws {
    try await RunningCollector.with { collector in
      var batch = try await collector.know("s-1", device: "d-1", user: "eve")
      _ = try await collector.asked(#"{"bundleId":"dev.example.shop","appVersion":"2.1","reason":"r"}"#)
      let documents = collector.collector.asks.documents
      let tag = try await collector.tag("device=d-1&version=2.1")
      #expect(documents.built == 1)
      for number in 0..<20 {
        batch.addLog("number \(number)")
        #expect(try await collector.named(to: batch, of: "device=d-\(number)&version=2.1") == [tag])
      }
      #expect(documents.built == 1)
      // Another document, and another ask, make another one.
      try await collector.put(RunningCollector.shop, #"{"recording":{"enabled":true}}"#)
      let changed = try await collector.tag("device=d-1&version=2.1")
      #expect(changed != tag && documents.built == 2)
      #expect(try await collector.send(.DELETE, "/api/asks/1").status == 200)
      #expect(try await collector.tag("device=d-1&version=2.1") == (try await collector.tag(nil)))
    }
  }
}
