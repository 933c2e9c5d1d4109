import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `When silence is an alert, whatever clocks do` {
  private static let minute: Int64 = 60_000
  private static let day = 1440 * minute
  /// A moment, and an hour of silence that is too long.
  private static let present: Int64 = 1_790_000_000_000
  private static let rule = AlertRule(name: "silence", kind: .silence, settings: .init(minutes: 60))

  /// What the rule finds when something was received at these moments, seen from ``present``.
  private static func find(
    received: [Int64], now: Int64 = present, startedAt: Int64 = present - day, since: Int64 = 0, firing: Int64? = nil
  ) throws -> [AlertLook.Finding] {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    var rule = rule
    rule.since = since
    return try store.pool.write { [rule] database in
      for (index, moment) in received.enumerated() {
        try database.execute(
          sql: "INSERT INTO session(sessionId, given, received) VALUES (?1, ?1, ?2)", arguments: ["s\(index)", moment])
      }
      let context = AlertLook.Context(now: now, startedAt: startedAt, firing: firing.map { ["": $0] } ?? [:])
      return try AlertLook(rule, context, in: database).findings
    }
  }

  private static func isFiring(_ findings: [AlertLook.Finding]) -> Bool {
    if case .firing? = findings.first { findings.count == 1 } else { false }
  }

  private static func isCalm(_ findings: [AlertLook.Finding]) -> Bool {
    if case .calm? = findings.first { findings.count == 1 } else { false }
  }

  @Test func `an hour without anything is one, less is none`() throws {
    #expect(try Self.isFiring(Self.find(received: [Self.present - 61 * Self.minute])))
    #expect(try Self.find(received: [Self.present - 59 * Self.minute]).isEmpty)
    #expect(try Self.isFiring(Self.find(received: [])))
  }

  @Test func `a collector or a rule that was not there yet has missed nothing`() throws {
    #expect(try Self.find(received: [], startedAt: Self.present - 59 * Self.minute).isEmpty)
    #expect(try Self.find(received: [], since: Self.present - 59 * Self.minute).isEmpty)
    // Nor one whose rule was made while the clock was ahead.
    #expect(try Self.find(received: [], since: Self.present + Self.day).isEmpty)
  }

  @Test func `what a clock that was ahead wrote down ends no silence`() throws {
    #expect(try Self.isFiring(Self.find(received: [Self.present + Self.day, Self.present - 61 * Self.minute])))
    let since = Self.present - 10 * Self.minute
    #expect(try Self.find(received: [Self.present + Self.day, since - 1], firing: since).isEmpty)
  }

  @Test func `something new ends it, also after the clock was set back`() throws {
    let since = Self.present - 10 * Self.minute
    #expect(try Self.isCalm(Self.find(received: [Self.present - Self.minute], firing: since)))
    #expect(try Self.isCalm(Self.find(received: [Self.present - 1000], firing: Self.present + Self.day)))
    #expect(try Self.find(received: [Self.present - Self.day], firing: Self.present + Self.day).isEmpty)
  }

  @Test func `a clock that jumps ahead by a day is no silence of a day`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let now = NIOLockedValueBox(Self.present)
    let told = NIOLockedValueBox<[Alert]>([])
    let watch = AlertWatch(store: store, logger: RunningCollector.quiet, now: { now.withLockedValue { $0 } }) {
      alerts in
      told.withLockedValue { $0 += alerts }
    }
    let body = #"{"kind":"silence","minutes":60}"#
    _ = try await store.alerts.save(
      try JSONDecoder().decode(JSONTree.self, from: Data(body.utf8)), by: "test", at: Self.present - Self.day)
    watch.look()
    now.withLockedValue { $0 += Self.day }
    watch.look()
    #expect(told.withLockedValue { $0 }.isEmpty && watch.report.looks == 2 && watch.report.problem == nil)
  }
}
