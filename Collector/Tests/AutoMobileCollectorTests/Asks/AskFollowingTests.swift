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

  @Test func `an ask is in memory before anything can follow it in the index`() async throws {
    try await RunningCollector.with { collector in
      let asks = collector.collector.asks
      // The writer's next turn after each ask's: what is withdrawn there must be known by then.
      let missing = Kept(0)
      async let watch: Void = { () async throws -> Void in
        for number in 1...60 {
          while try await asks.store.pool.write({ database -> Bool in
            let known = asks.state.withLockedValue { Set($0.open.values.joined().map(\.ask.id)) }
            let rows = try AskTables.open(in: database).map(\.id)
            if !rows.allSatisfy(known.contains) { missing.set(missing.value + 1) }
            return rows.count < number
          }) {}
        }
      }()
      for number in 1...60 {
        _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"u\#(number)","reason":"r"}"#)
      }
      try await watch
      #expect(missing.value == 0)
    }
  }
}
