import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// Alerts know what App health knows.
@Suite struct `Alerts where devices keep what they record` {
  private static func find(
    _ kind: AlertRule.Kind, _ settings: AlertRule.Settings, _ collector: RunningCollector, now: Int64 = WallClock.now,
    firing: [String: Int64] = [:]
  ) async throws -> [AlertLook.Finding] {
    try await collector.collector.store.pool.read { database in
      let context = AlertLook.Context(now: now, startedAt: now - 86_400_000, firing: firing)
      return try AlertLook(AlertRule(name: "r", kind: kind, settings: settings), context, in: database).findings
    }
  }

  @Test func `sessions of which only a summary came count among those without a crash, and those with one`()
    async throws
  {
    try await RunningCollector.with { collector in
      for number in 0..<10 {
        var summary = Summary(session: "s-\(number)", end: number < 2 ? "crash" : "ended")
        summary.crashes = number < 2 ? 1 : 0
        try await collector.post(raw: .telling(summary, user: "u-\(number)"))
        try await collector.told("s-\(number)")
      }
      let health = try await collector.json("/api/health")["sessions"]
      #expect(health["count"].int == 10 && health["crashed"].int == 2 && health["bySummary"].int == 10)
      var settings = AlertRule.Settings(threshold: 90, minutes: 60)
      settings.minimum = 10
      let found = try await Self.find(.crashFree, settings, collector)
      #expect(found.count == 1 && found.first?.alert.title == "80 % crash-free sessions in all apps", "\(found)")
      #expect(found.first?.alert.facts.contains(Alert.Fact("Sessions", "10, 2 crashed")) == true)
      settings.minimum = 11
      #expect(try await Self.find(.crashFree, settings, collector).isEmpty)
    }
  }

  @Test func `a summary ends a silence`() async throws {
    try await RunningCollector.with { collector in
      let settings = AlertRule.Settings(minutes: 60)
      let since = WallClock.now - 1000
      #expect(try await Self.find(.silence, settings, collector, firing: ["": since]).isEmpty)
      try await collector.post(raw: .telling(Summary(session: "s-1")))
      try await collector.told("s-1")
      let found = try await Self.find(.silence, settings, collector, firing: ["": since])
      #expect(found.first?.alert.title == "Receiving again from any app", "\(found)")
    }
  }
}
